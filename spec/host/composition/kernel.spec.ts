import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { compositionFolder } from '../support/composition-folder.ts'
import { startComposition } from '../support/start-run.ts'

interface Disposable {
  readonly fiber: { dispose(): unknown }
}

/** A plugin that disposes itself once it is told to: then Cordis writes the tree back, patches and all. */
function leaver() {
  const { promise: told, resolve: leave } = Promise.withResolvers<undefined>()
  const { promise: left, resolve: gone } = Promise.withResolvers<undefined>()
  const apply = (ctx: Disposable): void => {
    void told.then(async () => {
      await ctx.fiber.dispose()
      gone(undefined)
    })
  }
  return { module: { name: 'leaver', apply }, leave: () => leave(undefined), left }
}

const content = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.yml') || name.includes('.tmp'))
    .map(name => [name, readFileSync(path.join(folder, name), 'utf8')])

/** Longer than the include waits before it writes: it does so in a timer of 0 ms. */
const longEnough = () => new Promise(resolve => setTimeout(resolve, 30))

describe("the composition's files", () => {
  it.each([
    ['the file that is mounted', 'cordis.yml', {}],
    [
      'an included file',
      'cordis.yml',
      {
        'cordis.yml': '# mine\n- name: cordis:include\n  config: { path: ./inner.yml }\n',
        'inner.yml': undefined,
      },
    ],
    [
      'a file that is included by the name of the package',
      'cordis.yml',
      {
        'cordis.yml':
          "- name: '@deepseek-ai/cordis-plugin-include'\n  config: { path: ./inner.yml, patches: [{ id: other, disabled: true }] }\n",
        'inner.yml': undefined,
      },
    ],
    [
      'a file that such a file includes',
      'cordis.yml',
      {
        'cordis.yml': "- name: '@deepseek-ai/cordis-plugin-include'\n  config: { path: ./sub/middle.yml }\n",
        'sub/middle.yml': "- name: '@deepseek-ai/cordis-plugin-include'\n  config: { path: ../inner.yml }\n",
        'inner.yml': undefined,
      },
    ],
    [
      'a file with a group, by the name of the package',
      'cordis.yml',
      { 'cordis.yml': "- name: '@deepseek-ai/cordis-plugin-group'\n  config:\n    - name: spec:leaver\n" },
    ],
  ])('are not written to when a plugin disposes itself: %s', async (_what, config, files) => {
    const rows = '# as the author wrote it\n-   name:   "spec:leaver"\n- { id: other, name: spec:other }\n'
    const given: Record<string, string | undefined> =
      Object.keys(files).length === 0 ? { [config]: rows } : files
    const folder = compositionFolder(
      Object.fromEntries(Object.entries(given).map(([name, text]) => [name, text ?? rows])),
    )
    const before = content(folder)
    const { module, leave, left } = leaver()
    const host = await startComposition({
      config: path.join(folder, config),
      modules: { 'spec:leaver': module, 'spec:other': { name: 'other', apply: () => undefined } },
      patches: [{ insert: [{ name: 'spec:other' }] }],
    })
    leave()
    await left
    await longEnough()
    expect(content(folder)).toEqual(before)
    await host.dispose()
    expect(content(folder)).toEqual(before)
  })

  it('are not made either, where an include says what a missing file starts with', async () => {
    const folder = compositionFolder({
      'cordis.yml': `- name: cordis:include
  disabled: !!js 'false'
  config: { path: ./made.yml, initial: [{ name: spec:other }] }
`,
    })
    await startComposition({ config: path.join(folder, 'cordis.yml') }).catch(() => undefined)
    expect(existsSync(path.join(folder, 'made.yml'))).toBe(false)
    expect(readdirSync(folder)).toEqual(['cordis.yml'])
  })
})

describe('the modules of a composition', () => {
  it("are the host's where it gives some, at any depth", async () => {
    const seen: string[] = []
    const module = (name: string) => ({ name, apply: () => void seen.push(name) })
    const folder = compositionFolder({
      'cordis.yml':
        "- name: spec:a\n- name: '@deepseek-ai/cordis-plugin-include'\n  config: { path: ./inner.yml }\n",
      'inner.yml': '- name: cordis:group\n  config:\n    - name: spec:b\n',
    })
    await startComposition({
      config: path.join(folder, 'cordis.yml'),
      modules: { 'spec:a': module('a'), 'spec:b': module('b') },
    })
    expect(seen.sort()).toEqual(['a', 'b'])
  })

  it("are the host's also for entries that a plugin creates, and may be functions", async () => {
    const seen: string[] = []
    const folder = compositionFolder({ 'cordis.yml': '- name: spec:creator\n' })
    const host = await startComposition({
      config: path.join(folder, 'cordis.yml'),
      modules: {
        'spec:creator': {
          name: 'creator',
          inject: ['loader'],
          apply: async (ctx: { loader: { create(options: object): Promise<unknown> } }) => {
            await ctx.loader.create({ name: 'spec:function' })
            await ctx.loader.create({ name: 'cordis:group', config: [{ name: 'spec:anonymous' }] })
          },
        },
        'spec:function': () => void seen.push('function'),
        'spec:anonymous': { apply: () => void seen.push('anonymous') },
      },
    })
    expect(seen.sort()).toEqual(['anonymous', 'function'])
    await host.dispose()
  })

  it('see, in expressions, the names that the context provides', async () => {
    let seen: unknown
    const folder = compositionFolder({
      'cordis.yml': `- name: spec:provider
- name: spec:reader
  inject: [answer]
  config: { value: !!js answer.value + 1, env: !!js process.env.OWN, cwd: !!js process.cwd() }
`,
    })
    const host = await startComposition(
      {
        config: path.join(folder, 'cordis.yml'),
        modules: {
          'spec:provider': {
            name: 'provider',
            apply: (ctx: { set(name: string, value: unknown): void; provide(name: string): void }) => {
              ctx.provide('answer')
              ctx.set('answer', { value: 41 })
            },
          },
          'spec:reader': { name: 'reader', apply: (_ctx: unknown, config: unknown) => void (seen = config) },
        },
      },
      { env: () => ({ OWN: 'yes' }) },
    )
    expect(seen).toEqual({ value: 42, env: 'yes', cwd: host.cwd })
  })

  it('are swapped by a row that is switched off and another that is inserted', async () => {
    const seen: string[] = []
    const module = (name: string) => ({ name, apply: () => void seen.push(name) })
    const folder = compositionFolder({ 'cordis.yml': '- { id: store, name: spec:real }\n' })
    await startComposition({
      config: path.join(folder, 'cordis.yml'),
      patches: [{ id: 'store', disabled: true }, { insert: [{ id: 'fake', name: 'spec:fake' }] }],
      modules: { 'spec:real': module('real'), 'spec:fake': module('fake') },
    })
    expect(seen).toEqual(['fake'])
  })

  it('are found from the folder of the file that names them', async () => {
    const folder = compositionFolder({
      'cordis.yml': '- name: cordis:include\n  config: { path: ./sub/inner.yml }\n',
      'sub/inner.yml': '- name: ./plugin.mjs\n',
      'sub/plugin.mjs':
        "import { writeFileSync } from 'node:fs'\nexport const name = 'here'\nexport function apply() { writeFileSync('seen', import.meta.url) }\n",
    })
    const host = await startComposition({ config: path.join(folder, 'cordis.yml') })
    expect(host.workspace().get('seen')?.toString()).toContain('/sub/plugin.mjs')
    writeFileSync(path.join(folder, 'done'), '')
  })
})
