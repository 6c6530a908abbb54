import path from 'node:path'

/** What waiting for a file needs of a disk; `node:fs` and memfs both have it. */
export interface WatchableDisk {
  existsSync(file: string): boolean
  watch(
    folder: string,
    listener: () => void,
  ): { close(): void; on(event: 'error', listener: () => void): unknown }
}

/**
 * Resolves once a file exists, told by the disk's own change events. Where its folder doesn't exist yet, the nearest
 * folder above that does is watched.
 *
 * @param deadline - ends the wait; its reason is thrown
 */
export async function waitForFile(disk: WatchableDisk, file: string, deadline: AbortSignal): Promise<void> {
  while (!disk.existsSync(file)) {
    deadline.throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const wake = (): void => resolve(undefined)
    const folder = nearestFolder(disk, path.dirname(file))
    let watcher: ReturnType<WatchableDisk['watch']>
    try {
      watcher = disk.watch(folder, wake)
    } catch {
      // The folder went between the look and the watch: look again.
      await new Promise(resolveTurn => setImmediate(resolveTurn))
      continue
    }
    watcher.on('error', wake)
    deadline.addEventListener('abort', wake, { once: true })
    try {
      // The watch begins before this second look, so a file made in between is not missed.
      if (!disk.existsSync(file) && nearestFolder(disk, path.dirname(file)) === folder) await promise
    } finally {
      watcher.close()
      deadline.removeEventListener('abort', wake)
    }
  }
}

function nearestFolder(disk: WatchableDisk, folder: string): string {
  let nearest = folder
  while (!disk.existsSync(nearest) && path.dirname(nearest) !== nearest) nearest = path.dirname(nearest)
  return nearest
}
