import { describe, expect, it } from 'vitest'

import type { ReplayEntry } from '../../src/llm-replay/entry.ts'
import { inWorkingDirectory } from '../../src/llm-replay/working-directory.ts'
import { answer } from './logs.ts'

const entryOf = (text: string): ReplayEntry => ({ kind: 'chunks', chunks: answer(text) })

describe('inWorkingDirectory', () => {
  it.each([
    ['{{cwd}}', '/run/cwd'],
    ['{{cwd}}/a and {{cwd}}/b', '/run/cwd/a and /run/cwd/b'],
    ['{"file_path":"{{cwd}}/a"}', '{"file_path":"/run/cwd/a"}'],
    // The escape of a placeholder stays for whoever resolves it.
    ['{{{{cwd}}', '{{{{cwd}}'],
    ['{{cwd', '{{cwd'],
    ['{{home}}/a', '{{home}}/a'],
  ])('makes of %s %s', (text, expected) => {
    expect(inWorkingDirectory(entryOf(text), '/run/cwd')).toEqual(entryOf(expected))
  })

  it('puts the path in as it is', () => {
    expect(inWorkingDirectory(entryOf('{{cwd}}'), "/a$&$'b")).toEqual(entryOf("/a$&$'b"))
  })

  it('uses forward separators, so that the arguments of a tool call stay JSON', () => {
    expect(inWorkingDirectory(entryOf('{{cwd}}/a'), 'C:\\run\\cwd')).toEqual(entryOf('C:/run/cwd/a'))
  })

  it('gives back the very entry where nothing is to be put in', () => {
    const entry = entryOf('no path')
    expect(inWorkingDirectory(entry, '/run/cwd')).toBe(entry)
  })
})
