import { truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { readRows } from '../../../src/host/composition/read-rows.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { problemOf } from '../../support/thrown.ts'

describe('readRows', () => {
  it('parses a file once, and again when it has changed', async () => {
    const file = path.join(tempFolder({ 'cordis.yml': '- name: a\n' }), 'cordis.yml')
    const rows = await readRows(file)
    expect(rows).toEqual([{ name: 'a' }])
    expect(await readRows(file)).toBe(rows)
    writeFileSync(file, '- name: b\n')
    expect(await readRows(file)).toEqual([{ name: 'b' }])
  })

  it('does not keep what is wrong', async () => {
    const file = path.join(tempFolder({ 'cordis.yml': '- 7\n' }), 'cordis.yml')
    expect((await problemOf(() => readRows(file))).message).toMatch(new RegExp(`^${file}:1: this entry`))
    writeFileSync(file, '- name: a\n')
    expect(await readRows(file)).toEqual([{ name: 'a' }])
  })

  it.each([
    ['a list that holds itself', '- &a [*a]\n'],
    ['a group that holds itself', '- &a { name: "cordis:group", config: [*a] }\n'],
  ])('names the file of %s', async (_what, text) => {
    const file = path.join(tempFolder({ 'cordis.yml': text }), 'cordis.yml')
    const { code, message } = await problemOf(() => readRows(file))
    expect(code).toBe('COMPOSITION_FAILED')
    expect(message).toContain(`${file}: its rows can't be read: `)
    expect(message).toMatch(
      /An alias must not lead to what holds it, as in "- &a \[\*a\]". Correct the file\.$/,
    )
  })

  it('names a file that cannot be read', async () => {
    const file = path.join(tempFolder({ 'cordis.yml': '' }), 'cordis.yml')
    truncateSync(file, 3 * 2 ** 30)
    const { code, message } = await problemOf(() => readRows(file))
    expect(code).toBe('COMPOSITION_FAILED')
    expect(message).toContain(`${file}: this file can't be read: RangeError`)
  })
})
