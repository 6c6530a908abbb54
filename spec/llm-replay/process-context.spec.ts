import { mkdirSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { processContext } from '../../src/llm-replay/process-context.ts'
import { createNormalizer } from '../../src/transcript/index.ts'
import { tempFolder } from '../support/temp-folder.ts'

const variables = ['DSH_SNAPSHOT_SPILL_ROOT', 'DSH_SNAPSHOT_SESSIONS_ROOT', 'TMPDIR', 'HOME']

/** A folder of the test's own, and a link to it. */
function linked(): { readonly real: string; readonly link: string } {
  const folder = tempFolder()
  const [real, link] = [path.join(folder, 'real'), path.join(folder, 'link')]
  mkdirSync(real)
  symlinkSync(real, link)
  return { real, link }
}

describe('processContext', () => {
  beforeEach(() => {
    for (const name of variables.slice(0, 3)) vi.stubEnv(name, undefined)
  })

  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  it('is the folders of the process, and no spill or log folder where none is named', () => {
    const context = processContext()
    expect(context).toMatchObject({ sessionIds: [], spillRoots: [], sessionRoots: [] })
    expect(context.cwds).toContain(process.cwd())
    expect(context.homes).toContain(os.homedir())
    expect(context.temps).toContain(os.tmpdir())
  })

  it('has each folder as it is called and as its links lead, read anew each time', () => {
    const [cwd, spill, sessions, temp, home] = [linked(), linked(), linked(), linked(), linked()]
    vi.spyOn(process, 'cwd').mockReturnValue(cwd.link)
    vi.stubEnv('DSH_SNAPSHOT_SPILL_ROOT', spill.link)
    vi.stubEnv('DSH_SNAPSHOT_SESSIONS_ROOT', sessions.link)
    vi.stubEnv('TMPDIR', temp.link)
    vi.stubEnv('HOME', home.link)
    expect(processContext()).toMatchObject({
      cwds: [cwd.link, cwd.real],
      spillRoots: [spill.link, spill.real],
      sessionRoots: [sessions.link, sessions.real],
      homes: [home.link, home.real],
    })
    expect(new Set(processContext().temps)).toEqual(new Set([temp.link, temp.real]))
    vi.stubEnv('DSH_SNAPSHOT_SPILL_ROOT', sessions.real)
    expect(processContext().spillRoots).toEqual([sessions.real])
  })

  it("has the temporary folder of the variable beside the system's, which need not be the same", () => {
    vi.stubEnv('TMPDIR', '/run/tmp')
    vi.spyOn(os, 'tmpdir').mockReturnValue('/shared/tmp')
    expect(processContext().temps).toEqual(['/run/tmp', '/shared/tmp'])
  })

  it('has a folder that is not there yet', () => {
    vi.stubEnv('DSH_SNAPSHOT_SESSIONS_ROOT', '/nowhere/sessions')
    expect(processContext().sessionRoots).toEqual(['/nowhere/sessions'])
  })

  it('makes tokens of what a process has of its own', () => {
    vi.spyOn(process, 'cwd').mockReturnValue('/run/cwd')
    vi.spyOn(os, 'tmpdir').mockReturnValue('/run/tmp')
    vi.stubEnv('HOME', '/run/home')
    vi.stubEnv('DSH_SNAPSHOT_SESSIONS_ROOT', '/run/sessions')
    vi.stubEnv('DSH_SNAPSHOT_SPILL_ROOT', '/run/spill')
    const normalizer = createNormalizer(processContext())
    expect(normalizer.text('/run/cwd/a /run/tmp/b /run/home/c /run/sessions/d')).toBe(
      '{{cwd}}/a {{tmp}}/b {{home}}/c {{sessions}}/d',
    )
    expect(normalizer.text('/run/spill/session-0123456789ab/0123456789ab-out.txt')).toBe(
      '{{spillLocator:out.txt}}',
    )
  })
})
