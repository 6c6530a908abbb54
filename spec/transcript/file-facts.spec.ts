import { describe, expect, it } from 'vitest'
import type { FileFact } from '../../src/scenario/index.ts'
import { checkFacts } from '../../src/transcript/check-facts.ts'
import { evidence } from './facts-evidence.ts'

describe('files', () => {
  const workspace = new Map<string, Uint8Array>([
    ['notes.txt', Buffer.from('one\ntwo\n')],
    ['empty', Buffer.alloc(0)],
    ['marked.txt', Buffer.from('\uFEFFx')],
    ['src/deep/a.ts', Buffer.from('export {}')],
    ['picture', Buffer.from([0xff, 0xfe, 0x00])],
  ])

  it.each<[string, FileFact]>([
    ['notes.txt', { equals: 'one\ntwo\n' }],
    ['./notes.txt', { contains: 'two' }],
    ['notes.txt', { matches: '^one\\ntwo$|^one' }],
    ['src\\deep\\a.ts', { equals: 'export {}' }],
    ['src/./deep//a.ts', { equals: 'export {}' }],
    ['empty', { equals: '' }],
    ['marked.txt', { equals: '\uFEFFx' }],
    ['gone.txt', { absent: true }],
    ['not', { absent: true }],
  ])('%s is as it should be: %j', (path, fact) => {
    expect(checkFacts({ toolErrors: [], files: { [path]: fact } }, { ...evidence([]), workspace })).toEqual(
      [],
    )
  })

  it.each<[string, FileFact, unknown, string]>([
    ['notes.txt', { equals: 'one\n' }, 'one\ntwo\n', '.equals: expected "one\\n", found "one\\ntwo\\n"'],
    ['notes.txt', { contains: '3' }, 'one\ntwo\n', '.contains: expected "3" in it, found "one\\ntwo\\n"'],
    [
      'notes.txt',
      { matches: '^two' },
      'one\ntwo\n',
      '.matches: expected a match of /^two/, found "one\\ntwo\\n"',
    ],
    [
      'notes.txt',
      { absent: true },
      'a file of 8 bytes',
      '.absent: expected no file, found a file of 8 bytes',
    ],
    ['src', { absent: true }, 'a folder', '.absent: expected no file, found a folder'],
    ['src', { equals: 'x' }, undefined, '.equals: expected "x", found a folder'],
    ['gone.txt', { equals: 'x' }, undefined, '.equals: expected "x", found no file'],
    ['gone.txt', { contains: 'x' }, undefined, '.contains: expected "x" in it, found no file'],
    ['gone.txt', { matches: 'x' }, undefined, '.matches: expected a match of /x/, found no file'],
    [
      'picture',
      { matches: '' },
      undefined,
      '.matches: expected a match of //, found a file of 3 bytes that are not UTF-8',
    ],
  ])('%s is not as it should be: %j', (path, fact, actual, told) => {
    const files = { [path]: fact }
    const [difference, ...others] = checkFacts({ toolErrors: [], files }, { ...evidence([]), workspace })
    expect(others).toEqual([])
    const place = path === 'notes.txt' || path === 'gone.txt' ? `files["${path}"]` : `files.${path}`
    expect(difference?.message).toBe(`facts.json ${place}${told}`)
    expect(difference?.actual).toBe(actual)
  })

  it('are not checked where nobody has looked at them', () => {
    expect(checkFacts({ toolErrors: [], files: { 'gone.txt': { equals: 'x' } } }, evidence([]))).toEqual([])
  })
})
