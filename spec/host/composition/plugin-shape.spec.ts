import { Loader as PlainLoader } from '@cordisjs/plugin-loader'
import { Loader } from '@deepseek-ai/cordis-plugin-loader'
import { describe, expect, it } from 'vitest'

import * as LlmReplay from '../../../src/llm-replay/index.ts'
import { checkPluginShape, keptKeys, takenOf } from '../../../src/host/composition/plugin-shape.ts'
import { thrown } from '../../support/thrown.ts'
import { compositionFolder } from '../support/composition-folder.ts'

const apply = (): void => undefined
const Config = { parse: (): object => ({}) }
class Service {
  static readonly inject = ['llm']
  readonly name = 'service'
}
const named = { name: 'x', inject: ['llm'], Config, apply }

const bare = Object.assign((): void => undefined, { Config })

/** What Node makes of a CommonJS build. */
const built = (exports: object): object => {
  const module = { __esModule: true, ...exports }
  return { ...module, default: module }
}

describe('checkPluginShape', () => {
  it.each([
    ['named exports alone', named],
    ['a default export that has it all', { inject: ['llm'], default: { inject: ['llm'], apply } }],
    ['a default export of the same', { ...named, default: { ...named } }],
    ['a class as default export', { Service, inject: Service.inject, default: Service }],
    ['a class as default export, with a name beside it', { name: 'x', Service, default: Service }],
    ['a default export and nothing that it could hide', { default: apply, name: 'x' }],
    ['the same function by name and as default export', { apply, default: apply }],
    ['a default export that is no plugin', { ...named, default: null }],
    ['a default export that is text, and nothing that it could hide', { default: 'x' }],
    ['a CommonJS build with named exports alone', built(named)],
    ['a CommonJS build with a class as default export', built({ name: 'x', default: Service })],
    ['a CommonJS module that is a function', { default: apply, name: 'x' }],
    ['an apply that is no function', { apply: 'later', default: Service }],
    ['empty keys beside a default export', { inject: null, Config: undefined, default: apply }],
    ['a function', apply],
    ['a function with a default of its own', Object.assign(() => undefined, { default: named })],
    ['nothing', undefined],
    ['null', null],
  ])('takes %s', (_what, module) => {
    expect(() => checkPluginShape(module, './plugin.js')).not.toThrow()
  })

  it.each([
    ['name', { ...named, default: { inject: named.inject, Config, apply } }],
    ['inject', { ...named, apply: bare, default: bare }],
    ['inject', { ...named, default: { ...named, inject: ['llm', 'tools'] } }],
    ['Config', { ...named, default: { ...named, Config: { parse: () => ({}) } } }],
    ['apply', { ...named, default: { ...named, apply: () => undefined } }],
    ['apply', { apply, default: Service }],
    ['apply', { apply, default: Object.assign(() => undefined, { apply }) }],
    ['inject', built({ ...named, apply: bare, default: bare })],
    ['inject', { default: { ...named, __esModule: true, apply: bare, default: bare } }],
  ])('refuses a default export that loses %s', (key, module) => {
    expect(thrown(() => checkPluginShape(module, './plugin.js')).details).toEqual({
      entry: './plugin.js',
      lost: [key],
    })
  })

  it('says what would be lost, and what to do', () => {
    const one = thrown(() => checkPluginShape({ inject: ['llm'], apply, default: apply }, './plugin.js'))
    expect(one.code).toBe('COMPOSITION_FAILED')
    expect(one.message).toBe(
      'the module "./plugin.js" exports inject by name and also a default export that lacks inject. The Loader takes the ' +
        'default export alone, so the plugin would lose inject. Remove the default export, or put inject on it.',
    )
    const both = thrown(() =>
      checkPluginShape({ inject: ['llm'], Config, default: { apply } }, './plugin.js'),
    )
    expect(both.message).toContain(
      'exports inject and Config by name and also a default export that lacks inject and Config.',
    )
    expect(both.message).toContain('put inject and Config on it')
    const all = thrown(() => checkPluginShape({ ...named, default: 'text' }, './plugin.js'))
    expect(all.message).toContain('so the plugin would lose name, inject, Config and apply.')
  })

  it('says where the default export has something else', () => {
    const other = thrown(() => checkPluginShape({ inject: ['llm'], default: { inject: ['fs'] } }, 'p'))
    expect(other.message).toContain(
      'exports inject by name and also a default export that has another inject.',
    )
    const mixed = thrown(() => checkPluginShape({ ...named, default: Service }, 'p'))
    expect(mixed.details.lost).toEqual(['Config', 'apply'])
    expect(mixed.message).toContain('a default export that lacks Config and has another apply.')
  })
})

describe('keptKeys', () => {
  it('gives what is exported by name and what is kept of it', () => {
    expect(keptKeys(LlmReplay, takenOf(LlmReplay))).toEqual({
      exports: ['name', 'inject', 'Config', 'apply'],
      keeps: ['name', 'inject', 'Config', 'apply'],
      lost: [],
    })
    const beside = { inject: ['llm'], apply, default: Service }
    expect(keptKeys(beside, Service)).toEqual({
      exports: ['inject', 'apply'],
      keeps: ['name', 'inject'],
      lost: ['apply'],
    })
  })

  it('gives what a default export has though nothing is exported by name', () => {
    const expected = { exports: [], keeps: ['name', 'inject', 'apply'], lost: [] }
    expect(keptKeys({ default: Service }, Service)).toEqual(expected)
  })
})

describe('takenOf', () => {
  const inner = { __esModule: true, default: Service, ...named }
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a function', apply],
    ['text', 'text'],
    ['named exports', named],
    ['a default export', { ...named, default: Service }],
    ['an empty default export', { ...named, default: null }],
    ['a default export of text', { default: 'text' }],
    ['a build', built(named)],
    ['a build with a default export', built({ default: Service })],
    ['a build required', inner],
    ['a build in a build', { default: inner }],
    ['a build whose default is empty', built({ ...named, default: undefined })],
    ['a falsy default export', { default: 0 }],
  ])('takes of %s what the real Loaders take', (_what, module) => {
    for (const { prototype } of [Loader, PlainLoader]) {
      expect(takenOf(module)).toBe(prototype.unwrapExports(module))
    }
  })

  it('takes of what Node makes of a CommonJS build what the real Loaders take', async () => {
    const text = 'exports.__esModule = true; exports.name = "x"; exports.default = function plugin() {}'
    const file = `${compositionFolder({ 'plugin.cjs': text })}/plugin.cjs`
    const module: unknown = await import(/* @vite-ignore */ file)
    for (const { prototype } of [Loader, PlainLoader]) {
      expect(takenOf(module)).toBe(prototype.unwrapExports(module))
      expect(takenOf(module)).toHaveProperty('name', 'plugin')
    }
  })
})
