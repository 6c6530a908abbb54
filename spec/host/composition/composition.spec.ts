import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it } from 'vitest'

import { loadComposition } from '../../../src/host/composition/composition.ts'
import { oddFiles } from '../../support/odd-file.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { problemOf } from '../../support/thrown.ts'

const row = '- name: x\n'

describe('which file is mounted', () => {
  it.each([
    ['cordis.yml', 'cordis.snapshot.yml'],
    ['cordis.yaml', 'cordis.snapshot.yaml'],
    ['cordis.json', 'cordis.snapshot.json'],
    ['x.cordis.yml', 'x.cordis.snapshot.yml'],
  ])('in replay, the sibling of %s: %s', async (name, sibling) => {
    const folder = tempFolder({ [name]: '[]', [sibling]: '[]' })
    const config = path.join(folder, name)
    expect((await loadComposition({ config }, 'replay')).file).toBe(path.join(folder, sibling))
    expect((await loadComposition({ config }, 'record')).file).toBe(config)
    expect((await loadComposition({ config, overlay: false }, 'replay')).file).toBe(config)
  })

  it.each(['cordis.yml', 'other.yml', 'cordis.snapshot.yml'])(
    '%s itself where it has no sibling',
    async name => {
      const folder = tempFolder({ [name]: '[]' })
      expect((await loadComposition({ config: path.join(folder, name) }, 'replay')).file).toBe(
        path.join(folder, name),
      )
    },
  )

  it('the overlay that is named, in replay alone', async () => {
    const folder = tempFolder({ 'cordis.yml': '[]', 'cordis.snapshot.yml': '[]', 'sub/mine.yml': row })
    const options = { config: path.join(folder, 'cordis.yml'), overlay: path.join(folder, 'sub/mine.yml') }
    expect(await loadComposition(options, 'replay')).toMatchObject({
      file: options.overlay,
      folderUrl: pathToFileURL(`${folder}/sub/`).href,
      imports: [{ name: 'x', file: options.overlay }],
    })
    expect((await loadComposition(options, 'record')).file).toBe(options.config)
  })

  it('takes relative paths from the working directory', async () => {
    const config = path.join(tempFolder({ 'cordis.yml': '[]' }), 'cordis.yml')
    expect((await loadComposition({ config: path.relative(process.cwd(), config) }, 'replay')).file).toBe(
      config,
    )
  })

  it.each(oddFiles)('or an error that says it is %s', async (kind, make) => {
    const folder = tempFolder({
      'cordis.yml': '[]',
      'includes.yml': '- { name: "cordis:include", config: { path: ./odd.yml } }',
    })
    const at = (name: string): string => path.join(folder, name)
    for (const name of ['odd.yml', 'cordis.snapshot.yml']) make(at(name))
    for (const [options, odd, what] of [
      [{ config: at('odd.yml') }, 'odd.yml', 'the composition'],
      [{ config: at('cordis.yml') }, 'cordis.snapshot.yml', 'the overlay of the composition'],
      [{ config: at('cordis.yml'), overlay: at('odd.yml') }, 'odd.yml', 'the overlay of the composition'],
      [{ config: at('includes.yml') }, 'odd.yml', `included by ${at('includes.yml')}`],
    ] as const) {
      expect(await problemOf(() => loadComposition(options, 'replay'))).toMatchObject({
        code: 'COMPOSITION_FAILED',
        message: `${at(odd)}: this, ${what}, is not a file, but ${kind}. Name a Loader configuration, such as a cordis.yml.`,
        details: { file: at(odd) },
      })
    }
  })

  it('or an error that names the one that is missing', async () => {
    const folder = tempFolder({ 'cordis.yml': '[]' })
    const config = path.join(folder, 'cordis.yml')
    for (const options of [
      { config: path.join(folder, 'no.yml') },
      { config, overlay: path.join(folder, 'no.yml') },
    ]) {
      const error = await problemOf(() => loadComposition(options, 'replay'))
      expect(error.code).toBe('COMPOSITION_FAILED')
      expect(error.message).toContain(`${options.overlay ?? options.config}: this file`)
    }
  })
})

