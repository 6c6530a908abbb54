import type { InspectedFolder, LoggedSession } from '../inspect-folder.ts'
import type { InspectedProblem, InspectedScenario, InspectedTotals } from '../types.ts'
import { printable } from '../../printable.ts'
import { fit } from './fit.ts'
import { sessionLines } from './session-lines.ts'
import { counted } from '../../counted.ts'

/** A scenario as a timeline: its sessions, children after their parent and further in, then what they come to. */
export function* scenarioLines({ scenario, logged }: InspectedFolder): Generator<string> {
  yield fit(`${scenario.name}  ${scenario.steps.join(', ')}`)
  for (const [{ session, log }, depth] of inTree(logged)) {
    yield* sessionLines(session, log, '  '.repeat(depth + 1))
  }
  yield summaryOf(scenario)
}

/** Children after their parent, each with its depth; sessions that are each other's parents come as they are. */
function inTree(sessions: readonly LoggedSession[]): ReadonlyMap<LoggedSession, number> {
  const placed = new Map<LoggedSession, number>()
  const place = (logged: LoggedSession, depth: number): void => {
    if (placed.has(logged)) return
    placed.set(logged, depth)
    const { name } = logged.session
    for (const child of sessions) if (child.session.lineage.parent === name) place(child, depth + 1)
  }
  for (const logged of sessions) if (logged.session.lineage.parent === undefined) place(logged, 0)
  for (const logged of sessions) place(logged, 0)
  return placed
}

function summaryOf({ name, totals, problems }: InspectedScenario): string {
  const flaws = problems.length === 0 ? '' : `, ${counted(problems.length, 'problem')}`
  return printable(`${name}: ${describeTotals(totals)}${flaws}`)
}

/** Sums in words. */
export function describeTotals(totals: InspectedTotals): string {
  const { inputTokens, outputTokens, cacheReadTokens } = totals.usage
  const cached = cacheReadTokens === 0 ? '' : ` (and ${cacheReadTokens} from cache)`
  return [
    counted(totals.sessions, 'session'),
    counted(totals.turns, 'turn'),
    counted(totals.modelCalls, 'model call'),
    counted(totals.toolCalls, 'tool call'),
    `tokens ${inputTokens} in${cached}, ${outputTokens} out`,
    counted(totals.errors, 'error'),
  ].join(', ')
}

/** A problem as lines that begin with its place. */
export function problemLines({ file, line, column, message }: InspectedProblem): string[] {
  const place = [file, line, column].filter(part => part !== undefined).join(':')
  return `${place}: ${message}`.split('\n').map(printable)
}
