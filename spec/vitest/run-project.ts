import { execFile } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { bundledScenarios, root } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** What a runner says of one test. */
export interface TestOutcome {
  readonly name: string
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly message: string
}

/** A project of a user's: a folder with a test file and copies of bundled scenarios. */
export function projectWith(test: string, scenarios: readonly string[]): string {
  const config = `
    import base from ${JSON.stringify(path.join(root, 'vitest.config.ts'))}
    export default { resolve: base.resolve, test: { include: ['*.test.ts'] } }`
  // Inside of the checkout, so that what it imports is found.
  const folder = tempFolder(
    { 'vitest.config.ts': config, 'suite.test.ts': test },
    path.join(root, 'spec'),
    'tmp-',
  )
  for (const name of scenarios) {
    cpSync(path.join(bundledScenarios, name), path.join(folder, 'scenarios', name), { recursive: true })
  }
  return folder
}

/** Runs the tests of a project with the runner's own command line. */
export async function runProject(folder: string, ...args: readonly string[]): Promise<TestOutcome[]> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const report = path.join(folder, 'report.json')
  await new Promise<void>(resolve =>
    execFile(
      process.execPath,
      [vitest, 'run', '--root', folder, '--reporter=json', `--outputFile=${report}`, ...args],
      { cwd: folder, env: { ...process.env, CI: '' } },
      () => resolve(),
    ),
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: {
      message: string
      assertionResults: { title: string; status: string; failureMessages: string[] }[]
    }[]
  }
  return testResults.flatMap(({ message, assertionResults }) =>
    assertionResults.length === 0
      ? [{ name: 'the file', status: 'failed' as const, message }]
      : assertionResults.map(({ title, status, failureMessages }) => ({
          name: title,
          status: status === 'passed' || status === 'failed' ? status : 'skipped',
          message: failureMessages.join('\n'),
        })),
  )
}
