import { describe, expect, it } from 'vitest'

import { includeOf, parseEntries } from '../../../src/host/composition/entries.ts'
import { problemOf } from '../../support/thrown.ts'

const file = '/project/cordis.yml'

describe('parseEntries', () => {
  it('reads YAML and JSON alike, also JSON that is indented by tabs', () => {
    const rows = [{ id: 'a', name: 'x', config: { deep: [1, 'two', null] } }, { name: 'y' }]
    expect(parseEntries('- id: a\n  name: x\n  config: { deep: [1, two, null] }\n- name: y\n', file)).toEqual(
      rows,
    )
    expect(parseEntries(JSON.stringify(rows), 'cordis.json')).toEqual(rows)
    expect(parseEntries(JSON.stringify(rows, null, '\t'), 'cordis.json')).toEqual(rows)
  })

  it('keeps expressions as the Loader knows them', () => {
    const [row] = parseEntries(
      "- name: x\n  disabled: !!js process.env.A === 'b'\n  config: { a: !!js 1 + 1 }\n",
      file,
    )
    expect(row).toEqual({
      name: 'x',
      disabled: { __jsExpr: "process.env.A === 'b'" },
      config: { a: { __jsExpr: '1 + 1' } },
    })
  })

  it('reads a composition of no entries', () => {
    expect(parseEntries('[]\n', file)).toEqual([])
  })

  it.each([
    ['- name: x\n- name: y\n  config: { a: [1\n', `${file}:4: not valid YAML`],
    ['- name: x\n  name: y\n', `${file}:2: not valid YAML`],
    ['[{"name": "x"},\n {"name" "y"}]', `${file}:2: not valid YAML`],
    ['', `${file}:1: expected a list of entries, each with a name, but found nothing`],
    ['# only words\n', 'but found nothing'],
    ['# words\nname: x\n', `${file}:2: expected a list of entries, each with a name, but found {"name":"x"}`],
    [
      '- name: x\n\n- id: y\n',
      `${file}:3: this entry has no name, but every entry names its plugin: found {"id":"y"}`,
    ],
    ['- name: x\n- just-text\n', `${file}:2: this entry has no name`],
    ['- name: 7\n', `${file}:1: this entry has no name`],
    ['- name: cordis:group\n  config:\n    - name: x\n    - id: y\n', `${file}:4: this entry has no name`],
    ['- &a\n  name: x\n- <<: *b\n', `${file}: not valid YAML: Unresolved alias`],
  ])('names file and line of what is wrong: %j', async (text, message) => {
    const error = await problemOf(() => parseEntries(text, file))
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain(message)
  })

  it('refuses a file whose aliases grow without bounds', async () => {
    const levels = Array.from(
      { length: 20 },
      (_, n) => `l${n}: &l${n} [${n === 0 ? 'x' : `*l${n - 1}, *l${n - 1}`}]`,
    )
    const text = `- name: x\n  config:\n    ${levels.join('\n    ')}\n`
    expect(await problemOf(() => parseEntries(text, file))).toMatchObject({ code: 'COMPOSITION_FAILED' })
  })
})

describe('includeOf', () => {
  const patches = [{ id: 'a', disabled: true }]

  it.each(['cordis:include', '@deepseek-ai/cordis-plugin-include', '@cordisjs/plugin-include'])(
    'reads path and patches of %s',
    name => {
      expect(includeOf({ name, config: { path: './x.yml', patches } })).toEqual({ path: './x.yml', patches })
    },
  )

  it('finds nothing in other rows, nor where the path is an expression', () => {
    expect(includeOf({ name: 'x', config: { path: './x.yml' } })).toBeUndefined()
    expect(includeOf({ name: 'cordis:include' })).toBeUndefined()
    expect(includeOf({ name: 'cordis:include', config: { path: { __jsExpr: 'x' } } })).toBeUndefined()
  })
})
