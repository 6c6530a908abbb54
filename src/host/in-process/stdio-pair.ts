import { Readable, Writable } from 'node:stream'

import { slot } from './scope.ts'

/** A queue of bytes that is read as a web stream. */
class BytePipe {
  readonly readable: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor() {
    this.readable = new ReadableStream<Uint8Array>({
      start: controller => {
        this.#controller = controller
      },
      cancel: () => {
        this.#controller = undefined
      },
    })
  }

  /** Whether the bytes can still be read. */
  write(bytes: Uint8Array): boolean {
    if (this.#controller === undefined) return false
    this.#controller.enqueue(bytes)
    return true
  }

  end(): void {
    this.#controller?.close()
    this.#controller = undefined
  }
}

function sink(write: (bytes: Uint8Array) => unknown, close: () => void): WritableStream<Uint8Array> {
  return new WritableStream<Uint8Array>({ write: bytes => void write(bytes), close, abort: close })
}

/**
 * Standard input and output in memory, as bytes. The agent may hold either end as web streams or as the stand-ins of
 * `process.stdin` and `process.stdout`; what it writes to both arrives in the order it was written.
 */
export class StdioPair {
  readonly #input = new BytePipe()
  readonly #output = new BytePipe()
  readonly #errors: Uint8Array[] = []

  /** The client's ends. */
  readonly client = {
    input: sink(
      bytes => this.#input.write(bytes),
      () => this.#input.end(),
    ),
    output: this.#output.readable,
  }

  /** The agent's ends. */
  readonly agent = {
    output: sink(
      bytes => this.#output.write(bytes),
      () => undefined,
    ),
    input: this.#input.readable,
  }

  /** The agent's ends as Node streams; standard input is claimed from the web stream when it is first read. */
  readonly process = {
    stdin: new LazyInput(this.#input.readable),
    stdout: collector(bytes => {
      if (!this.#output.write(bytes)) tooLate('standard output', bytes)
    }),
    stderr: collector(bytes => this.#errors.push(bytes)),
  }

  /** What the agent has written to standard error. */
  get errors(): string {
    return Buffer.concat(this.#errors).toString('utf8')
  }

  /** Ends the agent's output once nothing can write to it any more. */
  endOutput(): void {
    this.#output.end()
  }
}

/** After a run nobody compares what its agent still says: the process's own standard error must show it. */
function tooLate(stream: string, bytes: Uint8Array): void {
  slot.scopes.exit(() => {
    const text = JSON.stringify(Buffer.from(bytes).toString('utf8').slice(0, 200))
    process.stderr.write(`acp-snapshot: the agent of a run that is over wrote to its ${stream}: ${text}\n`)
  })
}

function collector(write: (bytes: Uint8Array) => void): Writable {
  return new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => {
      write(new Uint8Array(chunk))
      done()
    },
  })
}

class LazyInput extends Readable {
  readonly #source: ReadableStream<Uint8Array>
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(source: ReadableStream<Uint8Array>) {
    super()
    this.#source = source
  }

  // The read loop is started by whoever reads, so its data arrives in that run's async context.
  override _read(): void {
    void this.#pull()
  }

  async #pull(): Promise<void> {
    try {
      this.#reader ??= this.#source.getReader()
      const { done, value } = await this.#reader.read()
      this.push(done ? null : value)
    } catch (error) {
      // Someone else reads the web stream.
      this.destroy(error as Error)
    }
  }
}
