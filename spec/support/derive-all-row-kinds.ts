/**
 * Makes the scenario `all-row-kinds` out of another one: the same conversation on the same agent, but the model's
 * answers come in small deltas. Run it to write the scenario's files: `npx node spec/support/derive-all-row-kinds.ts`
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import {
  deriveReplayScript,
  loadScenario,
  runScenario,
  type CompositionOptions,
  type ScenarioRun,
} from '../../src/index.ts'
import { bundledScenarios, dshComposition } from './paths.ts'
import { inSmallDeltas } from './small-deltas.ts'

export const sourceScenario = path.join(bundledScenarios, 'read-and-edit')
export const derivedScenario = path.join(bundledScenarios, 'all-row-kinds')

const kept = ['input.json', 'facts.json', 'workspace/config.ini']

export interface DerivedScenario {
  /** The run that the files were made from. */
  readonly run: ScenarioRun
  /** Text by path within the scenario's folder. */
  readonly files: ReadonlyMap<string, string>
}

/** The files of `all-row-kinds`, made anew; nothing is written. */
export async function deriveAllRowKinds(composition: CompositionOptions): Promise<DerivedScenario> {
  const source = await loadScenario(sourceScenario)
  const sessions = source.sessions.map(session => ({
    ...session,
    override: inSmallDeltas(deriveReplayScript(session.log)),
  }))
  const run = await runScenario({ composition, scenario: { ...source, name: 'all-row-kinds', sessions } })
  const files = new Map(kept.map(name => [name, readFileSync(path.join(sourceScenario, name), 'utf8')]))
  files.set('stdout.expected.jsonl', run.transcript.stdout)
  for (const session of run.transcript.sessions) files.set(session.name, session.fixture)
  return { run, files }
}

async function writeFiles(): Promise<void> {
  const { files } = await deriveAllRowKinds({ config: dshComposition })
  rmSync(derivedScenario, { recursive: true, force: true })
  for (const [name, text] of files) {
    const file = path.join(derivedScenario, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

if (import.meta.main) await writeFiles()
