import { describe, expect, it } from 'vitest'

import { runScenario } from '../../src/index.ts'
import { answers, prompts } from '../support/model-answers.ts'
import { dshComposition } from '../support/paths.ts'
import { modelKey, modelWith } from '../support/recording.ts'

describe('a recording in a process of its own', () => {
  it('has the provider answer, but for the calls that the override has an entry for', async () => {
    const server = await modelWith({ text: ['From the ', 'provider.'] })
    const run = await runScenario({
      composition: dshComposition,
      mode: 'record',
      host: 'subprocess',
      env: { DEEPSEEK_API_KEY: modelKey, DEEPSEEK_BASE_URL: server.url },
      scenario: {
        steps: prompts('One?', 'Two?'),
        replay: { patches: [{ at: 1, entry: answers({ text: 'From the override.' }) }] },
      },
    })
    expect(run.transcript.stdout).toContain('From the ')
    expect(run.transcript.stdout).toContain('From the override.')
    expect(run.modelCalls.map(({ script }) => script)).toEqual([undefined, 'session.jsonl'])
    expect(run.transcript.rawStdout).not.toContain(modelKey)
  })
})
