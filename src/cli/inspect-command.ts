import { findFolders, keptSuites } from '../inspect/inspect-corpus.ts'
import { inspectFolder } from '../inspect/inspect-folder.ts'
import {
  inspectCorpus,
  inspectScenario,
  type InspectedProblem,
  type InspectedTotals,
} from '../inspect/index.ts'
import { isScenario } from '../inspect/inspect-scenario.ts'
import { printableJson } from '../printable.ts'
import { describeTotals, problemLines, scenarioLines } from '../inspect/timeline/scenario-lines.ts'
import { counted } from '../counted.ts'
import { sumOf } from '../inspect/totals.ts'

/** What `inspect` is called with. */
export interface InspectCommand {
  /** A scenario's, or one above several. */
  readonly folder: string
  readonly json: boolean
  readonly signal: AbortSignal | undefined
}

/** Prints what scenarios hold, as a timeline or as one JSON document. Gives the exit code: 1 where any has problems. */
export async function inspectCommand(
  command: InspectCommand,
  print: (line: string) => void,
): Promise<number> {
  return command.json ? await printJson(command.folder, print) : await printTimelines(command, print)
}

async function printJson(folder: string, print: (line: string) => void): Promise<number> {
  if (await isScenario(folder)) {
    const scenario = await inspectScenario(folder)
    print(printableJson(JSON.stringify(scenario, null, 2)))
    return scenario.problems.length === 0 ? 0 : 1
  }
  const corpus = await inspectCorpus(folder)
  print(printableJson(JSON.stringify(corpus, null, 2)))
  return corpus.totals.problems === 0 ? 0 : 1
}

/** One scenario after the other: what has been printed need not be kept. */
async function printTimelines(
  { folder, signal }: InspectCommand,
  print: (line: string) => void,
): Promise<number> {
  const suites = keptSuites()
  const folders = await findFolders(folder, suites)
  const totals: InspectedTotals[] = []
  const problems: InspectedProblem[] = []
  for (const inner of folders) {
    signal?.throwIfAborted()
    const inspected = await inspectFolder(inner, suites)
    for (const line of scenarioLines(inspected)) print(line)
    print('')
    totals.push(inspected.scenario.totals)
    problems.push(...inspected.scenario.problems)
  }
  if (folders.length > 1) print(`${folders.length} scenarios: ${describeTotals(sumOf(totals))}`)
  if (problems.length === 0) return 0
  // What is wrong with a suite.json is a problem of each scenario beside it.
  const unique = [...new Set(problems.map(problem => problemLines(problem).join('\n  ')))]
  print(`${counted(unique.length, 'problem')}:`)
  for (const problem of unique) print(`  ${problem}`)
  return 1
}
