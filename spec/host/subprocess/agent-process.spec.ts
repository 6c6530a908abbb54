import { describe, expect, it, onTestFinished } from 'vitest'

import { AgentProcess } from '../../../src/host/subprocess/agent-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { thrownBy } from '../../support/thrown.ts'

function start(command: string, ...args: readonly string[]): AgentProcess {
  const folders = { real: tempFolder(), cwd: tempFolder() }
  const agent = new AgentProcess({ command, args }, folders, { env: {}, asks: false })
  onTestFinished(async () => {
    await agent.terminate()
    await agent.close()
  })
  return agent
}

/** Agents of a line of JavaScript. */
const running = (script: string): AgentProcess => start(process.execPath, '-e', script)

describe('AgentProcess', () => {
  it('is not waited for where the run was ended, whose reason is told', async () => {
    const agent = running('setInterval(() => {}, 1e6)')
    const reason = new Error('enough')
    expect(await thrownBy(() => agent.leave(60_000, AbortSignal.abort(reason)))).toBe(reason)
    expect(await agent.ended).toEqual({ code: null, signal: 'SIGTERM' })
    expect(agent.failure).toBeUndefined()
  })

  it('may close its input while somebody writes to it: its end says more', async () => {
    const agent = running(
      "process.on('SIGTERM', () => process.exit(4)); setInterval(() => {}, 1e6); require('fs').closeSync(0); console.log('closed')",
    )
    await agent.stdio.output.getReader().read()
    const writer = agent.stdio.input.getWriter()
    await writer.write(new Uint8Array(2 ** 20)).catch(() => undefined)
    await writer.closed.catch(() => undefined)
    expect(agent.failure).toBeUndefined()
    await agent.terminate()
    expect(await agent.ended).toEqual({ code: 4, signal: null })
  })

  it('is named by its command in errors, of which not all is shown', async () => {
    const { message } = await start('/no/such', 'x'.repeat(400), 'last').failed
    expect(message).toMatch(/^the agent \(\/no\/such x+…\) can't be started/)
    expect(message).not.toContain('last')
  })
})
