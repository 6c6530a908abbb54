import fs, { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

import { describe, expect, it } from 'vitest'

import { installScopes } from '../../../src/host/in-process/install.ts'
import { slot } from '../../../src/host/in-process/scope.ts'
import { runScript, sourceUrl } from '../support/plain-node.ts'
import { startRun } from '../support/start-run.ts'

describe('installScopes', () => {
  it('wraps once, however often it is called', () => {
    installScopes()
    const wrapped = () => [
      ...['cwd', 'exit'].map(name => Reflect.get(process, name) as unknown),
      fs.readFileSync,
    ]
    const before = [wrapped(), process.listenerCount('exit')]
    installScopes()
    expect([wrapped(), process.listenerCount('exit')]).toEqual(before)
  })

  it('ends every live run with the process, and leaves nothing of theirs', async () => {
    const [one, two] = [await startRun(), await startRun()]
    const seen: unknown[] = []
    for (const { inside } of [one, two])
      inside(() => process.on('exit', code => seen.push([code, process.cwd()])))
    const [ours] = process.listeners('exit').filter(listener => listener.toString().includes('slot.live'))
    ours?.(5)
    expect(seen).toEqual([
      [5, one.host.cwd],
      [5, two.host.cwd],
    ])
    expect(existsSync(one.host.folders.real)).toBe(false)
  })

  it('serves named imports that were made before, in plain Node as well', async () => {
    const seen = await runScript(`
      import { readFile, writeFile } from 'node:fs/promises'
      import { existsSync } from 'node:fs'
      import { cwd, env } from 'node:process'
      import { homedir, tmpdir } from 'node:os'
      import { spawnSync } from 'node:child_process'
      import { EventEmitter } from 'node:events'
      import { createFsFromVolume, Volume } from 'memfs'
      import { installScopes } from ${JSON.stringify(sourceUrl('host/in-process/install.ts'))}
      import { slot } from ${JSON.stringify(sourceUrl('host/in-process/scope.ts'))}
      import { virtualRoot } from ${JSON.stringify(sourceUrl('host/in-process/disk/virtual-path.ts'))}
      const before = [cwd(), homedir(), tmpdir(), env.PATH]
      installScopes()
      const disk = createFsFromVolume(new Volume())
      disk.mkdirSync(virtualRoot, { recursive: true })
      const scope = { cwd: '/usr', home: '/the/home', env: { OWN: 'yes', PATH: env.PATH }, disk, processEvents: new EventEmitter() }
      const inside = await slot.scopes.run(scope, async () => {
        await writeFile(virtualRoot + '/a', 'virtual')
        return [await readFile(virtualRoot + '/a', 'utf8'), existsSync(virtualRoot + '/a'), cwd(), homedir(), env.OWN, spawnSync('pwd').stdout.toString()]
      })
      console.log(JSON.stringify({
        inside,
        outside: [existsSync(virtualRoot + '/a'), env.OWN ?? null],
        same: JSON.stringify(before) === JSON.stringify([cwd(), homedir(), tmpdir(), env.PATH]),
      }))
    `)
    expect(seen).toEqual({
      inside: ['virtual', true, '/usr', '/the/home', 'yes', '/usr\n'],
      outside: [false, null],
      same: true,
    })
  })

  it('keeps errors of a callback inside a run where they belong', async () => {
    const { inside } = await startRun()
    await expect(inside(() => readFile('missing'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(slot.installed).toBe(true)
  })
})
