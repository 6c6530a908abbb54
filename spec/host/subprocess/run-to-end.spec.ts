import { describe, expect, it } from 'vitest'

import { runToEnd } from '../../../src/host/subprocess/run-to-end.ts'
import { problemOf } from '../../support/thrown.ts'

describe('runToEnd', () => {
  it('says which command can not be started', async () => {
    const command = { command: '/no/such/node', args: [] }
    const { message } = await problemOf(() =>
      runToEnd({ command, name: 'spec', env: () => ({}), timeoutMs: 10_000, late: () => 'late' }),
    )
    expect(message).toContain("the agent (/no/such/node) can't be started")
  })
})
