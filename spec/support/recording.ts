import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { onTestFinished, vi } from 'vitest'

import { writeTogether } from '../../src/fixtures/writing/write-together.ts'
import type { ModelAnswer } from './model-server/model-answers-file.ts'
import { startModelServer, type ModelServer } from './model-server/start-model-server.ts'
import { bundledScenarios } from './paths.ts'
import { tempFolder } from './temp-folder.ts'
import { thrownBy } from './thrown.ts'

/** The key that the model of {@link modelWith} takes. */
export const modelKey = 'local-model-key'

/** A model that gives these answers while the test runs; the environment tells the agent of it. */
export async function modelWith(...answers: readonly ModelAnswer[]): Promise<ModelServer> {
  const server = await startModelServer(answers, { key: modelKey })
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await server[Symbol.asyncDispose]()
  })
  vi.stubEnv('DEEPSEEK_API_KEY', modelKey)
  vi.stubEnv('DEEPSEEK_BASE_URL', server.url)
  return server
}

/** A scenario's folder that a test may write in. */
export interface ScenarioFolder {
  readonly folder: string
  /** Text by name of the files directly in it. */
  readonly files: () => Record<string, string>
  readonly text: (name: string) => string
  readonly write: (name: string, content: string | object) => void
  readonly replace: (name: string, from: string | RegExp, to: string) => void
  /** When each file was last written, by name. */
  readonly times: () => Record<string, number>
}

/** A new scenario with these steps between `newSession` and the end. */
export function newScenario(name: string, steps: readonly object[], parent = tempFolder()): ScenarioFolder {
  const folder = path.join(parent, name)
  mkdirSync(folder)
  const scenario = scenarioIn(folder)
  scenario.write('input.json', { steps: [{ op: 'initialize' }, { op: 'newSession' }, ...steps] })
  return scenario
}

/** A copy of a bundled scenario, without its suite. */
export function copyOfBundled(name: string, parent = tempFolder()): ScenarioFolder {
  const folder = path.join(parent, name)
  cpSync(path.join(bundledScenarios, name), folder, { recursive: true })
  return scenarioIn(folder)
}

function scenarioIn(folder: string): ScenarioFolder {
  const at = (name: string): string => path.join(folder, name)
  const text = (name: string): string => readFileSync(at(name), 'utf8')
  const names = (): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isFile() ? [entry.name] : []))
  return {
    folder,
    text,
    files: () => Object.fromEntries(names().map(name => [name, text(name)])),
    write: (name, content) =>
      writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content, null, 2)),
    replace: (name, from, to) => writeFileSync(at(name), text(name).replace(from, to)),
    times: () => Object.fromEntries(names().map(name => [name, statSync(at(name)).mtimeMs])),
  }
}

/** Leaves a folder as a process does that is killed while it puts these files into place. */
export async function cutOff(folder: string, changes: ReadonlyMap<string, string>): Promise<void> {
  const killed = new Error('killed')
  const onStep = (step: string): void => {
    if (step === 'journal in place') throw killed
  }
  const error = await thrownBy(() => writeTogether(folder, changes, { onStep }))
  if (error !== killed) throw error
}
