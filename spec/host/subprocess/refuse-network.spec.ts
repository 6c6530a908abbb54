import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { runScenario } from '../../../src/index.ts'
import { answers, prompts } from '../../support/model-answers.ts'
import { dshComposition } from '../../support/paths.ts'
import { tempFolder } from '../../support/temp-folder.ts'

describe('the network in a process of its own', () => {
  it('is refused in a replay, and the caller is named', async () => {
    const folder = tempFolder({
      'caller.mjs': `
        import { lookup } from 'node:dns/promises'
        export const name = 'caller'
        export async function apply() {
          for (const reach of [() => fetch('http://127.0.0.1:65000/'), () => lookup('localhost')])
            await reach().then(() => console.error('reached'), error => console.error('not reached', error.cause?.code ?? error.code))
        }
      `,
    })
    const run = await runScenario({
      scenario: { steps: prompts('Hi'), replay: [answers({ text: 'Hello.' })] },
      composition: {
        config: dshComposition,
        patches: [{ insert: [{ id: 'caller', name: path.join(folder, 'caller.mjs') }] }],
      },
      host: 'subprocess',
    })
    expect(run.stderr).not.toMatch(/^reached/m)
    expect(run.stderr.match(/^not reached/gm)).toHaveLength(2)
    expect(run.stderr).toContain('the agent reaches for the network: connect(127.0.0.1:65000)')
    expect(run.stderr).toContain('the agent reaches for the network: lookup(localhost)')
    expect(run.stderr).toContain('caller.mjs')
  })
})
