import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { loadComposition, type CompositionOptions } from '../../../src/host/composition/composition.ts'
import { startInProcess } from '../../../src/host/in-process/in-process-host.ts'
import { compositionFolder } from '../support/composition-folder.ts'
import { startRun, type RunOptions } from '../support/start-run.ts'
import { problemOf, thrownBy } from '../../support/thrown.ts'

interface SpecContext {
  effect(run: () => () => unknown): void
  plugin(plugin: unknown): unknown
}

const fine = { name: 'fine', apply: () => undefined }

/** The error of a composition that can't be mounted. */
const failure = (text: string, modules: CompositionOptions['modules'] = {}, options: RunOptions = {}) =>
  problemOf(async () => {
    const config = path.join(compositionFolder({ 'cordis.yml': text }), 'cordis.yml')
    // eslint-disable-next-line @typescript-eslint/no-unused-vars -- disposed at the end of the block
    await using _host = await startInProcess({
      composition: await loadComposition({ config, modules }, 'replay'),
      name: 'spec',
      workspace: 'disk',
      env: () => ({}),
      mountTimeoutMs: 10_000,
      disposeTimeoutMs: 1000,
      ...options,
    })
  })

describe('a composition that does not start', () => {
  it('names the entry that failed, and why, before those that only wait', async () => {
    const error = await failure('- { id: w, name: spec:waits }\n- { id: f, name: spec:fails }\n', {
      'spec:waits': { name: 'waits', inject: ['moon', 'sun'], apply: () => undefined },
      'spec:fails': {
        name: 'fails',
        apply: () => {
          throw new Error('no licence found')
        },
      },
    })
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toMatch(/cordis\.yml: 2 entries of the composition did not start/)
    const [, first, second] = error.message.split('\n')
    expect(first).toMatch(/ {2}- spec:fails \(entry \S*f\) is failed: no licence found$/)
    expect(second).toMatch(
      / {2}- spec:waits \(entry \S*w\) is waiting; it waits for moon, sun, which nothing provides$/,
    )
    expect(error.cause).toMatchObject({ message: 'no licence found' })
    expect(error.details.entries).toEqual(['spec:fails', 'spec:waits'])
  })

  it('names an entry whose apply rejects, with whatever it rejects', async () => {
    const rejects = { name: 'rejects', apply: () => Promise.reject(new Error('later')) }
    expect((await failure('- name: spec:x\n', { 'spec:x': rejects })).message).toContain('is failed: later')
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an agent may do that
    const odd = { name: 'odd', apply: () => Promise.reject('a word') }
    expect((await failure('- name: spec:x\n', { 'spec:x': odd })).message).toContain('is failed: a word')
  })

  it('names an entry whose configuration its schema refuses', async () => {
    const { z } = await import('zod')
    const strict = { name: 'strict', Config: z.object({ port: z.number() }), apply: () => undefined }
    const error = await failure('- name: spec:x\n  config: { port: high }\n', { 'spec:x': strict })
    expect(error.message).toMatch(/spec:x \(entry \S+\) is failed: .*port/s)
  })

  it('names an entry whose expression throws, in its configuration or in its switch', async () => {
    const config = await failure('- name: spec:x\n  config: { a: !!js nothing.here }\n', { 'spec:x': fine })
    expect(config.message).toMatch(/spec:x \(entry \S+\) is failed: .*nothing/)
    const disabled = await failure('- id: e\n  name: spec:x\n  disabled: !!js nothing.here\n', {
      'spec:x': fine,
    })
    expect(disabled.code).toBe('COMPOSITION_FAILED')
    expect(disabled.message).toMatch(/spec:x \(entry \S*e\) is .*: .*nothing/)
  })

  it('names a module that is not installed, where it was looked for, and the file that names it', async () => {
    const error = await failure("- name: '@nobody/has-this'\n")
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toMatch(
      /cordis\.yml names the module "@nobody\/has-this", which could not be imported from/,
    )
  })

  it('names a missing module that only an expression switches on', async () => {
    const error = await failure("- name: '@nobody/has-this'\n  disabled: !!js 'false'\n")
    expect(error.message).toContain('"@nobody/has-this"')
    expect(error.message).toContain('is not imported')
  })

  it('does not look for the modules of entries and groups that are switched off', async () => {
    const text = `- { name: spec:x }
- { name: '@nobody/has-this', disabled: true }
- name: cordis:group
  disabled: true
  config: [{ name: '@nobody/has-this' }]
`
    const config = path.join(compositionFolder({ 'cordis.yml': text }), 'cordis.yml')
    const composition = await loadComposition({ config, modules: { 'spec:x': fine } }, 'replay')
    expect(composition.imports.map(({ name }) => name)).toEqual(['spec:x'])
    await using host = await startInProcess({
      composition,
      name: 'spec',
      workspace: 'disk',
      env: () => ({}),
      mountTimeoutMs: 10_000,
      disposeTimeoutMs: 1000,
    })
    await host.dispose()
  })

  it('refuses a module whose default export hides its inject, also one that the caller gives', async () => {
    const module = { name: 'x', inject: ['llm'], apply: () => undefined, default: () => undefined }
    const error = await failure('- name: spec:x\n', { 'spec:x': module })
    expect(error.message).toContain('"spec:x"')
    expect(error.message).toContain('the plugin would lose inject')
  })

  it('ends at its deadline, naming what is still starting: an apply that never settles', async () => {
    const stuck = { name: 'stuck', apply: () => new Promise(() => undefined) }
    const error = await failure(
      '- { id: s, name: spec:stuck }\n- name: spec:fine\n',
      { 'spec:stuck': stuck, 'spec:fine': fine },
      {
        mountTimeoutMs: 100,
      },
    )
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toMatch(/spec:stuck \(entry \S*s\) is loading/)
    expect(error.message).not.toContain('spec:fine')
    expect(error.message).toContain('waited 100 ms')
  })

  it('is disposed again', async () => {
    const gone: string[] = []
    const tidy = { name: 'tidy', apply: (ctx: SpecContext) => ctx.effect(() => () => gone.push('tidy')) }
    const fails = { name: 'fails', apply: () => Promise.reject(new Error('no')) }
    await failure('- name: spec:tidy\n- name: spec:fails\n', { 'spec:tidy': tidy, 'spec:fails': fails })
    expect(gone).toEqual(['tidy'])
  })

  it('is disposed again where what is called after it throws', async () => {
    const gone: string[] = []
    const tidy = { name: 'tidy', apply: (ctx: SpecContext) => ctx.effect(() => () => gone.push('tidy')) }
    const error = await thrownBy(() =>
      startRun({
        plugins: [tidy],
        mounted: () => {
          throw new Error('no model')
        },
      }),
    )
    expect(error).toMatchObject({ message: 'no model' })
    expect(gone).toEqual(['tidy'])
  })

  it('keeps its own error where its disposal fails or never ends', async () => {
    const fails = { name: 'fails', apply: () => Promise.reject(new Error('the reason')) }
    const clings = {
      name: 'clings',
      apply: (ctx: SpecContext) => {
        ctx.effect(() => () => Promise.reject(new Error('not this')))
        ctx.effect(() => () => new Promise(() => undefined))
      },
    }
    const error = await failure('- name: spec:clings\n- name: spec:fails\n', {
      'spec:clings': clings,
      'spec:fails': fails,
    })
    expect(error.message).toContain('the reason')
    expect(error.message).not.toContain('not this')
  })
})

describe('a composition that starts', () => {
  it('keeps errors that its kernel logs, and no more of its log', async () => {
    const logger = {
      name: 'talker',
      apply: (ctx: { logger: Record<'error' | 'info', (...args: unknown[]) => void> }) => {
        ctx.logger.error(new Error('an error'))
        ctx.logger.error('a', 'word')
        ctx.logger.info('all is well')
      },
    }
    const { host } = await startRun({ plugins: [logger] })
    expect(host.diagnostics()).toBe('an error\na word')
  })

  it('runs what is called after it inside the run', async () => {
    let seen: string | undefined
    const { host } = await startRun({ mounted: () => (seen = process.cwd()) })
    expect(seen).toBe(host.cwd)
  })

  it('may have plugins that start others, which are not entries', async () => {
    const nested = { name: 'nested', inject: ['moon'], apply: () => undefined }
    await startRun({ plugins: [{ name: 'outer', apply: (ctx: SpecContext) => void ctx.plugin(nested) }] })
  })
})
