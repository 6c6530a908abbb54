import { describe, expect, it } from 'vitest'

import { socketOf } from '../../../src/host/subprocess/run-channel.ts'

describe('the channel of a run', () => {
  it("is a socket in the run's own folder, or a pipe that no other run has", () => {
    const run = { real: '/tmp/x', key: 'abc-00001' }
    expect(socketOf(run, 'linux')).toBe('/tmp/x/s')
    const pipe = socketOf(run, 'win32')
    expect(pipe.startsWith('\\\\.\\pipe\\acp-snapshot-')).toBe(true)
    expect(pipe).toContain(String(process.pid))
    expect(socketOf({ ...run, key: 'abc-00002' }, 'win32')).not.toBe(pipe)
  })
})
