import { RequestError } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { drive, failure, OPEN } from './drive.ts'
import { aborted, startAgent } from './test-agent.ts'

const never = (): Promise<never> => new Promise(() => undefined)

describe('prompt', () => {
  it('fails with what the agent answered', async () => {
    const error = await failure(
      startAgent({ hello: () => Promise.reject(new RequestError(-32603, 'turn failed', { status: 401 })) }),
      [{ op: 'prompt', text: 'hello' }],
    )
    expect(error).toMatchObject({
      code: 'STEP_FAILED',
      message:
        'step 3 of 3 (prompt): the agent answered session/prompt with error -32603: turn failed with "{\\"status\\":401}".',
      details: {
        step: 3,
        op: 'prompt',
        error: { code: -32603, message: 'turn failed', data: { status: 401 } },
      },
    })
  })

  it('does not wait for ever, and says what it saw', async () => {
    const host = startAgent({
      hello: async ({ log, say }) => {
        log('turn/start', { turn: 1 })
        log('assistant/chunk', { turn: 1 })
        log('assistant/chunk', { turn: 1 })
        await say('half a')
        return never()
      },
    })
    const error = await failure(host, [{ op: 'prompt', text: 'hello' }], { promptTimeoutMs: 200 })
    expect(error).toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      message:
        'step 3 of 3 (prompt): no answer to session/prompt within 200 ms. Seen last: session s1: turn/start (turn 1), ' +
        'assistant/chunk (turn 1) ×2; message of the agent "half a". If the agent is only slow, raise timeouts.prompt of the run.',
      details: { step: 3, op: 'prompt', waitedFor: 'answer to session/prompt', timeoutMs: 200 },
    })
  })

  it('fails on an answer without a stop reason', async () => {
    const host = startAgent({
      hello: async ({ print }) => {
        await print('{"jsonrpc":"2.0","id":2,"result":{}}\n')
        return never()
      },
    })
    const error = await failure(host, [{ op: 'prompt', text: 'hello' }])
    expect(error.code).toBe('STEP_FAILED')
    expect(error.message).toBe(
      "step 3 of 3 (prompt): the agent's answer to session/prompt lacks a string stopReason. The answer is not what ACP " +
        'says; mend the agent.',
    )
  })
})

describe('promptExpectError', () => {
  it('is content with an error, and notes it', async () => {
    const host = startAgent({ hello: () => Promise.reject(new RequestError(-32000, 'turn failed')) })
    const result = await drive(host, [...OPEN, { op: 'promptExpectError', text: 'hello' }])
    expect(result.responses.at(-1)).toEqual({
      step: 3,
      op: 'promptExpectError',
      method: 'session/prompt',
      outcome: { ok: false, error: { code: -32000, message: 'turn failed' } },
    })
    expect(result).not.toHaveProperty('stopReason')
  })

  it('fails on success', async () => {
    const host = startAgent({ hello: () => Promise.resolve('end_turn') })
    const error = await failure(host, [{ op: 'promptExpectError', text: 'hello' }])
    expect(error.code).toBe('STEP_FAILED')
    expect(error.message).toContain(
      'session/prompt was expected to fail, and the agent answered "{\\"stopReason\\"',
    )
  })

  it('does not take a lost connection for an error', async () => {
    const host = startAgent({
      hello: async ({ exit }) => {
        await exit()
        return never()
      },
    })
    const error = await failure(host, [{ op: 'promptExpectError', text: 'hello' }])
    expect(error.message).toContain('the connection to the agent closed')
  })
})

describe('newSessionExpectError', () => {
  const refuse = ({
    additionalDirectories = [],
  }: {
    additionalDirectories?: string[]
  }): { sessionId: string } => {
    if (additionalDirectories.length === 0) return { sessionId: 's1' }
    throw new RequestError(-32602, 'no more directories')
  }

  it('sends the directories and is content with an error', async () => {
    const host = startAgent({}, refuse)
    const result = await drive(host, [
      { op: 'initialize' },
      { op: 'newSessionExpectError', additionalDirectories: ['/etc'] },
    ])
    expect(host.received.at(-1)?.params).toEqual({
      cwd: '/agent/dir',
      mcpServers: [],
      additionalDirectories: ['/etc'],
    })
    expect(result.sessions).toEqual([])
  })

  it('fails on success', async () => {
    const error = await failure(startAgent({}, refuse), [{ op: 'newSessionExpectError' }])
    expect(error.message).toContain('step 3 of 3 (newSessionExpectError): session/new was expected to fail')
  })
})

