import { SnapshotError } from '../errors.ts'

/** A place within a value: keys of objects and indices of arrays, from the outside in. */
export type ValuePath = readonly (string | number)[]

/** What is wrong with a value, and where in it. The message says what was found and what is allowed. */
export interface Problem {
  readonly path: ValuePath
  readonly message: string
}

/** A place in words; a function where the words cost something and are needed only by an error. */
export type Where = string | (() => string)

/** The same problem, seen from the value that holds the faulty one under `key`. */
export function under(key: string | number, problem: Problem): Problem {
  return { ...problem, path: [key, ...problem.path] }
}

/** `chunks[2].block.text`; nothing for the value itself. */
export function formatPath(path: ValuePath): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (/^[A-Za-z_$][\w$-]*$/.test(part)) text += text === '' ? part : `.${part}`
    else text += `[${JSON.stringify(part)}]`
  }
  return text
}

/** A value in a few words, short enough for a message whatever its size. */
export function describe(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value)
  }
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  if (value === undefined) return 'nothing'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The place in words, evaluated. */
export function placeOf(where: Where): string {
  return typeof where === 'string' ? where : where()
}

/** The error of a replay input that is wrong: place, what is wrong, what is allowed. */
export function replayInvalid(where: Where, ...problems: readonly Problem[]): SnapshotError {
  const lines = problems.map(({ path, message }) =>
    path.length === 0 ? message : `at ${formatPath(path)}: ${message}`,
  )
  const place = placeOf(where)
  return new SnapshotError('REPLAY_INVALID', `${place}: ${lines.join(`\n${place}: `)}`, {
    details: { where: place, problems },
  })
}
