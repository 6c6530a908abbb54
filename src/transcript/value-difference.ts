import type { Change } from './difference.ts'

/** Whether two JSON values are equal; the order of keys does not matter. */
export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => Object.hasOwn(b, key) && equalValues(a[key], b[key]))
  )
}

/** The first places in which two JSON values differ, in the order of `expected`, then what only `actual` has. */
export function listChanges(expected: unknown, actual: unknown, limit: number): Change[] {
  const changes: Change[] = []
  collect(expected, actual, '', limit, changes)
  return changes
}

function collect(expected: unknown, actual: unknown, path: string, limit: number, changes: Change[]): void {
  if (expected === actual || changes.length === limit) return
  if (!isContainer(expected) || !isContainer(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    changes.push({ path, expected, actual })
    return
  }
  const step = Array.isArray(expected)
    ? (key: string) => `${path}[${key}]`
    : (key: string) => joinKey(path, key)
  const added = Object.keys(actual).filter(key => !Object.hasOwn(expected, key))
  for (const key of [...Object.keys(expected), ...added]) {
    collect(own(expected, key), own(actual, key), step(key), limit, changes)
  }
}

type Container = Readonly<Record<string, unknown>>

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function own(container: Container, key: string): unknown {
  return Object.hasOwn(container, key) ? container[key] : undefined
}

/** The path of a property, below that of its object. */
export function joinKey(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}
