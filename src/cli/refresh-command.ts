import path from 'node:path'

import { counted } from '../counted.ts'
import { pinsFirst } from '../fixtures/pins-first.ts'
import { findComposition, loadScenario } from '../fixtures/index.ts'
import { prepareRefresh } from '../fixtures/refresh-scenario.ts'
import type { FileChange } from '../fixtures/writing/changed-files.ts'
import type { FixturePlan } from '../fixtures/writing/plan-fixture.ts'
import { finishInterrupted } from '../fixtures/writing/finish-interrupted.ts'
import { writeTogether } from '../fixtures/writing/write-together.ts'
import { printable, printableJson } from '../printable.ts'
import type { NormalizationRule } from '../transcript/index.ts'
import { errorFacts } from './describe-error.ts'
import { selectScenarios } from './select-scenarios.ts'

/** What `refresh` is called with. */
export interface RefreshCommand {
  /** Folders, and names of scenarios in them. */
  readonly scenarios: readonly string[]
  readonly composition?: string
  readonly rules?: readonly NormalizationRule[]
  /** Whether to write without asking. */
  readonly yes: boolean
  /** Of one scenario's report. */
  readonly maxLines?: number
  readonly json: boolean
  readonly signal: AbortSignal | undefined
  /** Asks whoever sits before the terminal; absent where nobody does. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined
}

/** How the refresh of one scenario came out. */
interface Outcome {
  readonly scenario: string
  readonly folder: string
  readonly result: 'unchanged' | 'changed' | 'failed'
  /** What changes; nothing where the refresh failed. */
  readonly changes: readonly FileChange[]
  /** What the run does otherwise than recorded. */
  readonly report: string
  /** Absent where the refresh failed. */
  readonly plan?: FixturePlan
  readonly error?: { readonly code: string; readonly message: string }
}

/**
 * Replays scenarios, those that keep pins for others first, shows what changes, and writes it where that is wanted. Gives
 * the exit code: 0 where all fixtures are as they ought to be then.
 */
export async function refreshCommand(
  command: RefreshCommand,
  print: (line: string) => void,
): Promise<number> {
  const say = command.json ? () => undefined : print
  const outcomes: Outcome[] = []
  const sidecars = new Map<string, string>()
  for (const folder of await pinsFirst(await selectScenarios(command.scenarios))) {
    const outcome = await prepareOne(folder, command, sidecars)
    outcomes.push(outcome)
    printOutcome(outcome, command, say)
    for (const [name, text] of outcome.plan?.files ?? []) {
      if (text !== null) sidecars.set(path.join(folder, name), text)
    }
  }
  const changed = outcomes.filter(({ result }) => result === 'changed')
  const failed = outcomes.filter(({ result }) => result === 'failed')
  const wanted = changed.length > 0 && (await isWanted(changed, command, say))
  for (const { plan } of wanted ? changed : []) {
    command.signal?.throwIfAborted()
    if (plan !== undefined) await writeTogether(plan.folder, plan.files)
  }
  const written = wanted ? changed.length : 0
  if (command.json) {
    const scenarios = outcomes.map(({ plan: _, ...outcome }) => ({
      ...outcome,
      written: wanted && outcome.result === 'changed',
    }))
    const ok = failed.length === 0 && written === changed.length
    print(printableJson(JSON.stringify({ ok, written, scenarios }, null, 2)))
  } else {
    const unchanged = outcomes.length - changed.length - failed.length
    print(
      `${written} of ${outcomes.length} scenarios refreshed, ${unchanged} unchanged, ${failed.length} failed`,
    )
  }
  return failed.length === 0 && written === changed.length ? 0 : 1
}

async function prepareOne(
  folder: string,
  { composition, rules, signal }: RefreshCommand,
  sidecars: ReadonlyMap<string, string>,
): Promise<Outcome> {
  const facts = { scenario: path.basename(folder), folder }
  try {
    await finishInterrupted(folder)
    const { refresh, plan } = await prepareRefresh(
      {
        scenario: folder,
        composition: await findComposition(await loadScenario(folder, 'record'), composition),
        ...(rules === undefined ? {} : { rules }),
        ...(signal === undefined ? {} : { signal }),
      },
      sidecars,
    )
    const { changes, report } = refresh
    return { ...facts, result: changes.length === 0 ? 'unchanged' : 'changed', changes, report, plan }
  } catch (error) {
    signal?.throwIfAborted()
    return { ...facts, result: 'failed', changes: [], report: '', error: errorFacts(error) }
  }
}

async function isWanted(
  changed: readonly Outcome[],
  { yes, ask }: RefreshCommand,
  say: (line: string) => void,
): Promise<boolean> {
  if (yes) return true
  const files = changed.reduce((sum, { changes }) => sum + changes.length, 0)
  const what = `${counted(files, 'file')} of ${changed.map(({ scenario }) => scenario).join(', ')}`
  if (ask !== undefined && (await ask(`Write ${what}?`))) return true
  say(`nothing was written${ask === undefined ? `: pass --yes to write ${what}` : ''}`)
  return false
}

function printOutcome(
  { scenario, result, changes, report, error }: Outcome,
  { maxLines = Infinity }: RefreshCommand,
  print: (line: string) => void,
): void {
  const marks = { unchanged: 'same', changed: 'new ', failed: 'FAIL' }
  print(`${marks[result]} ${scenario}`)
  if (error !== undefined) print(error.message.replace(/^/gm, '     '))
  for (const change of changes) print(printable(`     ${changeWords(change)}`))
  const lines = changes.length === 0 || report === '' ? [] : report.split('\n')
  for (const line of lines.slice(0, maxLines)) print(`     ${line}`)
}

function changeWords({ file, kind, events }: FileChange): string {
  if (events === undefined) return `${file}: ${kind}`
  const { added, removed } = events
  const what = added + removed === 0 ? 'only its form' : `${counted(added, 'event')} new, ${removed} gone`
  return `${file}: ${kind}, ${what}`
}
