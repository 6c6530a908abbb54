import { existsSync } from 'node:fs'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { endAll, endAtExit, signalGroup } from '../../../src/host/subprocess/process-group.ts'
import { isAlive } from '../../support/is-alive.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { waitingProcess } from '../../support/waiting-process.ts'

describe('endAtExit', () => {
  it('has the agents that still run killed and their folders removed, and no others', async () => {
    const before = process.listenerCount('exit')
    const folders = { real: tempFolder(), cwd: tempFolder({ 'made.txt': '' }) }
    const gone = { real: tempFolder(), cwd: tempFolder() }
    const agent = await waitingProcess({ detached: true })
    // Whoever it has started may lead a group of its own.
    const left = await waitingProcess({ detached: true, env: { HOME: folders.real } })
    const other = await waitingProcess({ detached: true })
    onTestFinished(endAtExit(agent.pid, folders))
    endAtExit(other.pid, gone)()
    expect(process.listenerCount('exit')).toBe(before + 1)

    endAll()
    expect(await agent.ended).toEqual([null, 'SIGKILL'])
    expect(await left.ended).toEqual([null, 'SIGKILL'])
    expect(existsSync(folders.cwd)).toBe(false)
    expect(existsSync(gone.cwd)).toBe(true)
    expect(isAlive(other.pid)).toBe(true)
  })

  it('does nothing where no agent runs', () => {
    expect(endAll).not.toThrow()
  })
})

describe('signalGroup', () => {
  it('does not mind that nobody is there', async () => {
    const { pid, ended } = await waitingProcess({ detached: true })
    signalGroup(pid, 'SIGTERM')
    expect(await ended).toEqual([null, 'SIGTERM'])
    expect(() => signalGroup(pid, 'SIGKILL')).not.toThrow()
    expect(() => signalGroup(undefined, 'SIGKILL')).not.toThrow()
  })

  it('sends it to the process alone where a system has no groups', () => {
    const { platform } = process
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    Object.defineProperty(process, 'platform', { value: 'win32' })
    onTestFinished(() => {
      Object.defineProperty(process, 'platform', { value: platform })
      kill.mockRestore()
    })
    signalGroup(7, 'SIGTERM')
    expect(kill.mock.calls).toEqual([[7, 'SIGTERM']])
  })
})
