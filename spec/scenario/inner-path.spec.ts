import { posix, win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryNameProblem, innerPathProblem } from '../../src/scenario/inner-path.ts'

const anyPath = fc
  .array(fc.constantFrom('..', '.', '', 'a', '...', '..a', 'C:', 'b c', '/', '\\', '/', '\\', '\0'), {
    maxLength: 8,
  })
  .map(parts => parts.join(''))

describe('innerPathProblem', () => {
  it.each([
    ['/etc/passwd', 'it is absolute'],
    ['\\\\server\\share', 'it is absolute'],
    ['C:\\x', 'it is absolute'],
    ['c:x', 'it is absolute'],
    ['..', 'it has a ".." segment'],
    ['a/../b', 'it has a ".." segment'],
    ['a\\..\\b', 'it has a ".." segment'],
    ['a\0b', 'it holds a NUL'],
    ['', 'it names no file'],
    ['./', 'it names no file'],
  ])('refuses %j', (path, problem) => {
    expect(innerPathProblem(path)).toBe(problem)
  })

  it.each(['a', '.ready', 'a/b.txt', 'a\\b', './a', '..a/b..', '...'])('takes %j', path => {
    expect(innerPathProblem(path)).toBeUndefined()
  })

  it('takes no path that leads out of a folder, whichever way it is resolved', () => {
    fc.assert(
      fc.property(anyPath, path => {
        fc.pre(innerPathProblem(path) === undefined)
        expect(posix.resolve('/run/cwd', path)).toMatch(/^\/run\/cwd\/./)
        expect(win32.resolve('D:\\run\\cwd', path)).toMatch(/^D:\\run\\cwd\\./)
        expect(path).not.toContain('\0')
      }),
      { numRuns: 2000 },
    )
  })
})

describe('entryNameProblem', () => {
  it.each([
    ['a/b', 'it has a path separator'],
    ['a\\b', 'it has a path separator'],
    ['..', 'it has a ".." segment'],
    ['.', 'it names no file'],
    ['', 'it names no file'],
    ['a\0', 'it holds a NUL'],
    ['C:', 'it is absolute'],
  ])('refuses %j', (name, problem) => {
    expect(entryNameProblem(name)).toBe(problem)
  })

  it.each(['text-turn', '..a', 'constructor'])('takes %j', name => {
    expect(entryNameProblem(name)).toBeUndefined()
  })
})
