import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import type { CompositionOptions } from '../../../src/host/composition/composition.ts'
import { startPlain, Told } from '../support/plain-cordis.ts'
import type { RunOptions } from '../support/start-run.ts'
import { problemOf } from '../../support/thrown.ts'

const failure = (text: string, modules: CompositionOptions['modules'], options: RunOptions = {}) =>
  problemOf(() => startPlain({ 'cordis.yml': text }, modules, [], options))

describe('an entry that does not start on plain Cordis', () => {
  const told = new Told()

  it('is named with why: it throws, its schema refuses, an expression throws, a module is missing', async () => {
    const throws = told.plugin('throws', {}, () => Promise.reject(new Error('no licence')))
    expect((await failure('- name: spec:x\n', { 'spec:x': throws })).message).toMatch(
      /spec:x \(entry \S+\) is failed: no licence/,
    )
    const strict = told.plugin('strict', { Config: z.object({ port: z.number() }) })
    const refused = await failure('- { name: spec:x, config: { port: high } }\n', { 'spec:x': strict })
    expect(refused.message).toMatch(/spec:x \(entry \S+\) is failed: invalid config/)
    const config = await failure('- { name: spec:x, config: !!js nothing.here }\n', told.plugins('x'))
    expect(config.message).toMatch(/spec:x \(entry \S+\) is failed: nothing is not defined/)
    const disabled = await failure('- { name: spec:x, disabled: !!js nothing.here }\n', told.plugins('x'))
    expect(disabled.message).toMatch(/spec:x \(entry \S+\) is failed: nothing is not defined/)
    const none = await failure('- name: spec:x\n', { 'spec:x': { name: 'no plugin' } })
    expect(none.message).toMatch(/spec:x \(entry \S+\) is failed: invalid plugin/)
    const missing = await failure("- name: '@nobody/has-this'\n", {})
    expect(missing.message).toContain('names the module "@nobody/has-this"')
  })

  it('is named with the services it waits for, in a group and an included file too', async () => {
    const waits = told.plugin('waits', { inject: ['moon', 'loader'] })
    const text = '- { name: cordis:group, config: [{ id: w, name: spec:w }] }\n'
    const error = await failure(text, { 'spec:w': waits })
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toMatch(
      /spec:w \(entry \S*w\) is waiting; it waits for moon, which nothing provides/,
    )
  })

  it('is named at the deadline', async () => {
    const stuck = told.plugin('stuck', {}, () => new Promise(() => undefined))
    const error = await failure(
      '- name: spec:s\n- name: spec:x\n',
      { 'spec:s': stuck, ...told.plugins('x') },
      { mountTimeoutMs: 100 },
    )
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toMatch(/spec:s \(entry \S+\) is loading/)
  })

  it('is disposed with the others', async () => {
    const own = new Told()
    const fails = own.plugin('fails', {}, () => Promise.reject(new Error('no')))
    await failure('- name: spec:tidy\n- name: spec:f\n', { 'spec:f': fails, ...own.plugins('tidy') })
    expect(own.gone.sort()).toEqual(['fails', 'tidy'])
  })
})
