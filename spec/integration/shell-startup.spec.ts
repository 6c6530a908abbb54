import { execFileSync } from 'node:child_process'
import path from 'node:path'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { runScenario } from '../../src/index.ts'
import { answers, bash, prompts } from '../support/model-answers.ts'
import { dshComposition } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

describe("the user's shell start-up files", () => {
  afterEach(() => vi.unstubAllEnvs())

  it('are not read by the bash tool', async () => {
    const line = 'echo from-a-start-up-file\n'
    const home = tempFolder({ '.bashrc': line, '.profile': line, '.bash_profile': line, 'env.sh': line })
    vi.stubEnv('HOME', home)
    vi.stubEnv('BASH_ENV', path.join(home, 'env.sh'))
    vi.stubEnv('ENV', path.join(home, 'env.sh'))
    expect(execFileSync('bash', ['-c', 'true']).toString()).toBe('from-a-start-up-file\n')

    const run = await runScenario({
      composition: dshComposition,
      scenario: {
        name: 'shell',
        steps: prompts('Look around.'),
        replay: [
          answers(bash('echo "BASH_ENV=$BASH_ENV"; bash -lc true; bash -ic true; echo end')),
          answers({ text: 'Done.' }),
        ],
      },
    })
    const [primary] = run.transcript.sessions
    expect(primary?.text).toContain('BASH_ENV=\\n')
    expect(primary?.text).not.toContain('from-a-start-up-file')
  })
})
