import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { loadComposition } from '../../../src/host/composition/composition.ts'
import { entryImporter, importAll } from '../../../src/host/composition/import-all.ts'
import { problemOf } from '../../support/thrown.ts'
import { compositionFolder } from '../support/composition-folder.ts'

const plugin = (name: string): string => `
  ;(globalThis.specImported ??= []).push(${JSON.stringify(name)})
  export const name = ${JSON.stringify(name)}
  export const apply = () => undefined
`

const load = async (files: Readonly<Record<string, string>>, rows: string) => {
  const folder = compositionFolder({ ...files, 'cordis.yml': rows })
  return await loadComposition({ config: path.join(folder, 'cordis.yml') }, 'replay')
}

describe('importAll', () => {
  it('imports in list order, and then every entry gets what is there', async () => {
    const seen = globalThis as { specImported?: string[] }
    const files = { 'z.mjs': plugin('z'), 'a.mjs': plugin('a'), 'm.mjs': plugin('m') }
    const composition = await load(
      files,
      '- name: ./z.mjs\n- name: ./a.mjs\n- name: spec:own\n- name: ./m.mjs\n',
    )
    const own = { name: 'own', apply: () => undefined }
    const importEntry = entryImporter({ ...composition, modules: { 'spec:own': own } })
    await importAll(composition, importEntry)
    expect(seen.specImported).toEqual(['z', 'a', 'm'])
    const { folderUrl } = composition
    expect(await importEntry('./a.mjs', folderUrl)).toMatchObject({ name: 'a' })
    expect(await importEntry('spec:own', folderUrl)).toBe(own)
    expect(seen.specImported).toHaveLength(3)
  })
})

describe('entryImporter', () => {
  it('names the file that has the entry; for one that came later, the composition', async () => {
    const composition = await load(
      { 'inner.yml': '- name: ./gone.mjs\n' },
      `- name: cordis:include\n  config:\n    path: ./inner.yml\n`,
    )
    const importEntry = entryImporter(composition)
    const { message } = await problemOf(() => importEntry('./gone.mjs', composition.folderUrl))
    expect(message).toContain('inner.yml names the module "./gone.mjs"')
    const later = await problemOf(() => importEntry('./later.mjs', composition.folderUrl))
    expect(later.message).toContain('cordis.yml names the module "./later.mjs"')
  })

  it('refuses a plugin that the Loader would take less of', async () => {
    const lossy = `${plugin('lossy')}\nexport const inject = ['llm']\nexport default apply`
    const composition = await load({ 'lossy.mjs': lossy }, '- name: ./lossy.mjs\n')
    const error = await problemOf(() => entryImporter(composition)('./lossy.mjs', composition.folderUrl))
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.details).toMatchObject({ lost: ['inject'] })
  })
})
