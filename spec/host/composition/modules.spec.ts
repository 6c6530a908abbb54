import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it } from 'vitest'

import { importFrom, importNamed, resolveFrom } from '../../../src/host/composition/modules.ts'
import { root } from '../../support/paths.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { compositionFolder } from '../support/composition-folder.ts'
import { startComposition, startRun } from '../support/start-run.ts'
import { problemOf, thrownBy } from '../../support/thrown.ts'

const urlOf = (folder: string) => pathToFileURL(folder + path.sep).href

describe('resolveFrom', () => {
  it('finds packages, relative paths, absolute paths and URLs as Node does', () => {
    const from = urlOf(path.join(root, 'fixtures/compositions/dsh'))
    expect(resolveFrom('@deepseek-ai/cordis', from)).toContain('/node_modules/@deepseek-ai/cordis/')
    expect(resolveFrom('./x.js', from)).toBe(`${from}x.js`)
    expect(resolveFrom('../x y.js', from)).toBe(new URL('../x%20y.js', from).href)
    expect(resolveFrom('/abs/with space.js', from)).toBe('file:///abs/with%20space.js')
    expect(resolveFrom('file:///x.js', from)).toBe('file:///x.js')
    expect(resolveFrom('node:fs', from)).toBe('node:fs')
  })

  it('looks only once for each: under a test runner that is the slow part', () => {
    const folder = compositionFolder({
      'node_modules/spec-package/index.js': '',
      'node_modules/spec-package/package.json': '{"exports":"./index.js"}',
    })
    const found = resolveFrom('spec-package', urlOf(folder))
    expect(found).toContain('spec-package/index.js')
    rmSync(`${folder}/node_modules`, { recursive: true })
    expect(resolveFrom('spec-package', urlOf(folder))).toBe(found)
    expect(() => resolveFrom('spec-package', urlOf(path.join(folder, 'sub')))).toThrow('spec-package')
  })
})

describe('importFrom', () => {
  it('imports outside of every run: what a module remembers is not that of the run that came first', async () => {
    const folder = tempFolder({
      'module.mjs': 'export const cwd = process.cwd(); export const env = process.env.OWN',
    })
    const { inside } = await startRun({ env: () => ({ OWN: 'yes' }) })
    const module = await inside(() => importFrom('./module.mjs', urlOf(folder)))
    expect(module).toMatchObject({ cwd: process.cwd(), env: undefined })
  })

  it('gives one instance however often it is asked', async () => {
    const folder = tempFolder({ 'module.mjs': 'export const key = Symbol()' })
    expect(await importFrom('./module.mjs', urlOf(folder))).toBe(
      await importFrom('./module.mjs', urlOf(folder)),
    )
  })

  it('gives what is there already in the same turn, in the order of asking: entries start in that order', async () => {
    const folder = tempFolder({
      'slow.mjs': 'await new Promise(resolve => setTimeout(resolve, 20))\nexport default 1\n',
      'quick.mjs': 'export default 2\n',
    })
    const from = `${pathToFileURL(folder).href}/`
    const names = ['./slow.mjs', './quick.mjs']
    for (const name of names) await importFrom(name, from)
    for (let round = 0; round < 20; round += 1) {
      const settled: string[] = []
      for (const name of names) void importFrom(name, from).then(() => settled.push(name))
      await new Promise<void>(resolve => process.nextTick(resolve))
      await new Promise<void>(resolve => process.nextTick(resolve))
      expect(settled).toEqual(names)
    }
  })
})

describe('importNamed', () => {
  it('says who names a module that cannot be imported, from where, and why', async () => {
    const folder = tempFolder({ 'throws.mjs': 'throw new Error("on import")' })
    const missing = await problemOf(() =>
      importNamed('@nobody/has-this', urlOf(folder), '/project/cordis.yml'),
    )
    expect(missing.code).toBe('COMPOSITION_FAILED')
    expect(missing.message).toMatch(/^\/project\/cordis\.yml names the module "@nobody\/has-this"/)
    expect(missing.message).toContain(`from ${folder}/`)
    expect(missing.details).toEqual({ specifier: '@nobody/has-this', from: urlOf(folder) })
    expect((await problemOf(() => importNamed('./throws.mjs', urlOf(folder), 'x'))).message).toContain(
      'on import',
    )
    expect((await problemOf(() => importNamed('./no.mjs', 'data:x', 'x'))).message).toContain('from data:x')
    const word = tempFolder({ 'throws.mjs': 'throw "a word"' })
    expect((await problemOf(() => importNamed('./throws.mjs', urlOf(word), 'x'))).message).toContain('a word')
  })

  it('finds a module that was missing once it is there', async () => {
    const folder = compositionFolder({})
    expect(await thrownBy(() => importFrom('spec-late', urlOf(folder)))).toMatchObject({
      code: 'ERR_MODULE_NOT_FOUND',
    })
    mkdirSync(`${folder}/node_modules/spec-late`, { recursive: true })
    writeFileSync(`${folder}/node_modules/spec-late/package.json`, '{"exports":"./index.mjs"}')
    writeFileSync(`${folder}/node_modules/spec-late/index.mjs`, 'export const late = true')
    expect(await importFrom('spec-late', urlOf(folder))).toMatchObject({ late: true })
  })
})

describe('the modules of a composition', () => {
  it('are imported in list order, before anything is mounted', async () => {
    const note = (name: string) => `
      import { appendFileSync } from 'node:fs'
      const log = new URL('./log', import.meta.url)
      appendFileSync(log, 'import ${name}\\n')
      await new Promise(resolve => setTimeout(resolve, ${name === 'a' ? 20 : 0}))
      export const name = '${name}'
      export function apply() { appendFileSync(log, 'mount ${name}\\n') }
    `
    const folder = compositionFolder({
      'cordis.yml':
        '- name: ./a.mjs\n- name: ./b.mjs\n- name: cordis:include\n  config: { path: ./more.yml }\n- name: ./d.mjs\n',
      'more.yml': '- name: ./c.mjs\n',
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [`${name}.mjs`, note(name)])),
    })
    await startComposition({ config: path.join(folder, 'cordis.yml') })
    const log = readFileSync(path.join(folder, 'log'), 'utf8').trim().split('\n')
    expect(log.slice(0, 4)).toEqual(['import a', 'import b', 'import c', 'import d'])
    expect(log.slice(4).sort()).toEqual(['mount a', 'mount b', 'mount c', 'mount d'])
  })
})