describe('newSession', () => {
  it('fails with what the agent answered', async () => {
    const host = startAgent({}, () => {
      throw new RequestError(-32602, 'no')
    })
    await expect(drive(host, OPEN)).rejects.toMatchObject({
      code: 'STEP_FAILED',
      message: 'step 2 of 2 (newSession): the agent answered session/new with error -32602: no.',
    })
  })

  it('fails on an answer without a session id', async () => {
    await expect(
      drive(
        startAgent({}, () => ({ sessionId: '' })),
        OPEN,
      ),
    ).rejects.toMatchObject({
      code: 'STEP_FAILED',
      message: expect.stringContaining(
        "the agent's answer to session/new lacks a string sessionId",
      ) as string,
    })
  })
})

describe('promptAndWaitForAgentMessage', () => {
  it('catches the exact chunk, even one that comes before the response', async () => {
    const host = startAgent({
      hello: async ({ say, update }) => {
        await update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'DONE' } })
        await update({
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'image', data: '', mimeType: 'image/png' },
        })
        await say('DONE')
        await say('after')
        return 'end_turn'
      },
    })
    const step = { op: 'promptAndWaitForAgentMessage', text: 'hello', waitForText: 'DONE' } as const
    const result = await drive(host, [...OPEN, step, step])
    expect(result.stopReason).toBe('end_turn')
  })

  it('waits for a chunk that comes after the response', async () => {
    const host = startAgent({ hello: () => Promise.resolve('end_turn') })
    const run = drive(
      host,
      [...OPEN, { op: 'promptAndWaitForAgentMessage', text: 'hello', waitForText: 'LATE' }],
      {
        onStep: (_step, index) => {
          if (index === 3) setTimeout(() => void host.world.say('LATE'), 20)
        },
      },
    )
    expect((await run).stdout.text().trimEnd().split('\n').at(-1)).toContain('LATE')
  })

  it('wants the whole text of a chunk, and says what it saw last', async () => {
    const host = startAgent({
      hello: async ({ say }) => {
        await say('DONE.')
        return 'end_turn'
      },
    })
    const step = { op: 'promptAndWaitForAgentMessage', text: 'hello', waitForText: 'DONE' } as const
    const error = await failure(host, [step], { promptTimeoutMs: 200 })
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toContain(
      'no agent_message_chunk with the text "DONE" within 200 ms. Seen last: message of the agent "DONE.".',
    )
  })

  it('does not take a thought for a message, nor the message of an earlier step for its own', async () => {
    let said = 0
    const host = startAgent({
      hello: async ({ say, update }) => {
        said += 1
        if (said === 1) await say('DONE')
        else await update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'DONE' } })
        return 'end_turn'
      },
    })
    const step = { op: 'promptAndWaitForAgentMessage', text: 'hello', waitForText: 'DONE' } as const
    const error = await failure(host, [step, step], { promptTimeoutMs: 200 })
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', details: { step: 4 } })
  })

  it('fails at once where the prompt fails', async () => {
    const step = { op: 'promptAndWaitForAgentMessage', text: 'unknown', waitForText: 'DONE' } as const
    expect((await failure(startAgent(), [step])).message).toContain('with error -32603: no such prompt')
  })
})

