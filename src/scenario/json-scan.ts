/** Where a value is inside a JSON document: object keys and array indexes, from the root down. */
export type JsonPath = readonly (string | number)[]

/** The first thing in a text that is not strict JSON. */
export interface JsonFlaw {
  /** In UTF-16 code units from the start of the text. */
  readonly offset: number
  readonly problem: string
}

type Container = { readonly close: '}'; readonly keys: Set<string> } | { readonly close: ']'; index: number }

const SPACE = /[ \t\n\r]*/y
const PLAIN = /[^"\\\u0000-\u001f]*/y // eslint-disable-line no-control-regex -- the characters that JSON forbids
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y

/**
 * Walks strict JSON and tells of every value, in document order. It is stricter than `JSON.parse` in what would be lost
 * in silence: a key that an object has twice, the key `__proto__`, and a number beyond the doubles are flaws.
 *
 * @param onValue - told of each value before it is read; `path` is reused from call to call, so copy it to keep it
 * @returns the first flaw, or undefined for a sound document
 */
export function scanJson(
  text: string,
  onValue: (path: JsonPath, offset: number) => void = () => undefined,
): JsonFlaw | undefined {
  try {
    new Scanner(text, onValue).run()
    return undefined
  } catch (error) {
    if (error instanceof Flaw) return { offset: error.offset, problem: error.message }
    throw error
  }
}

class Flaw extends Error {
  readonly offset: number

  constructor(offset: number, problem: string) {
    super(problem)
    this.offset = offset
  }
}

/** Has a stack of its own in place of recursion: nesting is bounded by the text alone. */
class Scanner {
  readonly #text: string
  readonly #onValue: (path: JsonPath, offset: number) => void
  readonly #open: Container[] = []
  readonly #path: (string | number)[] = []
  #at = 0

  constructor(text: string, onValue: (path: JsonPath, offset: number) => void) {
    this.#text = text
    this.#onValue = onValue
  }

  run(): void {
    let due = true
    while (due) {
      this.#skip(SPACE)
      this.#onValue(this.#path, this.#at)
      due = this.#enter() || this.#leave()
    }
  }

  /** Reads a scalar or an opening bracket. True where the next thing due is a value inside what was opened. */
  #enter(): boolean {
    const first = this.#text[this.#at]
    if (first === '"') this.#string()
    else if (first === '{') return this.#enterContainer({ close: '}', keys: new Set() })
    else if (first === '[') return this.#enterContainer({ close: ']', index: 0 })
    else if (!this.#number() && !this.#skip(WORD)) this.#fail('a value')
    return false
  }

  #number(): boolean {
    const start = this.#at
    if (!this.#skip(NUMBER)) return false
    const value = Number(this.#text.slice(start, this.#at))
    if (!Number.isFinite(value)) throw new Flaw(start, 'the number is larger than a double can be (1.8e308)')
    return true
  }

  #enterContainer(container: Container): boolean {
    this.#at++
    this.#skip(SPACE)
    if (this.#text[this.#at] === container.close) {
      this.#at++
      return false
    }
    this.#open.push(container)
    this.#path.push(container.close === '}' ? this.#key(container.keys) : container.index)
    return true
  }

  /** After a value: closes what ends here. True where another value is due, false at the end of the document. */
  #leave(): boolean {
    for (;;) {
      this.#skip(SPACE)
      const container = this.#open.at(-1)
      if (container === undefined) {
        if (this.#at < this.#text.length) this.#fail('the end of the file')
        return false
      }
      const next = this.#text[this.#at]
      if (next !== ',' && next !== container.close) this.#fail(`"," or "${container.close}"`)
      this.#at++
      this.#path.pop()
      if (next === ',') {
        this.#skip(SPACE)
        this.#path.push(container.close === '}' ? this.#key(container.keys) : ++container.index)
        return true
      }
      this.#open.pop()
    }
  }

  #key(seen: Set<string>): string {
    const start = this.#at
    if (this.#text[start] !== '"') this.#fail('a key in double quotes')
    const key = this.#string()
    if (seen.has(key)) throw new Flaw(start, `an object has the key ${JSON.stringify(key)} twice`)
    if (key === '__proto__') throw new Flaw(start, 'the key "__proto__" is not allowed')
    seen.add(key)
    this.#skip(SPACE)
    if (this.#text[this.#at] !== ':') this.#fail('":" after a key')
    this.#at++
    return key
  }

  #string(): string {
    const start = this.#at++
    for (;;) {
      this.#skip(PLAIN)
      if (this.#text[this.#at] === '"') {
        this.#at++
        return JSON.parse(this.#text.slice(start, this.#at)) as string
      }
      if (!this.#skip(ESCAPE)) this.#fail('the rest of a string (a line break in it is written \\n)')
    }
  }

  /** True where something was there to skip. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const length = pattern.exec(this.#text)?.[0].length ?? 0
    this.#at += length
    return length > 0
  }

  #fail(expected: string): never {
    throw new Flaw(this.#at, `expected ${expected}, found ${this.#found()}`)
  }

  #found(): string {
    const code = this.#text.codePointAt(this.#at)
    if (code === undefined) return 'the end of the file'
    if (code === 0xfeff) return 'a byte order mark'
    return JSON.stringify(String.fromCodePoint(code))
  }
}
