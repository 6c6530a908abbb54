import type { Context } from '@deepseek-ai/cordis'
import type { LlmAdapter } from '@deepseek-ai/dsh-llm'
import { describe, expect, it } from 'vitest'
import { installLlmReplay, type ModelRequest, type ReplayProviderConfig } from '../../src/llm-replay/index.ts'
import { replayAdapter } from '../../src/llm-replay/replay-adapter.ts'
import { harness, request } from './harness.ts'
import { answer } from './logs.ts'
import { answers, textOf } from './scripts.ts'

const catalogue: readonly ReplayProviderConfig[] = [
  {
    id: 'acme',
    name: 'Acme',
    retryPolicy: { mode: 'always', backoff: { initialDelayMs: 1, maxDelayMs: 2, jitterRatio: 0 } },
    models: [
      {
        id: 'm-1',
        name: 'Model One',
        description: 'the first',
        contextWindow: 8_000,
        maxTokens: 500,
        inputModalities: ['text', 'image'],
        reasoning: {
          efforts: [
            { id: 'low', name: 'Low' },
            { id: 'high', name: 'High', description: 'thinks longer' },
          ],
          defaultEffort: 'high',
        },
      },
      { id: 'm-2' },
    ],
  },
  { id: 'bare', models: [] },
]

async function installed(): Promise<Context> {
  const ctx = await harness()
  installLlmReplay(ctx, { scripts: [answers('one')], providers: catalogue })
  return ctx
}

describe('the catalogue, as the harness reads it', () => {
  it('lists the providers', async () => {
    const ctx = await installed()
    expect(ctx.llm.listProviders()).toEqual([
      { id: 'acme', name: 'Acme' },
      { id: 'bare', name: 'bare' },
    ])
  })

  it('lists the models of a provider', async () => {
    const ctx = await installed()
    expect(await ctx.llm.listModels('acme')).toStrictEqual([
      {
        provider: 'acme',
        id: 'm-1',
        name: 'Model One',
        description: 'the first',
        inputModalities: ['text', 'image'],
      },
      { provider: 'acme', id: 'm-2', name: 'm-2' },
    ])
    expect(await ctx.llm.listModels('bare')).toEqual([])
  })

  it('has the facts of a model', async () => {
    const ctx = await installed()
    expect(await ctx.llm.resolveModelInfo('acme', 'm-1')).toStrictEqual({
      provider: 'acme',
      id: 'm-1',
      name: 'Model One',
      description: 'the first',
      inputModalities: ['text', 'image'],
      context: { contextWindow: 8_000 },
      defaultMaxTokens: 500,
      reasoning: catalogue[0]?.models[0]?.reasoning,
    })
    expect(await ctx.llm.resolveModelInfo('acme', 'm-2')).toStrictEqual({
      provider: 'acme',
      id: 'm-2',
      name: 'm-2',
    })
  })

  it('is advice: a model that it lacks is served without facts', async () => {
    const ctx = await installed()
    for (const provider of ['acme', 'bare']) {
      expect(await ctx.llm.resolveModelInfo(provider, 'm-9')).toStrictEqual({
        provider,
        id: 'm-9',
        name: 'm-9',
      })
    }
  })

  it('has the retry policy of a provider', async () => {
    const ctx = await installed()
    const policy = { mode: 'always', initialDelayMs: 1, maxDelayMs: 2, jitterRatio: 0 }
    expect(ctx.llm.providerRetryPolicy('acme')).toEqual(policy)
    expect(ctx.llm.providerRetryPolicy('bare')).toMatchObject({ mode: 'normal', maxRetries: 5 })
  })

  it('gives a prepared call its defaults', async () => {
    const ctx = await installed()
    const prepared = await ctx.llm.prepareCall({ provider: 'acme', model: 'm-1' })
    expect(prepared.config).toEqual({
      provider: 'acme',
      model: 'm-1',
      maxTokens: 500,
      reasoningEffort: 'high',
    })
    expect(prepared.adapterDefaults).toEqual({ maxTokens: true, reasoningEffort: true })
    expect(await textOf(prepared.stream({ ...request(), ...prepared.config }))).toBe('one')
  })
})

describe('the adapter alone', () => {
  it('streams what it is given, by the way of the harness', async () => {
    const ctx = await harness()
    const asked: ModelRequest[] = []
    const adapter = replayAdapter(catalogue, async function* (request) {
      asked.push(request)
      await Promise.resolve()
      yield* answer('direct')
    })
    ctx.llm.registerAdapter(['bare', 'unlisted'], adapter as unknown as LlmAdapter)
    for (const provider of ['bare', 'unlisted']) {
      const prepared = await ctx.llm.prepareCall({ provider, model: 'm-1' })
      expect(await textOf(prepared.stream(request({ provider })))).toBe('direct')
      expect(await ctx.llm.listModels(provider)).toEqual([])
    }
    expect(asked.map(({ provider }) => provider)).toEqual(['bare', 'unlisted'])
  })
})

describe('what recordings tell of a model', () => {
  const recorded = [
    {
      id: 'acme',
      models: [
        { id: 'm-1', contextWindow: 1, maxTokens: 2 },
        { id: 'm-2', contextWindow: 3, maxTokens: undefined },
      ],
    },
    { id: 'other', models: [{ id: 'm-9', maxTokens: 4 }] },
  ]
  const stream = (): never => expect.fail('nobody asks')
  const adapter = replayAdapter(catalogue, stream, recorded)

  it('fills in what the catalogue leaves open', async () => {
    expect(await adapter.resolveModel('acme', 'm-2')).toEqual({
      provider: 'acme',
      id: 'm-2',
      name: 'm-2',
      context: { contextWindow: 3 },
    })
    expect(await adapter.resolveModel('other', 'm-9')).toMatchObject({ id: 'm-9', defaultMaxTokens: 4 })
    expect(await adapter.resolveModel('other', 'm-1')).toEqual({ provider: 'other', id: 'm-1', name: 'm-1' })
  })

  it('gives way to the catalogue', async () => {
    expect(await adapter.resolveModel('acme', 'm-1')).toMatchObject({
      context: { contextWindow: 8_000 },
      defaultMaxTokens: 500,
    })
  })
})
