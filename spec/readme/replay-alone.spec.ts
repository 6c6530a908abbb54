import { Context } from '@deepseek-ai/cordis'
import LlmRuntime from '@deepseek-ai/dsh-llm'
import { expect, it } from 'vitest'
import { installLlmReplay } from 'acp-snapshot/llm-replay'

it('answers a model call from a recorded log', async () => {
  const ctx = new Context()
  await ctx.plugin(LlmRuntime)
  const replay = installLlmReplay(ctx, { file: 'fixtures/scenarios/text-turn/session.jsonl' })
  const texts: string[] = []
  for await (const chunk of ctx.llm.stream({ provider: 'any', model: 'any', messages: [] })) {
    if (chunk.type === 'text-delta') texts.push(chunk.text)
  }
  expect(texts.join('')).toBe('Reykjavik')
  replay.assertConsumed()
  replay.dispose()
})
