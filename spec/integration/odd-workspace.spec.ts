import { readdirSync } from 'node:fs'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { slot } from '../../src/host/in-process/scope.ts'
import { runScenario } from '../../src/index.ts'
import { answers, bash, prompts } from '../support/model-answers.ts'
import { dshComposition } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { problemOf } from '../support/thrown.ts'

describe('what the shell of an agent leaves in place of its working directory, or in it,', () => {
  // A process keeps the folder that it made for its first run.
  const before = slot.realRoot
  beforeEach(() => {
    slot.realRoot = undefined
  })
  afterEach(() => {
    slot.realRoot = before
    vi.unstubAllEnvs()
  })

  it.each([
    ['a link', 'cd ..; mv workspace moved; ln -s "$OUTSIDE" workspace', 'ISOLATION', 'is now a link'],
    ['a file', 'cd ..; rm -rf workspace; touch workspace', 'ISOLATION', 'is now a file'],
    ['a name that is no text', `touch "$(printf 'a\\377b')"`, 'STEP_FAILED', 'its name is not UTF-8'],
    ['a huge file', 'truncate -s 3G big', 'STEP_FAILED', '/workspace/big: this file has 3221225472 bytes'],
    [
      'a deep tree',
      `p=${'d/'.repeat(300)}; for _ in $(seq 10); do mkdir -p $p && cd $p; done; echo x > f`,
      'STEP_FAILED',
      'ENAMETOOLONG',
    ],
  ] as const)(
    '%s: is refused in a sentence, and nothing is left behind',
    async (_what, command, code, problem) => {
      const outside = tempFolder({ 'key.txt': 'secret' })
      const temp = tempFolder()
      vi.stubEnv('TMPDIR', temp)
      const error = await problemOf(() =>
        runScenario({
          composition: dshComposition,
          env: { OUTSIDE: outside },
          scenario: {
            steps: prompts('Do it.'),
            replay: [answers(bash(command)), answers({ text: 'Done.' })],
          },
        }),
      )
      expect(error.code).toBe(code)
      expect(error.message).toContain(problem)
      expect(readdirSync(outside)).toEqual(['key.txt'])
      expect(readdirSync(temp)).toEqual([])
    },
  )
})
