import os from 'node:os'
import path from 'node:path'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { main } from '../../src/cli/main.ts'
import { bundledScenarios } from '../support/paths.ts'

describe('an error that is not one of ours', () => {
  afterEach(() => vi.restoreAllMocks())

  it('in a run is reported with its stack, and the next scenario runs', async () => {
    vi.spyOn(os, 'tmpdir').mockImplementation(() => {
      throw new Error('no temporary folder')
    })
    const out: string[] = []
    const folders = ['text-turn', 'todo-list'].map(name => path.join(bundledScenarios, name))
    const code = await main(['run', ...folders], {
      out: line => {
        out.push(line)
        vi.restoreAllMocks()
      },
      error: line => out.push(line),
      color: false,
      signal: new AbortController().signal,
    })
    expect(code).toBe(1)
    expect(out[0]).toMatch(/^FAIL text-turn/)
    expect(out[1]).toMatch(/no temporary folder\n\s+at /)
    expect(out[2]).toMatch(/^ok {3}todo-list/)
  })

  it('in the command itself is printed with its stack', async () => {
    const error: string[] = []
    const code = await main(['--help'], {
      out: () => {
        throw new Error('the pipe broke')
      },
      error: line => error.push(line),
      color: false,
    })
    expect(code).toBe(1)
    expect(error.join('\n')).toMatch(/^acp-snapshot: Error: the pipe broke\n\s+at /)
  })
})
