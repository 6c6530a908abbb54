import path from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { checkComposition } from '../../../src/host/subprocess/check-composition.ts'
import { foundVariable } from '../../../src/host/subprocess/checked-composition.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { thrownBy } from '../../support/thrown.ts'
import { all, composition, esm } from '../support/plugin-kinds.ts'

describe('checkComposition', () => {
  it('gives the document', async () => {
    const file = composition(['./good.mjs', './loser.mjs', './good.mjs'], {
      'good.mjs': esm,
      'loser.mjs': `${esm} export default apply`,
    })
    const exit: unknown = Reflect.get(process, 'exit')
    expect(await checkComposition({ config: file })).toEqual({
      ok: false,
      file,
      plugins: [
        { entry: './good.mjs', file, exports: all, keeps: all },
        {
          entry: './loser.mjs',
          file,
          exports: all,
          keeps: ['name', 'apply'],
          problem: expect.stringContaining('would lose inject and Config') as string,
        },
      ],
    })
    expect(Reflect.get(process, 'exit')).toBe(exit)
  })

  it('goes on after a module that never ends, and one that throws or leaves', async () => {
    const file = composition(
      ['./endless.mjs', './thrower.mjs', './leaver.mjs', './getter.mjs', './good.mjs'],
      {
        'endless.mjs': 'await new Promise(() => undefined)',
        'thrower.mjs': 'throw "a text"',
        'leaver.mjs': 'process.exit()',
        'getter.mjs': 'export default { get inject() { throw "not yet" } }',
        'good.mjs': esm,
      },
    )
    const { plugins } = await checkComposition({ config: file, importMs: 300 })
    const [endless, thrower, leaver, getter, good] = plugins
    expect(endless?.problem).toMatch(/"\.\/endless\.mjs", whose import has not ended\. .*\(waited 300 ms\)/)
    expect(thrower?.problem).toContain('a text')
    expect(leaver?.problem).toContain('it calls process.exit() while it is imported')
    expect(getter?.problem).toMatch(/"\.\/getter\.mjs", whose exports can't be read: not yet\./)
    expect(good).toMatchObject({ keeps: all })
  })

  it('ends when it is told to', async () => {
    const file = composition(['./endless.mjs'], { 'endless.mjs': 'await new Promise(() => undefined)' })
    const reason = new Error('enough')
    expect(await thrownBy(() => checkComposition({ config: file, signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    )
  })

  it('looks at what its environment names as found, on the kernel of its folder', async () => {
    const plain = { 'package.json': '{"dependencies":{"cordis":"4.0.0-rc.10"}}', 'good.mjs': esm }
    const file = composition(['./never.mjs'], plain)
    const from = new URL('.', `file://${file}`).href
    const found = { file, folderUrl: from, imports: [{ name: './good.mjs', from, file }] }
    vi.stubEnv(foundVariable, path.join(tempFolder({ 'found.json': JSON.stringify(found) }), 'found.json'))
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await checkComposition({ config: file })).toMatchObject({
      ok: true,
      plugins: [{ entry: './good.mjs' }],
    })
    expect(process.env[foundVariable]).toBeUndefined()
  })
})
