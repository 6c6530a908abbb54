import path from 'node:path'

import { runScenario, type RunScenarioOptions, type ScenarioRun } from '../../src/index.ts'
import { prompts, type answers } from '../support/model-answers.ts'
import { root } from '../support/paths.ts'

/** The agent on plain Cordis. */
export const plainComposition = path.join(root, 'fixtures/compositions/plain-cordis/cordis.yml')

/** What that agent does when its model answers a prompt with this. */
export function askPlain(
  replay: readonly ReturnType<typeof answers>[],
  options: Partial<RunScenarioOptions> = {},
): Promise<ScenarioRun> {
  const scenario = { steps: prompts('Hello?'), replay }
  return runScenario({ composition: plainComposition, scenario, ...options })
}
