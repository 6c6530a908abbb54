import type { Problem, ValuePath } from './problem.ts'
import { isObject } from './shape.ts'

/** Deeper than any real message or block; bounds recursion over values that a file or a request brought. */
const DEEPEST = 500

/**
 * The same value with each of its strings replaced; the very same object where no string changes. Keys stay.
 *
 * @param replace - given each string and its place
 */
export function mapStrings(value: unknown, replace: (text: string, path: ValuePath) => string): unknown {
  const path: (string | number)[] = []
  const visitAt = (key: string | number, child: unknown): unknown => {
    path.push(key)
    const mapped = visit(child)
    path.pop()
    return mapped
  }
  const visit = (node: unknown): unknown => {
    if (typeof node === 'string') return replace(node, path)
    if (Array.isArray(node)) {
      const elements: readonly unknown[] = node
      const mapped = elements.map((child, index) => visitAt(index, child))
      return mapped.some((child, index) => child !== elements[index]) ? mapped : node
    }
    if (!isObject(node)) return node
    const mapped = Object.entries(node).map(([key, child]): [string, unknown] => [key, visitAt(key, child)])
    return mapped.some(([key, child]) => child !== node[key]) ? Object.fromEntries(mapped) : node
  }
  return visit(value)
}

/** Every string in the value, in document order. Any depth: it does not recurse. */
export function stringLeaves(value: unknown): string[] {
  const found: string[] = []
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (typeof node === 'string') found.push(node)
    else if (typeof node === 'object' && node !== null) {
      const children: unknown[] = Object.values(node)
      for (const child of children.reverse()) waiting.push(child)
    }
  }
  return found
}

/** Says so where the value is nested too deep for functions that recurse. */
export function depthProblem(value: unknown): Problem | undefined {
  const waiting: { readonly node: unknown; readonly depth: number }[] = [{ node: value, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next
    if (typeof node !== 'object' || node === null) continue
    if (depth > DEEPEST)
      return { path: [], message: `values are nested too deep; allowed: ${DEEPEST} levels` }
    for (const child of Object.values(node)) waiting.push({ node: child, depth: depth + 1 })
  }
  return undefined
}
