import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { SnapshotError } from '../../src/errors.ts'
import { replayContext } from '../../src/llm-replay/cordis-context.ts'
import { harness } from './harness.ts'
import { Context as PlainContext } from './plain-kernel.ts'
import { thrown } from '../support/thrown.ts'

const noLlm = {
  code: 'USAGE',
  message:
    'installLlmReplay was given a context that has no llm service. Mount the model runtime first, or inject "llm".',
}

describe('replayContext', () => {
  it('takes a real context with a model runtime', async () => {
    const ctx = await harness()
    expect(replayContext(ctx)).toBe(ctx)
  })

  it('refuses what is no context', () => {
    expect(thrown(() => replayContext({ llm: {} }))).toMatchObject({
      code: 'USAGE',
      message: 'installLlmReplay was given no Cordis context: it has no on(). Pass the context.',
    })
  })

  it.each([
    ['the harness kernel', new Context()],
    ['the plain kernel', new PlainContext()],
    ['a look-alike', { on: () => undefined, llm: null }],
  ])('refuses a context without llm: %s', (_what, ctx) => {
    expect(thrown(() => replayContext(ctx))).toMatchObject(noLlm)
  })

  it('refuses the context of a plugin that does not inject it, and keeps what the kernel says', async () => {
    const ctx = new Context()
    const refused = Promise.withResolvers<SnapshotError>()
    await ctx.plugin({ apply: (inner: Context) => refused.resolve(thrown(() => replayContext(inner))) })
    const error = await refused.promise
    expect(error).toMatchObject(noLlm)
    expect(error.cause).toMatchObject({ message: 'cannot get property "llm" without inject' })
  })
})
