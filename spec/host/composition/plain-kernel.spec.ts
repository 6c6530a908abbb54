import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { plainFolder, startPlain, Told } from '../support/plain-cordis.ts'
import { startComposition } from '../support/start-run.ts'

describe('a list on plain Cordis', () => {
  it('is mounted in its order, what a group holds before the row after it, and disposed', async () => {
    const told = new Told()
    const text = `
- name: spec:a
- { id: '2', name: spec:b }
- name: cordis:group
  config:
    - { id: z, name: spec:c }
    - name: cordis:group
      config: [{ name: spec:d }]
- { id: '1', name: spec:e }
- name: spec:f
`
    const host = await startPlain({ 'cordis.yml': text }, told.plugins('a', 'b', 'c', 'd', 'e', 'f'))
    expect(told.started).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    await host.dispose()
    expect(told.gone.sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(host.diagnostics()).toBe('')
  })

  it('leaves out what is switched off, by a value or an expression, and what is in a group that is', async () => {
    const told = new Told()
    const text = `
- { name: spec:off, disabled: true }
- { name: spec:on, disabled: !!js process.env.SWITCH === 'off' }
- { name: spec:off, disabled: !!js process.env.SWITCH === 'on' }
- { name: cordis:group, disabled: true, config: [{ name: spec:off }] }
- { name: cordis:group, disabled: !!js 1 + 1 === 2, config: [{ name: spec:off }] }
- { name: cordis:group, group: true, disabled: true, config: [{ name: spec:off }] }
- { name: cordis:group, group: true, disabled: !!js 'true', config: [{ name: cordis:group, config: [{ name: spec:off }] }] }
- { name: cordis:group, disabled: !!js 'false', config: [{ name: spec:in, disabled: null }] }
`
    await startPlain({ 'cordis.yml': text }, told.plugins('on', 'off', 'in'), [], {
      env: () => ({ SWITCH: 'on' }),
    })
    expect(told.started).toEqual(['on', 'in'])
  })

  it('keeps a group that says it is one: what is in it may be switched on', async () => {
    const told = new Told()
    const { promise: mounted, resolve: go } = Promise.withResolvers<undefined>()
    const { promise: done, resolve } = Promise.withResolvers<undefined>()
    const text =
      '- { id: g, name: cordis:group, group: true, disabled: true, config: [{ name: spec:in }] }\n- name: spec:on\n'
    const on = told.plugin('on', { inject: ['loader'] }, ctx => {
      const find = (name: string) => [...ctx.loader.entries()].find(({ options }) => options.name === name)
      const switchOn = async (): Promise<void> => {
        const inner = find('spec:in')
        told.started.push(`off: ${inner?.disabled}`)
        await ctx.loader.update(String(find('cordis:group')?.id), { disabled: null })
        await inner?.refresh()
        resolve(undefined)
      }
      void mounted.then(switchOn)
    })
    await startPlain({ 'cordis.yml': text }, { 'spec:on': on, ...told.plugins('in') })
    expect(told.started).toEqual(['on'])
    go(undefined)
    await done
    expect(told.started).toEqual(['on', 'off: true', 'in'])
  })

  it('has expressions that see the run and the loader', async () => {
    const told = new Told()
    const text = `
- name: spec:reader
  disabled: !!js loader.name !== 'loader'
  config: { list: [!!js process.env.OWN], cwd: !!js process.cwd(), base: !!js baseUrl }
`
    const files = {
      'cordis.yml': '- { name: cordis:include, config: { path: ./in/list.yml } }',
      'in/list.yml': text,
    }
    const host = await startPlain(files, told.plugins('reader'), [], { env: () => ({ OWN: 'yes' }) })
    const base: unknown = expect.stringMatching(/^file:.*\/in\/$/)
    expect(told.configs.reader).toEqual({ list: ['yes'], cwd: host.cwd, base })
  })

  it("takes the caller's patches, in the mounted file and in what it includes", async () => {
    const told = new Told()
    const files = {
      'cordis.yml':
        '- { id: a, name: spec:a }\n- { name: cordis:include, config: { path: ./in/list.yml } }\n',
      'in/list.yml':
        '- { id: b, name: spec:b }\n- { id: c, name: spec:c, disabled: true }\n- { id: g, name: cordis:group, group: true }\n',
    }
    await startPlain(files, told.plugins('a', 'b', 'c', 'd', 'e'), [
      { id: 'a', config: { is: 'patched' } },
      { id: 'b', disabled: true },
      { id: 'c', disabled: false },
      { id: 'g', insert: [{ name: 'spec:d' }] },
      { insert: [{ name: 'spec:e' }] },
    ])
    expect(told.started).toEqual(['a', 'c', 'd', 'e'])
    expect(told.configs.a).toEqual({ is: 'patched' })
  })

  it('includes others with patches, by any name of an include; modules are found from the file that names them', async () => {
    const told = new Told()
    const files = {
      'cordis.yml': `
- name: '@cordisjs/plugin-include'
  config: { path: ./in/list.yml, patches: [{ id: off, disabled: true }, { insert: [{ name: spec:new, config: { is: !!js 1 + 1 } }] }] }
- name: spec:outer
`,
      'in/list.yml':
        '- name: ./plugin.mjs\n- { id: off, name: spec:off }\n- { name: cordis:include, config: { path: ../deep/list.yml } }\n',
      'in/plugin.mjs': `
import { appendFileSync } from 'node:fs'
export const name = 'here'
export const apply = ctx => appendFileSync('seen', import.meta.url + ' ' + ctx.baseUrl)
`,
      'deep/list.yml': "- name: '@cordisjs/plugin-group'\n  config: [{ name: spec:deep }]\n",
    }
    // There is no such package: a list names it, and gets the group of the loader.
    const modules = { ...told.plugins('new', 'off', 'outer', 'deep'), '@cordisjs/plugin-group': {} }
    const host = await startPlain(files, modules)
    expect(told.started).toEqual(['deep', 'new', 'outer'])
    expect(told.configs.new).toEqual({ is: 2 })
    expect(host.workspace().get('seen')?.toString()).toMatch(/\/in\/plugin\.mjs file:\S+\/in\/$/)
  })

  it('stays as it is on disk and for the next run when a plugin disposes itself', async () => {
    const text = '# mine\n-   name: spec:other\n- { name: cordis:group, config: [{ name: spec:leaver }] }\n'
    const folder = plainFolder({ 'cordis.yml': text })
    const told = new Told()
    const leaver = told.plugin('leaver', {}, ctx => void Promise.resolve().then(() => ctx.fiber.dispose()))
    const modules = { 'spec:leaver': leaver, ...told.plugins('other') }
    for (const runs of [1, 2]) {
      const host = await startComposition({ config: path.join(folder, 'cordis.yml'), modules }).catch(
        (error: unknown) => error,
      )
      // It was told to leave while the rest was starting: that it is gone is its own wish.
      expect(host).not.toBeInstanceOf(Error)
      expect(told.started).toEqual(Array.from({ length: runs }, () => ['other', 'leaver']).flat())
    }
    expect(readFileSync(path.join(folder, 'cordis.yml'), 'utf8')).toBe(text)
    expect(readdirSync(folder).sort()).toEqual(['cordis.yml', 'package.json'])
  })
})

describe('plugins on plain Cordis', () => {
  it('get what the host has for them, before their schema sees it, entries or not', async () => {
    const told = new Told()
    const Config = z.strictObject({ root: z.string(), compression: z.literal('none') })
    const persistence = told.plugin('JsonlSessionPersistence', { Config })
    const bundle = told.plugin('bundle', {}, ctx => {
      ctx.plugin(persistence, { root: './other' })
      ctx.plugin(told.plugin('acp'), { model: 'm' })
      ctx.plugin(() => told.started.push('anonymous'), { of: 'its own' })
      ctx.plugin({ apply: () => told.started.push('nameless') })
    })
    const host = await startPlain(
      { 'cordis.yml': '- { name: spec:log, config: { root: ./mine } }\n- name: spec:bundle\n' },
      { 'spec:log': persistence, 'spec:bundle': bundle },
    )
    expect(told.configs.JsonlSessionPersistence).toEqual({
      root: host.folders.sessions,
      compression: 'none',
    })
    expect(told.configs.acp).toMatchObject({ model: 'm', stream: { readable: {}, writable: {} } })
    expect(told.started).toEqual(expect.arrayContaining(['anonymous', 'nameless']))
  })

  it('may change the rows of a group: what is new starts, what is gone goes, what stays stays', async () => {
    const told = new Told()
    const { promise: done, resolve } = Promise.withResolvers<undefined>()
    const changer = told.plugin('changer', { inject: ['loader'] }, ctx => {
      const change = async (): Promise<void> => {
        const group = [...ctx.loader.entries()].find(({ options }) => options.name === 'cordis:group')
        const config = [{ name: 'spec:new' }, { id: 'b', name: 'spec:b' }]
        await ctx.loader.update(String(group?.id), { config })
        resolve(undefined)
      }
      void Promise.resolve().then(change)
    })
    const text =
      '- { name: cordis:group, config: [{ name: spec:a }, { id: b, name: spec:b }] }\n- name: spec:changer\n'
    await startPlain({ 'cordis.yml': text }, { ...told.plugins('a', 'b', 'new'), 'spec:changer': changer })
    await done
    expect(told.started).toEqual(['a', 'b', 'changer', 'new'])
    expect(told.gone).toEqual(['a'])
  })

  it('may create and remove entries of their own; what fails then is logged', async () => {
    const told = new Told()
    const { promise: mounted, resolve: go } = Promise.withResolvers<undefined>()
    const { promise: failed, resolve: done } = Promise.withResolvers<undefined>()
    const creator = told.plugin('creator', { inject: ['loader'] }, async ctx => {
      const id = await ctx.loader.create({ name: 'spec:made' })
      ctx.loader.remove(String(id))
      await ctx.loader.create({ name: 'cordis:group', config: [{ name: 'spec:other' }] })
      void mounted.then(() => ctx.loader.create({ name: 'spec:missing' })).then(() => done(undefined))
    })
    const host = await startPlain(
      { 'cordis.yml': '- name: spec:creator\n' },
      { 'spec:creator': creator, ...told.plugins('made', 'other') },
    )
    expect(told.started).toEqual(['creator', 'made', 'other'])
    expect(host.diagnostics()).toBe('')
    go(undefined)
    await failed
    expect(host.diagnostics()).toContain('names the module "spec:missing"')
  })
})
