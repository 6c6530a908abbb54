import { describe, expect, it } from 'vitest'

import { runScenario } from '../../src/index.ts'
import { answers, bash, prompts } from '../support/model-answers.ts'
import { dshComposition } from '../support/paths.ts'

describe('two runs of one scenario', () => {
  it.each(['disk', 'memory'] as const)('say the same of their world (workspace: %s)', async workspace => {
    const look = bash('env | sort; pwd; ls -la "$HOME" "$TMPDIR" | wc -l')
    const find = { tool: 'read', args: { file_path: 'missing.txt' } }
    const run = () =>
      runScenario({
        composition: dshComposition,
        workspace,
        scenario: {
          steps: prompts('Look around.'),
          replay: [answers(workspace === 'disk' ? look : find), answers({ text: 'Seen.' })],
        },
      })
    const [first, second] = [await run(), await run()]
    expect(second.transcript.stdout).toBe(first.transcript.stdout)
    expect(second.transcript.sessions[0]?.text).toBe(first.transcript.sessions[0]?.text)
    if (workspace === 'disk') {
      expect(first.transcript.sessions[0]?.text).toContain('HOME={{home}}\\n')
      expect(first.transcript.sessions[0]?.text).toContain('PWD={{cwd}}\\n')
      expect(first.transcript.sessions[0]?.text).toContain('TMPDIR={{tmp}}\\n')
    }
  })
})
