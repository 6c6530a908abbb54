import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { writeReadyFile } from '../../src/llm-replay/write-ready-file.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** A working directory with a neighbour that nothing may be written to. */
function workIn(): { readonly cwd: string; readonly outside: string } {
  const folder = tempFolder()
  const [cwd, outside] = [path.join(folder, 'cwd'), path.join(folder, 'outside')]
  mkdirSync(path.join(cwd, 'inner'), { recursive: true })
  mkdirSync(outside)
  return { cwd, outside }
}

describe('writeReadyFile', () => {
  it.each(['open', 'inner/open', '..open'])('writes %s, also over what is there', async name => {
    const { cwd } = workIn()
    const file = path.join(cwd, name)
    await writeReadyFile(name, cwd)
    expect(readFileSync(file, 'utf8')).toBe('')
    writeFileSync(file, 'old')
    await writeReadyFile(name, cwd)
    expect(readFileSync(file, 'utf8')).toBe('')
  })

  it('writes through a link that stays inside', async () => {
    const { cwd } = workIn()
    symlinkSync(path.join(cwd, 'inner'), path.join(cwd, 'link'))
    await writeReadyFile('link/open', cwd)
    expect(existsSync(path.join(cwd, 'inner/open'))).toBe(true)
  })

  it.each(['../outside/open', '../cwd-evil', '..'])('refuses %s, which is not inside', async name => {
    const { cwd, outside } = workIn()
    await expect(writeReadyFile(name, cwd)).rejects.toMatchObject({
      code: 'REPLAY_INVALID',
      message: expect.stringContaining('is not inside the working directory') as string,
    })
    expect(existsSync(path.join(outside, 'open'))).toBe(false)
    expect(existsSync(`${cwd}-evil`)).toBe(false)
  })

  it('refuses links that lead out, to a folder, a file, and what is not there', async () => {
    const { cwd, outside } = workIn()
    writeFileSync(path.join(outside, 'kept'), 'kept')
    symlinkSync(outside, path.join(cwd, 'link'))
    symlinkSync(path.join(outside, 'kept'), path.join(cwd, 'to-file'))
    symlinkSync(path.join(outside, 'new'), path.join(cwd, 'to-nothing'))
    for (const name of ['link/open', 'to-file', 'to-nothing']) {
      await expect(writeReadyFile(name, cwd)).rejects.toThrow('a link leads out of it')
    }
    expect(readFileSync(path.join(outside, 'kept'), 'utf8')).toBe('kept')
    expect(existsSync(path.join(outside, 'new'))).toBe(false)
    expect(existsSync(path.join(outside, 'open'))).toBe(false)
  })

  it('refuses what is no file: opening a pipe would wait for whoever reads it', async () => {
    const { cwd } = workIn()
    execFileSync('mkfifo', [path.join(cwd, 'pipe')])
    for (const name of ['pipe', 'inner']) {
      await expect(writeReadyFile(name, cwd)).rejects.toMatchObject({
        code: 'REPLAY_INVALID',
        message: expect.stringMatching(
          new RegExp(`/${name}: the ready file of a hang is there already, and no file`),
        ) as string,
      })
    }
  })

  it('says so where the folder is not there', async () => {
    const { cwd } = workIn()
    await expect(writeReadyFile('missing/open', cwd)).rejects.toThrow(
      /missing\/open: the ready file .* ENOENT/,
    )
  })
})