describe('promptAndCancel', () => {
  it('cancels once the turn is open in the journal', async () => {
    const host = startAgent({
      hello: async ({ log, cancelled }) => {
        log('agent/inbox/spliced', { inserted: [] })
        await new Promise(resolve => setImmediate(resolve))
        expect(cancelled.aborted).toBe(false)
        log('turn/start', { turn: 1 })
        await aborted(cancelled)
        log('turn/end', { turn: 1 })
        return 'cancelled'
      },
    })
    const result = await drive(host, [...OPEN, { op: 'promptAndCancel', text: 'hello' }])
    expect(result.stopReason).toBe('cancelled')
    expect(host.received.slice(2)).toEqual([
      { method: 'session/prompt', params: { sessionId: 's1', prompt: [{ type: 'text', text: 'hello' }] } },
      { method: 'session/cancel', params: { sessionId: 's1' } },
    ])
  })

  it('cancels once the file is there, whatever the journal says', async () => {
    const host = startAgent({
      hello: async ({ log, touch, cancelled }) => {
        log('turn/start', { turn: 1 })
        await new Promise(resolve => setImmediate(resolve))
        expect(cancelled.aborted).toBe(false)
        touch('ready')
        await aborted(cancelled)
        return 'cancelled'
      },
    })
    const waitForFile = { path: 'ready', timeoutMs: 10_000 }
    const result = await drive(host, [...OPEN, { op: 'promptAndCancel', text: 'hello', waitForFile }])
    expect(result.stopReason).toBe('cancelled')
  })

  it.each([
    ['a result', 'quick', 'with {"stopReason":"end_turn"} before there was something to cancel'],
    ['an error', 'unknown', 'with error -32603: no such prompt'],
  ])('fails at once where the prompt is over with %s before that', async (_name, text, words) => {
    for (const more of [{}, { waitForFile: { path: 'ready', timeoutMs: 10_000 } }]) {
      const host = startAgent({ quick: () => Promise.resolve('end_turn') })
      const error = await failure(host, [{ op: 'promptAndCancel', text, ...more }])
      expect(error.code).toBe('STEP_FAILED')
      expect(error.message).toContain(words)
      expect(host.received.at(-1)?.method).toBe('session/prompt')
    }
  })

  it('sees a turn that is open for no longer than two events in a row', async () => {
    const host = startAgent({
      hello: async ({ log, cancelled }) => {
        log('turn/start', { turn: 1 })
        log('turn/end', { turn: 1 })
        await aborted(cancelled)
        return 'cancelled'
      },
    })
    const result = await drive(host, [...OPEN, { op: 'promptAndCancel', text: 'hello' }])
    expect(result.stopReason).toBe('cancelled')
  })

  it('names the open turn that did not come', async () => {
    const error = await failure(startAgent({ hello: never }), [{ op: 'promptAndCancel', text: 'hello' }], {
      promptTimeoutMs: 200,
    })
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toBe(
      'step 3 of 3 (promptAndCancel): no open turn within 200 ms. Seen last: no session in the journal. ' +
        'If the agent is only slow, raise timeouts.prompt of the run.',
    )
  })

  it('names the answer that did not come after it', async () => {
    const host = startAgent({
      hello: ({ log }) => {
        log('turn/start', { turn: 1 })
        return never()
      },
    })
    const error = await failure(host, [{ op: 'promptAndCancel', text: 'hello' }], { promptTimeoutMs: 200 })
    expect(error.message).toContain(
      'no answer to session/prompt within 200 ms. Seen last: session s1: turn/start (turn 1);',
    )
    await host.inputEnded
    expect(host.received.at(-1)?.method).toBe('session/cancel')
  })
})

describe('cancel', () => {
  it('notifies, after the file is there where one is named', async () => {
    const host = startAgent()
    const waitForFile = { path: 'ready', timeoutMs: 10_000 }
    const gone = aborted(host.world.cancelled)
    const run = drive(host, [...OPEN, { op: 'cancel', waitForFile }], {
      onStep: (_step, index) => {
        if (index === 3) setImmediate(() => host.world.touch('ready'))
      },
    })
    await Promise.all([run, gone])
    expect(host.received.at(-1)).toEqual({ method: 'session/cancel', params: { sessionId: 's1' } })

    const second = startAgent()
    await Promise.all([drive(second, [...OPEN, { op: 'cancel' }]), aborted(second.world.cancelled)])
  })

  it('fails where the file does not come', async () => {
    const host = startAgent()
    const error = await failure(host, [{ op: 'cancel', waitForFile: { path: 'ready', timeoutMs: 50 } }])
    expect(error.message).toContain('step 3 of 3 (cancel): no file "ready" in /agent/dir within 50 ms.')
    expect(host.received).toHaveLength(2)
  })
})
