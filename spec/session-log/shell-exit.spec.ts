import { describe, expect, it } from 'vitest'
import { markedExitCode, shellExitCode } from '../../src/session-log/shell-exit.ts'

const NOTICE =
  '\n\n(Omitted 900 bytes. Full formatted result stored at: /tmp/bash.txt. Use read with offset/limit.)'

describe('markedExitCode', () => {
  it.each([
    ['(no output)\n[exit code: 1]', 1],
    ['out\n[stderr]\nbad\n[sandbox: file access denied under read-only mode]\n[exit code: 126]', 126],
    ['late\n[timed out after 50ms]\n[exit code: 143]', 143],
    ['windows\n[exit code: -1]', -1],
    [`much\n[exit code: 2]${NOTICE}`, 2],
    ['3\n', undefined],
    ['[exit code: 1]', undefined],
    ['[exit code: 1]\nand then more', undefined],
    ['out\n[exit code: null]', undefined],
  ])('of %j is %j', (text, code) => expect(markedExitCode(text)).toBe(code))
})

describe('shellExitCode', () => {
  it.each([
    ['output alone', '3\n', 0],
    ['no output', '(no output)', 0],
    ['a denial that the command did not mind', 'x\n[sandbox: file access denied under read-only mode]', 0],
    ['much output', `much${NOTICE}`, 0],
    ['a marker', 'x\n[exit code: 7]', 7],
    ['a signal', 'x\n[killed by signal: SIGKILL]', undefined],
    ['a timeout', 'x\n[timed out after 50ms]\n[killed by signal: SIGTERM]', undefined],
    ['a timeout that the process ended on with 0', 'x\n[timed out after 50ms]', undefined],
    ['a signal after much output', `much\n[killed by signal: SIGKILL]${NOTICE}`, undefined],
    ['a code that nobody knows', 'x\n[exit code: null]', undefined],
    ['a start in the background', 'started background job job_1', undefined],
    ['output about a start', 'started background job job_1\n', 0],
  ])('%s: %j is %j', (_what, text, code) => {
    expect(shellExitCode({ text, isError: false })).toBe(code)
  })

  it('is that of no process where the call failed', () => {
    const text = 'x\n[exit code: 7]'
    expect(shellExitCode({ text, isError: true })).toBeUndefined()
    expect(shellExitCode({ text, isError: false, error: {} })).toBeUndefined()
  })
})
