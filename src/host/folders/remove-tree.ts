import fs from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Removes a folder and all that is in it, whatever an agent has left there: also what is too deep to have a path, or has
 * a name that is no text. What can be removed goes even where something else can't.
 *
 * @throws the first error, where anything is left
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
  } catch (error) {
    if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
    new Sweep(Buffer.from(folder)).run()
  }
}

/** How long a path may get below the top, in bytes, so that the names in its folder still fit: some systems allow 1024. */
const longestPath = 500

/** Goes by bytes, since a name may be no text. */
class Sweep {
  readonly #top: Buffer
  #failure: unknown
  #raised = 0

  constructor(top: Buffer) {
    this.#top = top
  }

  run(): void {
    let raisedBefore: number
    do {
      raisedBefore = this.#raised
      this.#failure = undefined
      this.#attempt(() => this.#removeFolder(this.#top))
      // What has been raised meanwhile lies in the top folder, and is in no list that was made before.
    } while (this.#raised > raisedBefore)
    if (this.#failure !== undefined) throw this.#failure as Error
  }

  #removeFolder(folder: Buffer): void {
    // An agent may have taken the right to list it from itself.
    fs.chmodSync(folder, 0o700)
    for (const entry of fs.readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
      const inner = below(folder, entry.name)
      this.#attempt(() => {
        if (!entry.isDirectory()) fs.unlinkSync(inner)
        else if (inner.length - this.#top.length > longestPath) this.#raise(inner)
        else this.#removeFolder(inner)
      })
    }
    fs.rmdirSync(folder)
  }

  /** Moves a folder up, so that all below it gets a shorter path. */
  #raise(folder: Buffer): void {
    fs.renameSync(folder, below(this.#top, Buffer.from(`raised-${process.pid}-${this.#raised}`)))
    this.#raised += 1
  }

  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#failure ??= error
    }
  }
}

function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from(path.sep), name])
}
