import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import type { OutputTap } from '../../src/client/index.ts'
import type { Step } from '../../src/scenario/index.ts'
import { drive, failure, OPEN } from './drive.ts'
import { startAgent } from './test-agent.ts'

describe('driveScript', () => {
  it('does every step in order and gives what was answered', async () => {
    const host = startAgent({
      hello: async ({ say }) => {
        await say('PONG')
        return 'end_turn'
      },
      more: () => Promise.resolve('max_tokens'),
    })
    const content = [
      { type: 'text', text: 'more' },
      { type: 'resource_link', uri: 'file:///agent/dir/a.txt', name: 'a.txt' },
    ]
    const result = await drive(host, [
      ...OPEN,
      { op: 'prompt', text: 'hello' },
      { op: 'promptContent', content },
    ])
    const frame = (id: number, method: string, params: object): object => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    })
    expect(host.wire()).toEqual([
      frame(0, 'initialize', { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} }),
      frame(1, 'session/new', { cwd: '/agent/dir', mcpServers: [] }),
      frame(2, 'session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: 'hello' }] }),
      frame(3, 'session/prompt', { sessionId: 's1', prompt: content }),
    ])
    expect(result.responses).toEqual([
      {
        step: 1,
        op: 'initialize',
        method: 'initialize',
        outcome: { ok: true, result: { protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} } },
      },
      {
        step: 2,
        op: 'newSession',
        method: 'session/new',
        outcome: { ok: true, result: { sessionId: 's1' } },
      },
      {
        step: 3,
        op: 'prompt',
        method: 'session/prompt',
        outcome: { ok: true, result: { stopReason: 'end_turn' } },
      },
      {
        step: 4,
        op: 'promptContent',
        method: 'session/prompt',
        outcome: { ok: true, result: { stopReason: 'max_tokens' } },
      },
    ])
    expect(result.sessions).toEqual(['s1'])
    expect(result.stopReason).toBe('max_tokens')
    const frames = result.stdout
      .text()
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { params?: { update: unknown } })
    expect(frames).toHaveLength(5)
    expect(frames[2]?.params?.update).toEqual({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'PONG' },
    })
  })

  it('names no session and no stop reason where there was none', async () => {
    const result = await drive(startAgent(), [{ op: 'initialize' }])
    expect(result.sessions).toEqual([])
    expect(result).not.toHaveProperty('stopReason')
  })

  it('tells of each step before it is done', async () => {
    const host = startAgent()
    const told: (string | number)[] = []
    await drive(host, OPEN, { onStep: (step, index) => told.push(index, step.op, host.received.length) })
    expect(told).toEqual([1, 'initialize', 0, 2, 'newSession', 1])
  })

  it('leaves the agent running until the client is closed, and records what it writes after that', async () => {
    const host = startAgent()
    const result = await drive(host, OPEN)
    result.close()
    await host.inputEnded
    await host.world.print('{"last":"frame"}\n')
    await host.world.exit()
    await result.stdout.ended
    expect(result.stdout.text()).toMatch(/\n\{"last":"frame"\}\n$/)
  })

  it('closes twice, and after the agent is gone, without a word', async () => {
    const host = startAgent()
    const result = await drive(host, OPEN)
    await host.world.exit()
    result.close()
    result.close()
    await host.inputEnded
  })

  it('closes the client where the run fails, and leaves the tap with whoever asked for it', async () => {
    const host = startAgent()
    let tap: OutputTap | undefined
    await failure(host, [{ op: 'prompt', text: 'nothing like it' }], { onConnect: given => (tap = given) })
    await host.inputEnded
    expect(tap?.text()).toContain('no such prompt')
  })

  it('refuses a step that needs a session before there is one', async () => {
    const steps: Step[] = [
      { op: 'prompt', text: 'hello' },
      { op: 'promptExpectError', text: 'hello' },
      { op: 'promptAndCancel', text: 'hello' },
      { op: 'cancel' },
      { op: 'waitForTurnStart', timeoutMs: 50 },
      { op: 'waitForTurnEnd', timeoutMs: 50 },
      { op: 'waitForSubagentTurnEnd', child: 1, minimumTurn: 1, timeoutMs: 50 },
      { op: 'waitForTitleAfterTurnEnd', timeoutMs: 50 },
    ]
    for (const step of steps) {
      const host = startAgent({ hello: () => Promise.resolve('end_turn') })
      await expect(drive(host, [{ op: 'initialize' }, step])).rejects.toMatchObject({
        code: 'STEP_FAILED',
        message: `step 2 of 2 (${step.op}): it needs a session, and none is open. Put a "newSession" step before it.`,
        details: { step: 2, op: step.op },
      })
      expect(host.received).toHaveLength(1)
    }
  })

  it('refuses an op that does not exist', async () => {
    const error = await failure(startAgent(), [{ op: 'reload' } as unknown as Step])
    expect(error.message).toBe('step 3 of 3 (reload): there is no op "reload".')
  })

  it('opens gates, where there are any', async () => {
    const opened: string[] = []
    await drive(
      startAgent(),
      [
        { op: 'signal', name: 'first' },
        { op: 'signal', name: 'second' },
      ],
      {
        openGate: name => opened.push(name),
      },
    )
    expect(opened).toEqual(['first', 'second'])
    const error = await failure(startAgent(), [{ op: 'signal', name: 'first' }])
    expect(error.message).toContain('(signal): nothing in this run has gates, so "first" opens none.')
  })

  it('uses the session that was opened last', async () => {
    let opened = 0
    const host = startAgent({ hello: () => Promise.resolve('end_turn') }, () => ({
      sessionId: `s${(opened += 1)}`,
    }))
    const result = await drive(host, [...OPEN, { op: 'newSession' }, { op: 'prompt', text: 'hello' }])
    expect(host.received.at(-1)?.params).toMatchObject({ sessionId: 's2' })
    expect(result.sessions).toEqual(['s1', 's2'])
  })
})
