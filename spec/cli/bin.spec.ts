import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, cpSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

import { describe, expect, it, onTestFinished } from 'vitest'

import { bundledScenarios, dshComposition, root } from '../support/paths.ts'
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

  it('stops at SIGINT and leaves nothing behind', async () => {
    const temp = tempFolder()
    const folder = tempFolder()
    cpSync(path.join(bundledScenarios, 'cancel-in-stream'), path.join(folder, 'endless'), { recursive: true })
    const steps = [
      { op: 'initialize' },
      { op: 'newSession' },
      { op: 'prompt', text: 'Count to a million, slowly.' },
    ]
    writeFileSync(path.join(folder, 'endless', 'input.json'), JSON.stringify({ steps }))
    const argv = [bin, 'run', folder, '--composition', dshComposition]
    const child = spawn(process.execPath, argv, { env: { ...process.env, TMPDIR: temp } })
    const stderr = text(child.stderr)
    const closed = once(child, 'close')
    // The stream is open once its ready file is there.
    const watcher = watch(temp, { recursive: true, signal: AbortSignal.timeout(20_000) })
    for await (const { filename } of watcher) if (filename?.endsWith('.stream-open') === true) break
    child.kill('SIGINT')
    expect(await closed).toEqual([130, null])
    expect(await stderr).toBe('acp-snapshot: interrupted\n')
    expect(readdirSync(temp)).toEqual([])
  })

  it.each([
    ['text-turn', 0],
    ['.', 1],
  ])('says how it went though nobody reads its output (%s: %i)', async (name, code) => {
    const folder = tempFolder({ 'broken/input.json': '{' })
    cpSync(path.join(bundledScenarios, 'text-turn'), path.join(folder, 'text-turn'), { recursive: true })
    const argv = [bin, 'run', path.join(folder, name), '--composition', dshComposition]
    const child = spawn(process.execPath, argv)
    child.stdout.destroy()
    const stderr = text(child.stderr)
    expect(await once(child, 'close')).toEqual([code, null])
    expect(await stderr).toBe('')
  })

  it('fails where its output cannot be written', async () => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const argv = [bin, 'run', path.join(bundledScenarios, 'text-turn')]
    const child = spawn(process.execPath, argv, { stdio: ['ignore', full, 'pipe'] })
    const stderr = child.stderr === null ? '' : text(child.stderr)
    expect(await once(child, 'close')).toEqual([1, null])
    expect(await stderr).toMatch(/^acp-snapshot: the output could not be written: .*ENOSPC.*\n$/)
  })

  it('ends though a plugin has left a timer', async () => {
    const folder = tempFolder(
      {
        'cordis.yml': '- name: ./ticking.mjs\n',
        'ticking.mjs':
          'export const name = "ticking"\nexport const apply = () => void setInterval(() => {}, 1000)\n',
        'one/input.json': '{ "steps": [] }',
        'one/session.jsonl': '{"type":"session","version":0,"id":"x","createdAt":0,"delegationDepth":0}\n',
        'one/stdout.expected.jsonl': '',
      },
      path.dirname(bundledScenarios),
    )
    const { code, stdout } = await run([bin, 'run', folder])
    expect(stdout).toContain('FAIL one')
    expect(code).toBe(1)
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
