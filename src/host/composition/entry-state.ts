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

/** Errors that the Loader only logs. */
export interface StartErrors {
  /** Of imports, by the name of their entry. */
  readonly imports: ReadonlyMap<string, unknown>
  /** Of rows that the kernel has made no fiber for, by the options of their entry. */
  readonly rows: ReadonlyMap<object, unknown>
}

const active = 2
const waiting = 0
const failed = 3

/** Which enabled entries are not active. */
export function inactiveEntries(loader: KernelLoader, errors: StartErrors): InactiveEntry[] {
  return [...loader.entries()]
    .filter(entry => entry.fiber?.state !== active)
    .flatMap(entry => describeEntry(entry, errors) ?? [])
    .sort((a, b) => rank(a) - rank(b))
}

/** An entry that failed says more than the ones that wait for what it would have provided. */
function rank(entry: InactiveEntry): number {
  if (entry.cause !== undefined) return 0
  return entry.missing.length === 0 ? 1 : 2
}

function describeEntry(entry: KernelEntry, errors: StartErrors): InactiveEntry | undefined {
  const { fiber } = entry
  const { disabled, error } = switchOf(entry)
  if (disabled) return undefined
  const { name } = entry.options
  const cause = error ?? errors.rows.get(entry.options) ?? errors.imports.get(name) ?? startError(fiber)
  const state = stateOf(entry, cause, errors)
  const missing =
    fiber !== undefined && state === waiting
      ? Object.keys(fiber.inject).filter(service => fiber.ctx.get(service) === undefined)
      : []
  return {
    name,
    id: entry.id,
    state: state === undefined ? 'not imported' : (fiberStates[state] ?? String(state)),
    missing,
    cause,
  }
}

/** Plain Cordis makes no fiber where an expression throws, and leaves one waiting whose configuration is refused. */
function stateOf(entry: KernelEntry, cause: unknown, errors: StartErrors): number | undefined {
  if (errors.rows.has(entry.options)) return failed
  const state = entry.fiber?.state
  return state === waiting && cause !== undefined ? failed : state
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
