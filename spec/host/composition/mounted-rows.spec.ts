import { describe, expect, it } from 'vitest'

import { parseEntries, type EntryPatch } from '../../../src/host/composition/entries.ts'
import { mountedRows } from '../../../src/host/composition/mounted-rows.ts'
import { problemOf } from '../../support/thrown.ts'

const file = '/project/cordis.yml'
const names = (text: string, patches: readonly EntryPatch[] = []) =>
  mountedRows(parseEntries(text, file), patches, file).map(row => row.name)

describe('mountedRows', () => {
  it('gives groups and what is in them in list order', () => {
    const text = `
      - name: a
      - name: cordis:group
        config: [{ name: b }, { name: '@deepseek-ai/cordis-plugin-group', config: [{ name: c }] }]
      - { name: own-group, group: true, config: [{ name: d }] }
      - { name: no-group, config: [{ name: not-an-entry }] }`
    expect(names(text)).toEqual([
      'a',
      'cordis:group',
      'b',
      '@deepseek-ai/cordis-plugin-group',
      'c',
      'own-group',
      'd',
      'no-group',
    ])
  })

  it('leaves out what is switched off, or is so by an expression, with all that is in it', () => {
    const text = `
      - { name: a, disabled: true }
      - { name: b, disabled: false }
      - { name: c, disabled: null }
      - { name: d, disabled: !!js 'true' }
      - { name: cordis:group, disabled: true, config: [{ name: e }] }
      - { name: cordis:group, config: [{ name: f, disabled: true }, { name: g }] }`
    expect(names(text)).toEqual(['b', 'c', 'cordis:group', 'g'])
  })

  it('takes patches as the include does: switched off, switched on, inserted, changed', () => {
    const text = `
      - { id: a, name: x, disabled: true }
      - { id: b, name: y }
      - { id: g, name: cordis:group, group: true, config: [{ id: c, name: z }] }`
    expect(names(text, [{ id: 'a', disabled: false }])).toEqual(['x', 'y', 'cordis:group', 'z'])
    expect(names(text, [{ id: 'b', disabled: true }])).toEqual(['cordis:group', 'z'])
    expect(names(text, [{ id: 'c', disabled: true }])).toEqual(['y', 'cordis:group'])
    expect(names(text, [{ id: 'g', disabled: true }])).toEqual(['y'])
    expect(names(text, [{ insert: [{ name: 'new' }] }])).toEqual(['y', 'cordis:group', 'z', 'new'])
    expect(names(text, [{ id: 'g', insert: [{ name: 'new' }] }])).toEqual(['y', 'cordis:group', 'z', 'new'])
    expect(names(text, [{ id: 'b', config: { a: 1 } }])).toEqual(['y', 'cordis:group', 'z'])
  })

  it('takes the last of two patches, and patches what an earlier one inserted', () => {
    const text = '- { id: a, name: x }'
    expect(
      names(text, [
        { id: 'a', disabled: true },
        { id: 'a', disabled: false },
      ]),
    ).toEqual(['x'])
    expect(names(text, [{ insert: [{ id: 'n', name: 'new' }] }, { id: 'n', disabled: true }])).toEqual(['x'])
  })

  it('gives what is in an inserted group', () => {
    expect(names('[]', [{ insert: [{ name: 'cordis:group', config: [{ name: 'x' }] }] }])).toEqual([
      'cordis:group',
      'x',
    ])
  })

  it('takes the name in a patch as a claim, not as a change: another name skips the patch', () => {
    const text = '- { id: a, name: x }'
    expect(names(text, [{ id: 'a', name: 'x', disabled: true }])).toEqual([])
    expect(names(text, [{ id: 'a', name: 'y', disabled: true }])).toEqual(['x'])
  })

  it('passes over patches of rows that are not there, as the include does', () => {
    const text = '- { id: a, name: x }'
    const patches = [
      { id: 'no', disabled: true },
      { disabled: true },
      { id: 'no', insert: [{ name: 'y' }] },
      { id: 'a', insert: [{ name: 'y' }] },
    ]
    expect(names(text, patches)).toEqual(['x'])
  })

  it('takes configuration that is no data, as a test may insert it', () => {
    const config = { listener: () => 1 }
    const [row] = mountedRows([], [{ insert: [{ name: 'x', config }] }], file)
    expect(row?.config).toBe(config)
  })

  it('leaves the rows that it was given as they were', () => {
    const rows = parseEntries('- { name: g, group: true, config: [{ id: a, name: x }] }', file)
    const insert = [{ name: 'h', group: true, config: [{ id: 'b', name: 'y' }] }]
    const before = structuredClone([rows, insert])
    mountedRows(rows, [{ insert }, { id: 'a', disabled: true }, { id: 'b', disabled: true }], file)
    expect([rows, insert]).toEqual(before)
  })

  it('names what a patch inserts without a name', async () => {
    const error = await problemOf(() => names('[]', [{ insert: [{ id: 'a' }] }]))
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain('found {"id":"a"}')
    expect(error.message).toContain('with its patches')
    await expect(problemOf(() => names('[]', [{ insert: ['text'] }]))).resolves.toMatchObject({
      code: 'COMPOSITION_FAILED',
    })
    await expect(problemOf(() => names('[]', [{ insert: [null] }]))).resolves.toMatchObject({
      code: 'COMPOSITION_FAILED',
    })
  })
})
