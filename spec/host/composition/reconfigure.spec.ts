import { describe, expect, it } from 'vitest'

import { runConfiguration } from '../../../src/host/composition/reconfigure.ts'
import type { RunFolders } from '../../../src/host/folders/run-folders.ts'

const folders = { cwd: '/run/workspace', sessions: '/virtual/sessions', spill: '/run/spill' } as RunFolders
const stream = { readable: 'r', writable: 'w' }
const configure = runConfiguration(folders, () => stream)

describe('runConfiguration', () => {
  it('gives the ACP bridge its transport, whatever else it is configured with', () => {
    expect(configure('acp', { provider: 'p', stream: 'other' })).toEqual({ provider: 'p', stream })
    expect(configure('acp', undefined)).toEqual({ stream })
  })

  it('opens the transport for nobody else: it takes standard input', () => {
    let opened = 0
    const lazy = runConfiguration(folders, () => (opened += 1))
    lazy('LocalFileSystem', {})
    lazy('other', {})
    expect(opened).toBe(0)
    expect(lazy('acp', {})).toEqual({ stream: 1 })
  })

  it("puts plain logs into the run's own place, against what the composition says", () => {
    expect(
      configure('JsonlSessionPersistence', { root: './.sessions', compression: 'zstd', keep: 1 }),
    ).toEqual({
      root: folders.sessions,
      compression: 'none',
      keep: 1,
    })
  })

  it.each([
    ['LocalFileSystem', { cwd: folders.cwd }],
    ['SandboxedFileSystem', { cwd: folders.cwd }],
    ['LocalSpillStore', { root: folders.spill }],
  ])("fills in the run's folder for %s where it is left open", (plugin, filled) => {
    expect(configure(plugin, undefined)).toEqual(filled)
    expect(configure(plugin, null)).toEqual(filled)
    const [key = ''] = Object.keys(filled)
    // An expression that finds no value leaves its key undefined.
    expect(configure(plugin, { [key]: undefined, other: 1 })).toEqual({ ...filled, other: 1 })
    expect(configure(plugin, { [key]: '/mine' })).toEqual({ [key]: '/mine' })
  })

  it('leaves all other plugins alone', () => {
    const config = { a: undefined }
    expect(configure('other', config)).toBe(config)
    expect(configure('toString', undefined)).toBeUndefined()
  })
})
