import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { slot } from '../../../src/host/in-process/scope.ts'
import { serveCommand } from '../../../src/host/subprocess/serve-command.ts'
import { startSubprocess, type SubprocessOptions } from '../../../src/host/subprocess/start-subprocess.ts'
import { isAlive } from '../../support/is-alive.ts'
import { ownTemp } from '../../support/own-temp.ts'
import { dshComposition } from '../../support/paths.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { problemOf, thrownBy } from '../../support/thrown.ts'

const left = ownTemp()

/** A patch of the real agent by a plugin that tells its process in a file. */
function plugin(apply: string): Pick<SubprocessOptions['setup'], 'patches'> & { readonly pidFile: string } {
  const source = `
    import { writeFileSync } from 'node:fs'
    export const name = 'own'
    export async function apply() {
      writeFileSync(new URL('pid', import.meta.url), String(process.pid))
      ${apply}
    }
  `
  const folder = tempFolder({ 'own.mjs': source })
  const row = { id: 'own', name: path.join(folder, 'own.mjs') }
  return { patches: [{ insert: [row] }], pidFile: path.join(folder, 'pid') }
}

const start = (patches: SubprocessOptions['setup']['patches'], options: Partial<SubprocessOptions> = {}) =>
  startSubprocess({
    name: 'spec',
    command: serveCommand(dshComposition),
    composition: dshComposition,
    isServed: true,
    env: () => ({}),
    model: () => ({ routes: [], recorded: [], configure: () => undefined, answer: () => undefined }),
    setup: { mode: 'replay', patches },
    mountTimeoutMs: 20_000,
    disposeTimeoutMs: 10_000,
    ...options,
  })

describe('startSubprocess', () => {
  it('makes the working directory in the folder that is given, and removes it', async () => {
    const { patches, pidFile } = plugin('')
    const parent = tempFolder({ 'other.txt': 'kept' })
    const host = await start(patches, { workspaceParent: parent, workspaceSource: { 'given.txt': 'x' } })
    const pid = Number(readFileSync(pidFile, 'utf8'))
    expect(path.dirname(host.cwd)).toBe(parent)
    expect(readdirSync(host.cwd)).toEqual(['given.txt'])
    expect(isAlive(pid)).toBe(true)
    // Without a disposal before: the run has failed.
    await host[Symbol.asyncDispose]()
    await host[Symbol.asyncDispose]()
    expect(isAlive(pid)).toBe(false)
    expect(readdirSync(parent)).toEqual(['other.txt'])
    expect(left()).toEqual([])
  })

  it('ends where it is told to while the composition mounts, with the reason as it was given', async () => {
    const { patches, pidFile } = plugin('await new Promise(() => {})')
    const abort = new AbortController()
    const reason = new Error('enough')
    const failing = thrownBy(() => start(patches, { signal: abort.signal }))
    const pid = await vi.waitFor(() => {
      const found = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0
      expect(found).toBeGreaterThan(0)
      return found
    }, 10_000)
    abort.abort(reason)
    expect(await failing).toBe(reason)
    expect(isAlive(pid)).toBe(false)
    expect(left()).toEqual([])
  })

  it('leaves nothing where the channel can not be opened', async () => {
    // A process keeps the folder that it made for its first run.
    const before = slot.realRoot
    slot.realRoot = undefined
    onTestFinished(() => {
      slot.realRoot = before
    })
    const temp = path.join(tempFolder(), 'x'.repeat(100))
    mkdirSync(temp)
    vi.stubEnv('TMPDIR', temp)
    const error = await problemOf(() => start([]))
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain('let TMPDIR name a folder with a shorter path')
    expect(error.message).not.toContain('The agent logged')
    expect(readdirSync(temp)).toEqual([])
  })
})
