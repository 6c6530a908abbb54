import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { killLeftProcesses } from '../../../src/host/subprocess/left-processes.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { waitingProcess } from '../../support/waiting-process.ts'

describe('killLeftProcesses', () => {
  it('finds who works in the folders or has them in its environment, and spares everybody else', async () => {
    const folder = tempFolder({ 'inner/x': '' })
    const works = await waitingProcess({ cwd: path.join(folder, 'inner'), env: {} })
    const names = await waitingProcess({ cwd: '/', env: { HOME: path.join(folder, 'home') } })
    const other = await waitingProcess({ cwd: '/', env: { HOME: `${path.dirname(folder)}/another` } })
    expect(killLeftProcesses([folder])).toBe(2)
    expect(await works.ended).toEqual([null, 'SIGKILL'])
    expect(await names.ended).toEqual([null, 'SIGKILL'])
    expect(other.child.exitCode).toBeNull()
    expect(killLeftProcesses([folder])).toBe(0)
  })

  it('finds nobody where the system does not tell of processes', async () => {
    const folder = tempFolder()
    const { child } = await waitingProcess({ cwd: folder })
    const list = vi.spyOn(fs, 'readdirSync').mockImplementation(() => {
      throw new Error('ENOENT')
    })
    onTestFinished(() => {
      list.mockRestore()
      syncBuiltinESMExports()
    })
    syncBuiltinESMExports()
    expect(killLeftProcesses([folder])).toBe(0)
    expect(list).toHaveBeenCalledWith('/proc')
    expect(child.killed).toBe(false)
  })
})
