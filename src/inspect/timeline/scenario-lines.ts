import type { InspectedFolder } from '../inspect-folder.ts'
import type { InspectedProblem, InspectedScenario, InspectedSession, InspectedTotals } from '../types.ts'
import { fit, printable } from './printable.ts'
import { sessionLines } from './session-lines.ts'

/** A scenario as a timeline: its sessions, children after their parent and further in, then what they come to. */
export function* scenarioLines({ scenario, logs }: InspectedFolder): Generator<string> {
  yield fit(`${scenario.name}  ${scenario.steps.join(', ')}`)
  for (const { session, depth } of inTree(scenario.sessions)) {
    const log = logs[scenario.sessions.indexOf(session)]
    if (log !== undefined) yield* sessionLines(session, log, '  '.repeat(depth + 1))
  }
  yield summaryOf(scenario)
}

interface TreePlace {
  readonly session: InspectedSession
  readonly depth: number
}

/** Children after their parent; sessions whose parent is not among them, or that are each other's, come as they are. */
function inTree(sessions: readonly InspectedSession[]): TreePlace[] {
  const placed = new Map<InspectedSession, number>()
  const place = (session: InspectedSession, depth: number): void => {
    if (placed.has(session)) return
    placed.set(session, depth)
    for (const child of sessions) if (child.lineage.parent === session.name) place(child, depth + 1)
  }
  for (const session of sessions) if (session.lineage.parent === undefined) place(session, 0)
  for (const session of sessions) place(session, 0)
  return Array.from(placed, ([session, depth]) => ({ session, depth }))
}

function summaryOf({ name, totals, problems }: InspectedScenario): string {
  const flaws = problems.length === 0 ? '' : `, ${count(problems.length, 'problem')}`
  return fit(`${name}: ${describeTotals(totals)}${flaws}`)
}

/** Sums in words. */
export function describeTotals(totals: InspectedTotals): string {
  const { inputTokens, outputTokens, cacheReadTokens } = totals.usage
  const cached = cacheReadTokens === 0 ? '' : ` (and ${cacheReadTokens} from cache)`
  return [
    count(totals.sessions, 'session'),
    count(totals.turns, 'turn'),
    count(totals.modelCalls, 'model call'),
    count(totals.toolCalls, 'tool call'),
    `tokens ${inputTokens} in${cached}, ${outputTokens} out`,
    count(totals.errors, 'error'),
  ].join(', ')
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** A problem as lines that begin with its place. */
export function problemLines({ file, line, column, message }: InspectedProblem): string[] {
  const place = [file, line, column].filter(part => part !== undefined).join(':')
  return `${place}: ${message}`.split('\n').map(printable)
}
