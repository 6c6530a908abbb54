import { Context } from '@deepseek-ai/cordis'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { storedLineage } from '../../src/llm-replay/live-sessions.ts'
import { eventsOf, userRow } from './conversation.ts'
import { plainKernel } from './plain-kernel.ts'

const prompt = (text: string) =>
  createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } })

describe('storedLineage', () => {
  it("reads what the harness's own store says of a session, as it is now", async () => {
    const ctx = new Context()
    await ctx.plugin(SessionStore)
    const session = ctx.sessions.create(SessionId('child'), {
      meta: { parentSession: SessionId('p'), cwd: '/run/cwd' },
    })
    expect(storedLineage(ctx, 'child')).toEqual({ parent: 'p', cwd: '/run/cwd' })
    session.append('user/message', prompt('Name a sea.'), { surfaceOp: 'append' })
    expect(storedLineage(ctx, 'child')).toEqual({ parent: 'p', cwd: '/run/cwd', prompt: 'Name a sea.' })
    expect(storedLineage(ctx, 'other')).toBeUndefined()
  })

  it("reads a fork's own prompt", async () => {
    const ctx = new Context()
    await ctx.plugin(SessionStore)
    const parent = ctx.sessions.create(SessionId('parent'))
    parent.append('user/message', prompt('old'), { surfaceOp: 'append' })
    const fork = ctx.sessions.fork(parent, undefined, SessionId('fork'))
    fork.append('user/message', prompt('new'), { surfaceOp: 'append' })
    expect(storedLineage(ctx, 'fork')).toEqual({ parent: 'parent', prompt: 'new' })
  })

  it('finds a store that starts later', async () => {
    const ctx = new Context()
    expect(storedLineage(ctx, 'a')).toBeUndefined()
    await ctx.plugin(SessionStore)
    ctx.sessions.create(SessionId('a'))
    expect(storedLineage(ctx, 'a')).toEqual({})
  })

  it('knows nothing where there is no store, in either kernel or none', async () => {
    expect(storedLineage(new Context(), 'a')).toBeUndefined()
    expect(storedLineage(await plainKernel(), 'a')).toBeUndefined()
    expect(storedLineage({}, 'a')).toBeUndefined()
  })

  it('takes any store of that shape', async () => {
    const ctx = await plainKernel()
    const session = { header: { parentSession: 'p' }, events: eventsOf([userRow('a')]) }
    ctx.provide('sessions', new Map([['a', session]]))
    expect(storedLineage(ctx, 'a')).toEqual({ parent: 'p', prompt: 'a' })
    expect(storedLineage(ctx, 'b')).toBeUndefined()
  })

  it.each([
    ['no method to look one up', {}],
    ['something else under the id', new Map([['a', 'b']])],
    ['null under the id', new Map([['a', null]])],
    ['sessions without a header', new Map([['a', { events: [] }]])],
    ['sessions whose header is null', new Map([['a', { header: null, events: [] }]])],
    ['sessions whose header is a text', new Map([['a', { header: 'x', events: [] }]])],
    ['sessions without events', new Map([['a', { header: {} }]])],
  ])('knows nothing where the service of that name is another: %s', async (_what, service) => {
    const ctx = await plainKernel()
    ctx.provide('sessions', service)
    expect(storedLineage(ctx, 'a')).toBeUndefined()
  })
})
