import { describe, expect, it } from 'vitest'
import { installLlmReplay } from '../../src/llm-replay/index.ts'
import { cut } from './logs.ts'
import { plainKernel } from './plain-kernel.ts'
import { answers, chunksOf, script, textOf, turn } from './scripts.ts'

const request = { provider: 'acme', model: 'm-1', messages: [], sessionId: 'a' }

describe('installLlmReplay in the plain kernel, with a model runtime that has no adapters', () => {
  it('answers, and asks for no more of the runtime than it has', async () => {
    const ctx = await plainKernel()
    const replay = installLlmReplay(ctx, {
      scripts: [answers('one')],
      routes: ['acme'],
      providers: [{ id: 'listed', models: [] }],
    })
    expect(await textOf(ctx.llm.stream(request))).toBe('one')
    replay.assertConsumed()
  })

  it('starts anew when installed again, and leaves nothing behind', async () => {
    const ctx = await plainKernel()
    const called: string[] = []
    for (const round of ['first', 'second']) {
      const replay = installLlmReplay(ctx, { scripts: [answers('one')], onCall: () => called.push(round) })
      expect(await textOf(ctx.llm.stream(request))).toBe('one')
      replay.dispose()
      replay.dispose()
    }
    expect(called).toEqual(['first', 'second'])
    expect(() => ctx.llm.stream(request)).toThrow('the provider was reached')
  })

  it('ends a throw entry with an error finish', async () => {
    const ctx = await plainKernel()
    installLlmReplay(ctx, {
      scripts: [script([{ kind: 'throw', chunks: cut, message: 'no key', code: 'AUTH' }])],
    })
    expect(await chunksOf(ctx.llm.stream(request))).toEqual([
      ...cut,
      { type: 'finish', reason: { kind: 'error', failure: { message: 'no key', code: 'AUTH' } } },
    ])
  })

  it('ends a hang with the abort', async () => {
    const ctx = await plainKernel()
    installLlmReplay(ctx, { scripts: [script([{ kind: 'hang' }])] })
    const controller = new AbortController()
    const read = chunksOf(ctx.llm.stream({ ...request, signal: controller.signal })).catch(
      (error: unknown) => error,
    )
    await turn()
    controller.abort('stop')
    expect(await read).toBe('stop')
  })
})
