import { fiberStates, type KernelEntry, type KernelLoader } from './kernel.ts'

/** An entry that should be active and is not. */
export interface InactiveEntry {
  readonly name: string
  readonly id: string
  readonly state: string
  /** Services that it asks for and that nobody provides. */
  readonly missing: readonly string[]
  readonly cause: unknown
}

const active = 2
const waiting = 0

/**
 * Which enabled entries are not active.
 *
 * @param failures - errors of imports by the name of their entry: the Loader only logs them
 */
export function inactiveEntries(
  loader: KernelLoader,
  failures: ReadonlyMap<string, unknown>,
): InactiveEntry[] {
  return [...loader.entries()]
    .filter(entry => entry.fiber?.state !== active)
    .flatMap(entry => describeEntry(entry, failures) ?? [])
    .sort((a, b) => rank(a) - rank(b))
}

/** An entry that failed says more than the ones that wait for what it would have provided. */
function rank(entry: InactiveEntry): number {
  if (entry.cause !== undefined) return 0
  return entry.missing.length === 0 ? 1 : 2
}

function describeEntry(
  entry: KernelEntry,
  failures: ReadonlyMap<string, unknown>,
): InactiveEntry | undefined {
  const { fiber } = entry
  const { disabled, error } = switchOf(entry)
  if (disabled) return undefined
  const { name } = entry.options
  const missing =
    fiber?.state === waiting
      ? Object.keys(fiber.inject).filter(service => fiber.ctx.get(service) === undefined)
      : []
  return {
    name,
    id: entry.id,
    state: fiber === undefined ? 'not imported' : (fiberStates[fiber.state] ?? String(fiber.state)),
    missing,
    cause: error ?? failures.get(name) ?? startError(fiber),
  }
}

/** Whether an entry is switched off; an expression that should say so may throw. */
function switchOf(entry: KernelEntry): { readonly disabled: boolean; readonly error?: unknown } {
  try {
    return { disabled: entry.disabled }
  } catch (error) {
    return { disabled: false, error }
  }
}

/** The fiber keeps its start error to itself; `await()` gives it only as a promise, which a report can't wait for. */
function startError(fiber: KernelEntry['fiber']): unknown {
  if (fiber === undefined) return undefined
  const error: unknown = Reflect.get(fiber, '_error')
  return error ?? undefined
}

/** Says of each entry its state, what it waits for and why. */
export function reportInactive(entries: readonly InactiveEntry[], what: string): string {
  const lines = entries.map(entry => {
    const waits =
      entry.missing.length > 0 ? `; it waits for ${entry.missing.join(', ')}, which nothing provides` : ''
    const cause = entry.cause === undefined ? '' : `: ${messageOf(entry.cause)}`
    return `  - ${entry.name} (entry ${entry.id}) is ${entry.state}${waits}${cause}`
  })
  const count = entries.length === 1 ? 'an entry' : `${entries.length} entries`
  return `${count} of the composition ${what}. ${adviceFor(entries)}\n${lines.join('\n')}`
}

function adviceFor(entries: readonly InactiveEntry[]): string {
  if (entries.some(entry => entry.cause !== undefined)) {
    return 'Mend the plugin that failed, or what it is configured with: others may only wait for it.'
  }
  if (entries.some(entry => entry.missing.length > 0)) {
    return 'Add entries for plugins that provide what is missing.'
  }
  return 'Look for what the plugin awaits in its apply, or allow it more time.'
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
