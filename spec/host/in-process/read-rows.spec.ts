import { writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { readRows } from '../../../src/host/in-process/read-rows.ts'
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
    expect((await problemOf(() => readRows(file))).message).toContain('cordis.yml:1')
    writeFileSync(file, '- name: a\n')
    expect(await readRows(file)).toEqual([{ name: 'a' }])
  })
})
