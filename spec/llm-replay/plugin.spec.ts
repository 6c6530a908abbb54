import path from 'node:path'
import PlainLoader from '@cordisjs/plugin-loader'
import { Context } from '@deepseek-ai/cordis'
import Loader from '@deepseek-ai/cordis-plugin-loader'
import LlmRuntime, { LlmAdapter, type StreamChunk as HarnessChunk } from '@deepseek-ai/dsh-llm'
import { describe, expect, it } from 'vitest'
import * as LlmReplay from '../../src/llm-replay/index.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { logText } from './files.ts'
import { harness, request } from './harness.ts'
import { Context as PlainContext, plainKernel, tinyLlm } from './plain-kernel.ts'
import { textOf, turn } from './scripts.ts'

/** What both kernels have that these tests use. */
interface Kernel {
  readonly llm: { stream(request: unknown): AsyncIterable<{ readonly type: string }> }
  readonly loader: {
    readonly builtins: Record<string, unknown>
    create(entry: { readonly name: string; readonly config?: unknown }): Promise<string>
    remove(id: string): void
    await(): Promise<unknown>
    unwrapExports(module: unknown): unknown
  }
  plugin(plugin: unknown, config?: unknown): PromiseLike<unknown> & { dispose(): unknown }
  on(event: string, listener: (request: unknown, next: () => unknown) => unknown, options: object): unknown
}

const kernels = [
  ['the harness kernel', (): unknown => new Context(), Loader, LlmRuntime],
  ['the plain kernel', (): unknown => new PlainContext(), PlainLoader, tinyLlm],
] as const

const recorded = (...texts: string[]): { file: string } => ({
  file: path.join(tempFolder({ 'session.jsonl': logText(texts) }), 'session.jsonl'),
})

describe('the module', () => {
  it('has a plugin’s names, and no default export', () => {
    expect(LlmReplay).toMatchObject({
      name: 'llm-replay',
      inject: ['llm'],
      apply: expect.any(Function) as unknown,
    })
    expect(LlmReplay.Config.parse(undefined)).toEqual({})
    expect('default' in LlmReplay).toBe(false)
  })

  it('has what a script of its own needs', () => {
    expect(Object.keys(LlmReplay)).toEqual(
      expect.arrayContaining([
        'installLlmReplay',
        'loadSessionScripts',
        'loadReplayScript',
        'deriveReplayScript',
        'parseSessionLog',
        'parseSessionHeader',
        'resolveScriptedEntry',
      ]),
    )
  })
})