describe('which modules are imported', () => {
  it('those that rows name, in list order, with the folder whose file names them', async () => {
    const folder = tempFolder({
      'cordis.yml': `
        - name: a
        - name: cordis:include
          config: { path: ./sub/more.yml, patches: [{ id: off, disabled: true }] }
        - name: '@deepseek-ai/cordis-plugin-include'
          config: { path: './with space.json' }
        - name: cordis:group
          config: [{ name: b }]
        - name: c
          disabled: true`,
      'sub/more.yml': '- { id: off, name: not-this }\n- name: ./plugin.js\n',
      'with space.json': '[{"name":"d"}]',
    })
    const { imports } = await loadComposition(
      { config: path.join(folder, 'cordis.yml'), patches: [{ insert: [{ name: 'e' }] }] },
      'replay',
    )
    const at = pathToFileURL(`${folder}/`).href
    expect(imports.map(({ name, from, file }) => [name, from, path.relative(folder, file)])).toEqual([
      ['a', at, 'cordis.yml'],
      ['./plugin.js', `${at}sub/`, 'sub/more.yml'],
      ['d', at, 'with space.json'],
      ['b', at, 'cordis.yml'],
      ['e', at, 'cordis.yml'],
    ])
  })

  it('of the file that a patch makes an include name', async () => {
    const folder = tempFolder({
      'cordis.yml': '- { id: inc, name: cordis:include, config: { path: ./missing.yml } }',
      'there.yml': row,
    })
    const { imports } = await loadComposition(
      {
        config: path.join(folder, 'cordis.yml'),
        patches: [{ id: 'inc', config: { path: './there.yml' } }],
      },
      'replay',
    )
    expect(imports.map(({ name }) => name)).toEqual(['x'])
  })

  it('the same file twice where it is included twice', async () => {
    const include = '- { name: cordis:include, config: { path: ./one.yml } }\n'
    const folder = tempFolder({ 'cordis.yml': include + include, 'one.yml': row })
    const { imports } = await loadComposition({ config: path.join(folder, 'cordis.yml') }, 'replay')
    expect(imports).toHaveLength(2)
  })

  it('or an error where an include is missing, naming it and who names it', async () => {
    const folder = tempFolder({ 'cordis.yml': '- { name: cordis:include, config: { path: ./no.yml } }' })
    const error = await problemOf(() =>
      loadComposition({ config: path.join(folder, 'cordis.yml') }, 'replay'),
    )
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain(path.join(folder, 'no.yml'))
    expect(error.message).toContain(`included by ${path.join(folder, 'cordis.yml')}`)
  })

  it('or an error where an include names no file', async () => {
    const folder = tempFolder({
      'cordis.yml': '- { name: cordis:include, config: { path: "https://example.com/x.yml" } }',
    })
    const error = await problemOf(() =>
      loadComposition({ config: path.join(folder, 'cordis.yml') }, 'replay'),
    )
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain('https://example.com/x.yml')
  })

  it('or an error where files include each other', async () => {
    const include = (name: string) => `- { name: cordis:include, config: { path: ./${name} } }`
    const folder = tempFolder({ 'cordis.yml': include('other.yml'), 'other.yml': include('cordis.yml') })
    const error = await problemOf(() =>
      loadComposition({ config: path.join(folder, 'cordis.yml') }, 'replay'),
    )
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain(`${path.join(folder, 'cordis.yml')}: this file includes itself`)
  })

  it('or an error of an included file, with its line', async () => {
    const folder = tempFolder({
      'cordis.yml': '- { name: cordis:include, config: { path: ./other.yml } }',
      'other.yml': '- name: x\n- nothing: y\n',
    })
    const error = await problemOf(() =>
      loadComposition({ config: path.join(folder, 'cordis.yml') }, 'replay'),
    )
    expect(error.message).toContain(`${path.join(folder, 'other.yml')}:2: this entry has no name`)
  })
})
