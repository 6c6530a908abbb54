import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, it } from 'vitest'

import { bundledScenarios, root } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

const bin = path.join(root, 'bin/acp-snapshot.js')

async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const result = await promisify(execFile)(process.execPath, [...argv], {
    env: { ...process.env, ...env },
  }).then(
    output => ({ code: 0, ...output }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  )
  return { code: result.code, stdout: result.stdout, stderr: result.stderr }
}

describe('the bin', () => {
  it('runs a scenario, ends by itself, and leaves nothing behind', async () => {
    const folders = { TMPDIR: tempFolder(), HOME: tempFolder() }
    const { code, stdout, stderr } = await run(
      [bin, 'run', path.join(bundledScenarios, 'bash-turn')],
      folders,
    )
    expect(stderr).toBe('')
    expect(stdout).toContain('1 of 1 scenarios equal')
    expect(code).toBe(0)
    expect(Object.values(folders).map(folder => readdirSync(folder))).toEqual([[], []])
  })

  it('ends with the exit code of its command', async () => {
    expect(await run([bin, 'dance'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('refuses an old Node in one sentence', async () => {
    const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`
    const { code, stdout, stderr } = await run(['--import', old, bin, 'run', bundledScenarios])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      /^acp-snapshot needs Node 22\.15 or later, and this is Node 20\.20\.2: .*node@24.*\n$/,
    )
  })
})