describe.each(kernels)('the plugin in %s', (_kernel, newContext, loaderPlugin, llm) => {
  async function loaded(plugins: Readonly<Record<string, unknown>> = {}): Promise<Kernel> {
    const ctx = newContext() as Kernel
    await ctx.plugin(loaderPlugin)
    Object.assign(ctx.loader.builtins, { llm, 'llm-replay': LlmReplay, ...plugins })
    return ctx
  }
  const call = async (ctx: Kernel): Promise<string> => await textOf(ctx.llm.stream(request()))
  /** The harness ends an unanswered call with an error finish; the tiny runtime throws. */
  const callUnanswered = async (ctx: Kernel): Promise<string> => await call(ctx).catch(() => '')

  it('runs for as long as it is mounted', async () => {
    const ctx = newContext() as Kernel
    await ctx.plugin(llm)
    const fiber = ctx.plugin(LlmReplay, recorded('one', 'two'))
    await fiber
    expect(await call(ctx)).toBe('one')
    await fiber.dispose()
    expect(await callUnanswered(ctx)).toBe('')
    const again = ctx.plugin(LlmReplay, recorded('one again'))
    await again
    expect(await call(ctx)).toBe('one again')
  })

  it('waits for llm', async () => {
    const ctx = newContext() as Kernel
    const fiber = ctx.plugin(LlmReplay, recorded('one'))
    await ctx.plugin(llm)
    await fiber
    expect(await call(ctx)).toBe('one')
  })

  it('is what a Loader makes of the module', async () => {
    const ctx = await loaded()
    expect(ctx.loader.unwrapExports(LlmReplay)).toBe(LlmReplay)
    // In this order, so that only `inject` makes it wait.
    const id = await ctx.loader.create({ name: 'cordis:llm-replay', config: recorded('one', 'two') })
    await ctx.loader.create({ name: 'cordis:llm' })
    await ctx.loader.await()
    expect(await call(ctx)).toBe('one')
    ctx.loader.remove(id)
    await ctx.loader.await()
    expect(await callUnanswered(ctx)).toBe('')
  })

  it('lets whoever listens later in the list see the call first', async () => {
    const order: string[] = []
    const listener = (name: string) => ({
      name,
      inject: ['llm'],
      async apply(inner: Kernel) {
        await new Promise(resolve => setTimeout(resolve, 5))
        inner.on(
          'llm/stream',
          (_request, next) => {
            order.push(name)
            return next()
          },
          { global: true },
        )
      },
    })
    const ctx = await loaded({ early: listener('early'), late: listener('late') })
    const names = ['cordis:llm', 'cordis:early', 'cordis:llm-replay', 'cordis:late']
    const configs = { 'cordis:llm-replay': recorded('one', 'two', 'three') } as Record<string, object>
    await Promise.all(names.map(name => ctx.loader.create({ name, config: configs[name] })))
    await ctx.loader.await()
    expect(await call(ctx)).toBe('one')
    expect(order).toEqual(['early', 'late'])
  })

  it('answers while other entries are still starting: no call goes on to a provider', async () => {
    const slow = Promise.withResolvers<undefined>()
    const ctx = await loaded({ slow: { name: 'slow', apply: () => slow.promise } })
    const reached: unknown[] = []
    await ctx.loader.create({ name: 'cordis:llm' })
    await ctx.loader.create({ name: 'cordis:slow' })
    await ctx.loader.create({ name: 'cordis:llm-replay', config: recorded('one', 'two') })
    await new Promise(resolve => setTimeout(resolve, 20))
    ctx.on('llm/stream', request => [reached.push(request)], { global: true })
    expect(await call(ctx)).toBe('one')
    slow.resolve(undefined)
    await ctx.loader.await()
    expect(reached).toEqual([])
  })

  it('is gone for good when it is removed while others are starting', async () => {
    const slow = Promise.withResolvers<undefined>()
    const ctx = await loaded({ slow: { name: 'slow', apply: () => slow.promise } })
    await ctx.loader.create({ name: 'cordis:llm' })
    await ctx.loader.create({ name: 'cordis:slow' })
    const id = await ctx.loader.create({ name: 'cordis:llm-replay', config: recorded('one', 'two') })
    await turn()
    expect(await call(ctx)).toBe('one')
    ctx.loader.remove(id)
    await turn()
    slow.resolve(undefined)
    await ctx.loader.await()
    await turn()
    expect(await callUnanswered(ctx)).toBe('')
  })

  it('answers on when an entry is added to a composition that has settled', async () => {
    const ctx = await loaded({ more: { name: 'more', apply: () => undefined } })
    await ctx.loader.create({ name: 'cordis:llm' })
    await ctx.loader.create({ name: 'cordis:llm-replay', config: recorded('one', 'two') })
    await ctx.loader.await()
    expect(await call(ctx)).toBe('one')
    const added = ctx.loader.create({ name: 'cordis:more' })
    expect(await call(ctx)).toBe('two')
    await added
  })
})

describe('the plugin', () => {
  it('registers the routes of its catalogue at once, for whoever asks while the rest starts', async () => {
    const ctx = await harness()
    await ctx.plugin(LlmReplay, { ...recorded('one'), providers: [{ id: 'acme', models: [] }] })
    const prepared = await ctx.llm.prepareCall({ provider: 'acme', model: 'm-1' })
    expect(await textOf(prepared.stream(request()))).toBe('one')
  })

  it('takes its routes back from a model runtime that does not do so itself', async () => {
    const registered = new Set<string>()
    const registerAdapter = (routes: readonly string[]) => {
      for (const route of routes) registered.add(route)
      return () => {
        for (const route of routes) registered.delete(route)
      }
    }
    const ctx = new PlainContext()
    ctx.provide('llm', { registerAdapter })
    const fiber = ctx.plugin(LlmReplay, { ...recorded('one'), providers: [{ id: 'acme', models: [] }] })
    await fiber
    expect([...registered]).toEqual(['acme'])
    await fiber.dispose()
    expect([...registered]).toEqual([])
  })

  it('is refused a config that is wrong, with the place', async () => {
    const ctx = await plainKernel()
    const config = { ...recorded('one'), paceMs: -1 }
    await expect((async () => await ctx.plugin(LlmReplay, config))()).rejects.toThrow(
      /paceMs|number of milliseconds/,
    )
  })

  it('takes the place of no live adapter', async () => {
    const ctx = await harness()
    class Live extends LlmAdapter {
      stream(): AsyncIterable<HarnessChunk> {
        throw new Error('reached')
      }
    }
    ctx.llm.registerAdapter(['acme'], new Live())
    const config = { ...recorded('one'), providers: [{ id: 'acme', models: [] }] }
    await expect((async () => await ctx.plugin(LlmReplay, config))()).rejects.toMatchObject({
      code: 'DUPLICATE_ADAPTER',
    })
  })
})
