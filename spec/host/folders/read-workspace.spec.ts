import fs from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { mostOfWorkspace, readWorkspace } from '../../../src/host/folders/read-workspace.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { thrown } from '../../support/thrown.ts'
import { startRun } from '../support/start-run.ts'

const remedy = 'Have the agent leave its working directory where it is: only what it keeps in there is read.'

describe.each(['disk', 'memory'] as const)('the working directory (%s)', workspace => {
  it.each([
    ['a link', (cwd: string) => fs.symlinkSync(path.join(cwd, '../elsewhere'), cwd)],
    ['a link', (cwd: string) => fs.symlinkSync('nowhere', cwd)],
    ['a file', (cwd: string) => fs.writeFileSync(cwd, '')],
  ])('is not read where the agent has put %s in its place', async (kind, put) => {
    const { inside, host } = await startRun({ workspace })
    inside(() => {
      fs.mkdirSync(path.join(host.cwd, '../elsewhere'))
      fs.writeFileSync(path.join(host.cwd, '../elsewhere/key.txt'), 'secret')
      fs.renameSync(host.cwd, `${host.cwd}-moved`)
      put(host.cwd)
    })
    await host.dispose()
    expect(thrown(() => host.workspace())).toMatchObject({
      code: 'ISOLATION',
      message: `${host.cwd}: the working directory of the run is now ${kind}. ${remedy}`,
      details: { folder: host.cwd },
    })
  })

  it('is not read where a folder above it is a link now', async () => {
    const { inside, host } = await startRun({ workspace })
    const above = path.dirname(host.cwd)
    inside(() => {
      fs.renameSync(above, `${above}-moved`)
      fs.symlinkSync(`${above}-moved`, above)
    })
    await host.dispose()
    expect(thrown(() => host.workspace())).toMatchObject({
      code: 'ISOLATION',
      message: `${host.cwd}: the working directory of the run now leads to ${host.cwd.replace(above, `${above}-moved`)}. ${remedy}`,
    })
  })

  it('is empty where the agent has removed it', async () => {
    const { inside, host } = await startRun({ workspace })
    inside(() => fs.rmdirSync(host.cwd))
    expect(host.workspace()).toEqual(new Map())
  })
})

it('is what it was by any of its names', () => {
  const folder = tempFolder({ 'real/cwd/a': '' })
  fs.symlinkSync('real', path.join(folder, 'link'))
  const cwd = path.join(folder, 'link/cwd')
  expect(readWorkspace(fs, cwd, [cwd, path.join(folder, 'real/cwd')]).size).toBe(1)
})

it('says what else keeps the working directory from being looked at', () => {
  const cwd = path.join(tempFolder({ file: '' }), 'file/cwd')
  const { code, message } = thrown(() => readWorkspace(fs, cwd, [cwd]))
  expect(code).toBe('ISOLATION')
  expect(message).toContain(`${cwd}: the working directory of the run can't be looked at: ENOTDIR`)
})

it('is read up to a limit', () => {
  const cwd = tempFolder({ big: '' })
  fs.truncateSync(path.join(cwd, 'big'), mostOfWorkspace + 1)
  expect(thrown(() => readWorkspace(fs, cwd, [cwd])).details).toMatchObject({ most: 2 ** 28 })
})
