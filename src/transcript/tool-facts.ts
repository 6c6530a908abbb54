import type { CountFact, Facts, ToolErrorFact } from '../scenario/index.ts'
import { shellExitCode } from '../session-log/shell-exit.ts'
import { brokenFact, placeInLog, placesOf, type PlacedCall } from './broken-fact.ts'
import { countBreach } from './count-fact.ts'
import type { Difference } from './difference.ts'
import { showValue } from './shorten.ts'

/** The code of a call of a tool that there is not. */
const UNKNOWN_TOOL = 'UNKNOWN_TOOL'

/** Tools that were called more or less often than is said. */
export function brokenToolCounts(
  expected: Readonly<Record<string, CountFact>> = {},
  calls: readonly PlacedCall[],
): Difference[] {
  return Object.entries(expected).flatMap(([tool, count]) => {
    const found = callsOf(tool, calls)
    const breach = countBreach(count, found.length)
    if (breach === undefined) return []
    return [brokenFact(['tools', tool], { ...breach, told: breach.told + placesOf(found) })]
  })
}

/** Tools beside the listed ones, each once. */
export function brokenOnlyTools(expected: Facts['onlyTools'], calls: readonly PlacedCall[]): Difference[] {
  if (expected === undefined) return []
  const others = new Set(calls.map(({ call }) => call.name).filter(name => !expected.includes(name)))
  const allowed = expected.length === 0 ? 'no tool' : `only ${expected.map(quoted).join(', ')}`
  return [...others].map(actual => {
    const told = `expected ${allowed}, found ${quoted(actual)}${placesOf(callsOf(actual, calls))}`
    return brokenFact(['onlyTools'], { expected, actual, told })
  })
}

/**
 * Calls that ended in an error that is not allowed.
 *
 * @param allowed - undefined where nothing is said of errors: then a tool that there is not is one all the same
 */
export function forbiddenErrors(
  allowed: readonly ToolErrorFact[] | undefined,
  calls: readonly PlacedCall[],
): Difference[] {
  return calls.flatMap(({ log, call: { name: tool, result } }) => {
    if (result === undefined || !(result.isError || result.error !== undefined)) return []
    const { name, code } = result.error ?? {}
    const actual: ToolErrorFact = code === undefined ? { tool } : { tool, code }
    const place = placeInLog(log, result.seq)
    if (code === UNKNOWN_TOOL) {
      const told = `expected tools that the agent has, found a call of ${quoted(tool)} (${code}, ${place}); no fact allows it`
      return [brokenFact(['toolErrors'], { expected: allowed ?? [], actual, told })]
    }
    if (allowed === undefined || allowed.some(fact => allows(fact, actual))) return []
    const kind = [name, code, place].filter(part => part !== undefined).join(', ')
    const told = `expected ${allowedOf(tool, allowed)}, found one (${kind})`
    return [brokenFact(['toolErrors'], { expected: allowed, actual, told })]
  })
}

/**
 * Tools whose commands ended with other exit codes. A call has none where no process exited: where it failed, was killed or
 * timed out, or only started a process in the background. It is left out of the list, and named in the message.
 */
export function brokenExitCodes(
  expected: Facts['exitCodes'] = {},
  calls: readonly PlacedCall[],
): Difference[] {
  return Object.entries(expected).flatMap(([tool, codes]) => {
    const ended = callsOf(tool, calls).map(placed => ({ placed, code: exitCodeOf(placed) }))
    const coded = ended.filter(({ code }) => code !== undefined)
    const actual = coded.map(({ code }) => code)
    const longer = codes.length > actual.length ? codes : actual
    const at = longer.findIndex((_, index) => codes[index] !== actual[index])
    if (at === -1) return []
    const first = coded[at]
    const without = ended.filter(({ code }) => code === undefined).map(({ placed }) => placed)
    const told =
      `expected ${JSON.stringify(codes)}, found ${JSON.stringify(actual)}` +
      placesOf(first === undefined ? [] : [first.placed]) +
      (without.length === 0 ? '' : `; ${without.length} without an exit code${placesOf(without)}`)
    return [brokenFact(['exitCodes', tool], { expected: codes, actual, told })]
  })
}

function callsOf(tool: string, calls: readonly PlacedCall[]): PlacedCall[] {
  return calls.filter(({ call }) => call.name === tool)
}

function exitCodeOf({ call: { result } }: PlacedCall): number | undefined {
  return result === undefined ? undefined : shellExitCode(result)
}

function allows(fact: ToolErrorFact, { tool, code }: ToolErrorFact): boolean {
  return fact.tool === tool && (fact.code === undefined || fact.code === code)
}

function allowedOf(tool: string, allowed: readonly ToolErrorFact[]): string {
  const codes = allowed.flatMap(fact => (fact.tool === tool && fact.code !== undefined ? [fact.code] : []))
  return codes.length === 0
    ? `no error of ${quoted(tool)}`
    : `no error of ${quoted(tool)} but ${codes.join(', ')}`
}

/** A tool's name: a model may call one of any length. */
function quoted(tool: string): string {
  return showValue(tool, 80)
}
