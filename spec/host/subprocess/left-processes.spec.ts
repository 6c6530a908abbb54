import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { killLeftProcesses } from '../../../src/host/subprocess/left-processes.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** A process that says that it is up, and then waits. */
async function waiting(options: { cwd?: string; env?: NodeJS.ProcessEnv }) {
  const child = spawn(process.execPath, ['-e', 'console.log(1);setInterval(()=>{},1e6)'], {
    ...options,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return { child, ended: once(child, 'exit') }
}

describe('killLeftProcesses', () => {
  it('finds who works in the folders or has them in its environment, and spares everybody else', async () => {
    const folder = tempFolder({ 'inner/x': '' })
    const works = await waiting({ cwd: path.join(folder, 'inner'), env: {} })
    const names = await waiting({ cwd: '/', env: { HOME: path.join(folder, 'home') } })
    const other = await waiting({ cwd: '/', env: { HOME: `${path.dirname(folder)}/another` } })
    expect(killLeftProcesses([folder])).toBe(2)
    expect(await works.ended).toEqual([null, 'SIGKILL'])
    expect(await names.ended).toEqual([null, 'SIGKILL'])
    expect(other.child.exitCode).toBeNull()
    expect(killLeftProcesses([folder])).toBe(0)
  })
})
