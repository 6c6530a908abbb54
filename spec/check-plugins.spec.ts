import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { checkPlugins } from '../src/check-plugins.ts'
import { all, composition, esm, everyKind, kinds } from './host/support/plugin-kinds.ts'
import { isAlive } from './support/is-alive.ts'
import { dshComposition, root } from './support/paths.ts'
import { tempFolder } from './support/temp-folder.ts'
import { problemOf } from './support/thrown.ts'

/** Runs this in a module of a composition, which can write what it sees to a file. */
function moduleThat(text: string): { readonly file: string; readonly seen: () => Record<string, string> } {
  const seen = path.join(tempFolder(), 'seen.json')
  const source = `
    import fs from 'node:fs'
    import { spawn } from 'node:child_process'
    const see = what => fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify(what))
    export const name = 'odd'
    export function apply() {}
    ${text}
  `
  return {
    file: composition(['./odd.mjs'], { 'odd.mjs': source }),
    seen: () => JSON.parse(readFileSync(seen, 'utf8')) as Record<string, string>,
  }
}

describe('checkPlugins', () => {
  it('gives the plugins in list order with what each exports and keeps, of whatever kind it is', async () => {
    const file = everyKind({ module: '', commonJs: '' })
    expect(await checkPlugins({ composition: file })).toEqual(
      kinds.map(entry => ({ entry, file, exports: all, keeps: all })),
    )
  })

  it('names every plugin whose default export loses something, what it is, and the fix', async () => {
    const file = everyKind({
      module: '\nexport default apply',
      commonJs: '\nexports.default = exports.apply',
    })
    const { code, message, details } = await problemOf(() => checkPlugins({ composition: file }))
    expect(code).toBe('COMPOSITION_FAILED')
    expect(message.split('\n')).toEqual([
      `${file}: of 6 plugins, 6 would not be mounted as exported:`,
      ...kinds.map(
        entry =>
          `  ${file} names the module "${entry}", which exports inject and Config by name and also a default export that ` +
          'lacks inject and Config. The Loader takes the default export alone, so the plugin would lose inject and Config. ' +
          'Remove the default export, or put inject and Config on it.',
      ),
    ])
    const kept = { file, exports: all, keeps: ['name', 'apply'] }
    expect(details).toMatchObject({ file, plugins: kinds.map(entry => ({ entry, ...kept })) })
  })

  it('finds all four kept by the replay of this library, which has no default export', async () => {
    const file = composition(['acp-snapshot/llm-replay'])
    const [replay] = await checkPlugins({ composition: file })
    expect(replay).toEqual({ entry: 'acp-snapshot/llm-replay', file, exports: all, keeps: all })
  })

  it('takes the real agent, with its overlay where that is asked for', async () => {
    const live = await checkPlugins({ composition: dshComposition })
    expect(live.length).toBeGreaterThan(30)
    expect(live.filter(({ entry }) => entry === '@deepseek-ai/dsh-tool-subagent')).toHaveLength(1)
    expect(live.map(({ entry }) => entry)).toContain('@deepseek-ai/dsh-llm-deepseek')
    const overlay = dshComposition.replace('.yml', '.snapshot.yml')
    const replayed = await checkPlugins({ composition: { config: dshComposition, overlay } })
    const [added, ...more] = replayed.filter(({ file }) => file === overlay)
    expect(added).toMatchObject({ entry: 'acp-snapshot/llm-replay', keeps: all })
    expect(more).toEqual([])
    expect(replayed.map(({ entry }) => entry)).not.toContain('@deepseek-ai/dsh-llm-deepseek')
  })

  it('takes the agent on plain Cordis', async () => {
    const plain = path.join(root, 'fixtures/compositions/plain-cordis/cordis.yml')
    const shapes = await checkPlugins({ composition: plain })
    expect(shapes.map(({ entry }) => entry)).toContain('./deepseek.js')
    expect(shapes.every(({ exports, keeps }) => exports.length === keeps.length)).toBe(true)
  })

  it('looks at the other plugins though some can not be imported, and leaves out what is off', async () => {
    const file = composition(
      ['./gone.mjs', './wrong.mjs', './thrower.mjs', './leaver.mjs', './talker.mjs', './loser.mjs'],
      {
        'wrong.mjs': 'export const =',
        'thrower.mjs': 'throw "a text"',
        'leaver.mjs': 'process.exit(0)',
        'talker.mjs': `console.log("not a document"); ${esm}`,
        'loser.mjs': `${esm} export default 'text'`,
        'added.mjs': esm,
      },
    )
    const config = { config: file, patches: [{ insert: [{ name: './added.mjs' }] }] }
    const off = { insert: [{ name: './never.mjs', disabled: true }] }
    const { message, details } = await problemOf(() =>
      checkPlugins({ composition: { ...config, patches: [...config.patches, off] } }),
    )
    const [first, gone, wrong, thrower, leaver, loser, ...more] = message.split('\n  ')
    expect(first).toBe(`${file}: of 7 plugins, 5 would not be mounted as exported:`)
    expect(gone).toContain(`${file} names the module "./gone.mjs", which could not be imported from`)
    expect(gone).toContain('Check the name')
    expect(wrong).toMatch(/"\.\/wrong\.mjs", which could not be imported .*Unexpected token/)
    expect(thrower).toMatch(/"\.\/thrower\.mjs", which could not be imported .*: a text\./)
    expect(leaver).toMatch(/"\.\/leaver\.mjs", which .*: it calls process\.exit\(0\) while it is imported\./)
    expect(loser).toContain('so the plugin would lose name, inject, Config and apply.')
    expect(more).toEqual([])
    expect(details.plugins).toMatchObject([
      { exports: [], keeps: [] },
      {},
      {},
      {},
      { exports: all, keeps: [] },
    ])
  })

  it('gives modules an environment and folders of their own, and leaves nothing behind', async () => {
    vi.stubEnv('SPEC_SECRET', 'a key')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { file, seen } = moduleThat(`
      const helper = spawn('sleep', ['600'], { detached: true, stdio: 'inherit' })
      helper.unref()
      see({ ...process.env, pid: process.pid, helper: helper.pid, cwd: process.cwd() })
    `)
    await checkPlugins({ composition: file, env: { SPEC_VALUE: 'given' } })
    const { SPEC_SECRET, SPEC_VALUE, HOME, TMPDIR, cwd, pid, helper } = seen()
    expect({ SPEC_SECRET, SPEC_VALUE }).toEqual({ SPEC_VALUE: 'given' })
    for (const folder of [HOME, TMPDIR, cwd]) {
      expect(folder).toContain('acp-snapshot-')
      expect(existsSync(String(folder))).toBe(false)
    }
    expect([pid, helper].filter(id => isAlive(Number(id)))).toEqual([])
  })

  it('ends a process that goes on for too long, and says what it logged', async () => {
    const { file, seen } = moduleThat(`
      see({ pid: process.pid })
      console.error('waiting for the moon')
      setInterval(() => undefined, 1000)
      await new Promise(() => undefined)
    `)
    const { code, message } = await problemOf(() => checkPlugins({ composition: file, timeoutMs: 3000 }))
    expect(code).toBe('DEADLINE_EXCEEDED')
    expect(message).toBe(
      `${file}: the process that imports its plugins has not ended.\nThe agent logged:\n  waiting for the moon\nLook for a ` +
        'plugin whose import takes long, or allow more time (timeoutMs) (waited 3000 ms)',
    )
    expect(isAlive(Number(seen().pid))).toBe(false)
  })

  it.each([
    ['is killed', `console.error('my end'); process.kill(process.pid, 'SIGKILL')`, '(SIGKILL)'],
    ['exits all the same', `console.error('my end'); process.reallyExit(0)`, '(exit code 0)'],
    ['writes to its standard output', `fs.writeSync(2, 'my end'); fs.writeSync(1, 'Hello')`, '"Hello{'],
  ])('says so where the process %s', async (_what, text, found) => {
    const { code, message } = await problemOf(() => checkPlugins({ composition: moduleThat(text).file }))
    expect(code).toBe('COMPOSITION_FAILED')
    expect(message).toContain('without telling what it found')
    expect(message).toContain(found)
    expect(message).toContain('The agent logged:\n  my end')
  })

  it('ends a process that floods its standard output', async () => {
    const { file } = moduleThat(`
      const text = 'x'.repeat(2 ** 20)
      const write = () => {
        process.stdout._write(Buffer.from(text), 'buffer', write)
      }
      write()
      await new Promise(() => undefined)
    `)
    const { code, message } = await problemOf(() => checkPlugins({ composition: file }))
    expect({ code, message }).toMatchObject({
      code: 'COMPOSITION_FAILED',
      message: expect.stringContaining('a module floods standard output') as string,
    })
  })

  it('says where there is no kernel', async () => {
    const file = path.join(tempFolder({ 'cordis.yml': '[]' }), 'cordis.yml')
    const { message } = await problemOf(() => checkPlugins({ composition: file }))
    expect(message).toContain(`no Cordis kernel for the composition in ${path.dirname(file)}`)
  })

  it('refuses what it can not look at', async () => {
    const missing = path.join(tempFolder(), 'cordis.yml')
    const gone = await problemOf(() => checkPlugins({ composition: missing }))
    expect(gone.message).toContain(`${missing}: this file, the composition, does not exist.`)
    const modules = { config: dshComposition, modules: { 'spec:own': {} } }
    const own = await problemOf(() => checkPlugins({ composition: modules }))
    expect(own).toMatchObject({ code: 'USAGE' })
    const wrong = await problemOf(() => checkPlugins({ composition: '', timeoutMs: Number.NaN }))
    expect(wrong.code).toBe('USAGE')
    expect(wrong.message).toMatch(/^checkPlugins was given wrong options\.[^]*composition[^]*timeoutMs/)
  })
})
