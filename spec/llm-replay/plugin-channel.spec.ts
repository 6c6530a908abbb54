import { Context } from '@deepseek-ai/cordis'
import Loader from '@deepseek-ai/cordis-plugin-loader'
import LlmRuntime from '@deepseek-ai/dsh-llm'
import { describe, expect, it, onTestFinished } from 'vitest'

import { channelVariable } from '../../src/channel/messages.ts'
import * as LlmReplay from '../../src/llm-replay/index.ts'
import type { StreamChunk } from '../../src/llm-replay/index.ts'
import { channelPair } from '../channel/channel-pair.ts'
import { request } from './harness.ts'

const stop: StreamChunk = { type: 'finish', reason: { kind: 'stop' } }

describe('the plugin in a process that a run has started', () => {
  it('has the run answer, and tells it of events, each time that it is mounted', async () => {
    const { setupFile, told, next } = await channelPair(
      async function* () {
        yield await Promise.resolve(stop)
      },
      { routes: ['acme'] },
    )
    process.env[channelVariable] = setupFile
    onTestFinished(() => void Reflect.deleteProperty(process.env, channelVariable))
    for (const drift of ['error', 'report'] as const) {
      const ctx = new Context()
      await ctx.plugin(Loader)
      ctx.loader.builtins.llm = LlmRuntime
      ctx.loader.builtins.replay = LlmReplay
      const configured = next('replay')
      await ctx.loader.create({ name: 'cordis:llm' })
      // Its files are not looked for: the run has them.
      await ctx.loader.create({ name: 'cordis:replay', config: { file: '/not/there', drift } })
      await ctx.loader.await()
      expect(await configured).toEqual({ type: 'replay', drift })
      const chunks: unknown[] = []
      for await (const chunk of ctx.llm.stream(request())) chunks.push(chunk)
      expect(chunks).toEqual([stop])
      const logged = next('event')
      const emit = ctx.emit.bind(ctx) as unknown as (event: string, session: object, logged: object) => void
      emit('session/event', { header: { id: 's1' } }, { type: 'turn/start', seq: 0, data: {} })
      await logged
      await ctx.fiber.dispose()
    }
    expect(process.env[channelVariable]).toBeUndefined()
    expect(told.filter(({ type }) => type === 'event')).toHaveLength(2)
  })
})
