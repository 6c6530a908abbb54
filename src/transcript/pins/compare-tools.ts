import { asObject, asText } from '../../session-log/json-parts.ts'
import type { JsonValue } from '../../session-log/types.ts'
import type { Difference } from '../difference.ts'
import { describe } from '../sequence-difference.ts'
import { firstDifference, showValue } from '../shorten.ts'
import { listChanges } from '../value-difference.ts'
import type { RequestHeader, ToolList } from './header-sequence.ts'
import type { PinnedPart } from './log-pin.ts'
import { sectionDifference, sidecarPlace, type Section } from './section-difference.ts'

const toolsPath = 'data.header.tools'
const nameLength = 80

/** How a tool, or the list of them, differs. */
interface ToolDifference extends Pick<Section, 'path' | 'what' | 'expected' | 'actual'> {
  /** What differs, in words that no other has. */
  readonly name: string
}

/** One difference for each tool that was added, removed or changed, and one for the order of those that both sides have. */
export function compareTools(
  surface: string,
  { file, sequence }: PinnedPart<ToolList>,
  headers: readonly RequestHeader[],
): Difference[] {
  const found = new Map<string, Difference>()
  for (const [at, { seq, tools = [] }] of headers.entries()) {
    const pinned = sequence[at]
    const place = sidecarPlace(file, at, sequence.length)
    const differences = pinned === undefined ? [unpinned(tools)] : differing(pinned, tools)
    for (const { name, what, ...rest } of differences) {
      if (found.has(name)) continue
      found.set(name, sectionDifference({ surface, seq, what: `${name} ${what} (${place})`, ...rest }))
    }
  }
  return [...found.values()]
}

function unpinned(tools: ToolList): ToolDifference {
  const change = { path: toolsPath, expected: undefined, actual: pretty(tools) }
  const names = [...named(tools).keys()].join(', ')
  return { name: 'the list of tools', what: describe({ ...change, path: '', actual: names }), ...change }
}

function differing(expected: ToolList, actual: ToolList): ToolDifference[] {
  const was = named(expected)
  const is = named(actual)
  return [
    ...[...was].flatMap(([name, { path, schema }]) => {
      const now = is.get(name)
      return toolDifference(name, now?.path ?? path, schema, now?.schema)
    }),
    ...[...is].flatMap(([name, { path, schema }]) =>
      was.has(name) ? [] : toolDifference(name, path, undefined, schema),
    ),
    ...orderDifference(
      [...was.keys()].filter(name => is.has(name)),
      [...is.keys()].filter(name => was.has(name)),
    ),
  ]
}

function toolDifference(
  name: string,
  path: string,
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
): ToolDifference[] {
  return listChanges(expected, actual, 1).map(change => ({
    name: `tool ${name}`,
    what: describe(change),
    path,
    expected: pretty(expected),
    actual: pretty(actual),
  }))
}

function orderDifference(expected: readonly string[], actual: readonly string[]): ToolDifference[] {
  const at = firstDifference(expected, actual)
  if (at === expected.length) return []
  return [
    {
      name: 'the order of the tools',
      what: `differs: expected ${showValue(expected[at], nameLength)} where ${showValue(actual[at], nameLength)} is`,
      path: toolsPath,
      expected: expected.join('\n'),
      actual: actual.join('\n'),
    },
  ]
}

/** Tools by name; one without a name goes by its position, and a name that comes again gets a number. */
function named(tools: ToolList): ReadonlyMap<string, { readonly path: string; readonly schema: JsonValue }> {
  const byName = new Map<string, { path: string; schema: JsonValue }>()
  for (const [position, schema] of tools.entries()) {
    const own = asText(asObject(schema)?.name) ?? `[${position}]`
    let name = own
    for (let again = 2; byName.has(name); again += 1) name = `${own} (${again})`
    byName.set(name, { path: `${toolsPath}[${position}]`, schema })
  }
  return byName
}

function pretty(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value, null, 2)
}
