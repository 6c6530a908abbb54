import { describe, expect, it } from 'vitest'

import { recordedCatalogue } from '../../src/llm-replay/recorded-models.ts'
import type { JsonObject, SessionLog } from '../../src/index.ts'

function log(...rows: [type: string, data: JsonObject][]): SessionLog {
  const header = { type: 'session', version: 0, id: 'x', createdAt: 0, delegationDepth: 0 } as const
  const events = rows.map(([type, data], seq) => ({ type, seq, time: 0, data }))
  return { file: '', header, headerLine: JSON.stringify(header), events }
}

const header = (config: JsonObject, adapterDefaults?: JsonObject): [string, JsonObject] => [
  'request/header',
  { header: { config, ...(adapterDefaults === undefined ? {} : { adapterDefaults }) }, reason: 'initial' },
]

const model = { provider: 'acme', model: 'm-1' }

describe('recordedCatalogue', () => {
  it('has what the adapter chose, and the room of the model', () => {
    const chosen = { maxTokens: true, reasoningEffort: true }
    const logs = [
      log(header({ ...model, maxTokens: 900, reasoningEffort: 'high' }, chosen), [
        'request/context',
        { ...model, contextWindow: 6000 },
      ]),
      log(
        header({ ...model, maxTokens: 5, reasoningEffort: 'low' }, chosen),
        ['request/context', { ...model, contextWindow: 7 }],
        ['request/context', { provider: 'acme', model: 'm-2', contextWindow: 8 }],
      ),
    ]
    expect(recordedCatalogue(logs)).toEqual([
      {
        id: 'acme',
        models: [
          {
            id: 'm-1',
            contextWindow: 6000,
            maxTokens: 900,
            reasoning: {
              efforts: [
                { id: 'high', name: 'high' },
                { id: 'low', name: 'low' },
              ],
              defaultEffort: 'high',
            },
          },
          { id: 'm-2', contextWindow: 8, maxTokens: undefined, reasoning: undefined },
        ],
      },
    ])
  })

  it('takes for no default what the agent has chosen itself', () => {
    expect(recordedCatalogue([log(header({ ...model, maxTokens: 900, reasoningEffort: 'max' }))])).toEqual([
      {
        id: 'acme',
        models: [
          {
            id: 'm-1',
            contextWindow: undefined,
            maxTokens: undefined,
            reasoning: { efforts: [{ id: 'max', name: 'max' }], defaultEffort: undefined },
          },
        ],
      },
    ])
  })

  it('is empty where logs tell of no model', () => {
    expect(
      recordedCatalogue([
        log(
          ['turn/start', { turn: 1 }],
          ['request/header', { reason: 'initial' }],
          ['request/context', { provider: 'acme' }],
          header({ model: 'm-1' }),
        ),
      ]),
    ).toEqual([])
  })
})
