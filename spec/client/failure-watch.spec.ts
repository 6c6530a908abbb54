import { describe, expect, it } from 'vitest'
import { watchForFailure } from '../../src/client/failure-watch.ts'
import { SnapshotError } from '../../src/errors.ts'
import type { Step } from '../../src/scenario/index.ts'
import { drive, failure, OPEN } from './drive.ts'
import { startAgent } from './test-agent.ts'
import type { AgentWorld, PromptHandler } from './test-agent.ts'

const never = (): Promise<never> => new Promise(() => undefined)

/** Does something to the agent, and never answers. */
const after =
  (act: (world: AgentWorld) => unknown): PromptHandler =>
  async world => {
    await act(world)
    return never()
  }

/** Waits that nothing fulfils, each kind of wait there is, with the step before that sets it off. */
const waits: readonly Step[] = [
  { op: 'prompt', text: 'act' },
  { op: 'promptAndWaitForAgentMessage', text: 'act', waitForText: 'DONE' },
  { op: 'promptAndCancel', text: 'act' },
  { op: 'promptAndCancel', text: 'act', waitForFile: { path: 'never', timeoutMs: 10_000 } },
  { op: 'promptExpectError', text: 'act' },
]

describe.each(waits.map((step, index) => ({ step, name: `${step.op} ${index}` })))('$name', ({ step }) => {
  it('ends at once with a line that is not a frame', async () => {
    const host = startAgent({ act: after(({ print }) => print('warming up…\n')) })
    const error = await failure(host, [step])
    expect(error.code).toBe('STDOUT_INVALID')
    expect(error.message).toMatch(
      /^step 3 of 3 \(\w+\): standard output, line 3, is not JSON: "warming up…"\. .*\(Waiting for: /,
    )
    expect(error.details).toMatchObject({ line: 3, text: 'warming up…', step: 3, op: step.op })
  })

  it("ends at once with the host's failure", async () => {
    const host = startAgent({ act: after(({ fail }) => fail(new Error('exit code 1'))) })
    const error = await failure(host, [step])
    expect(error.code).toBe('STEP_FAILED')
    expect(error.message).toContain('the agent failed: exit code 1.')
  })

  it("ends at once with the caller's reason", async () => {
    const cancel = new AbortController()
    const reason = new Error('interrupted')
    const host = startAgent({ act: after(() => cancel.abort(reason)) })
    expect(await failure(host, [step], { signal: cancel.signal })).toBe(reason)
  })
})

describe('waits on the journal and on files', () => {
  const journalWaits: readonly Step[] = [
    { op: 'waitForTurnEnd', timeoutMs: 10_000 },
    { op: 'waitForFile', path: 'never', timeoutMs: 10_000 },
    { op: 'cancel', waitForFile: { path: 'never', timeoutMs: 10_000 } },
  ]
  it.each(journalWaits)('$op ends at once with what goes wrong meanwhile', async step => {
    const host = startAgent()
    const impure = await failure(host, [step], {
      onStep: (_step, index) => {
        if (index === 3) setImmediate(() => void host.world.print('oops\n'))
      },
    })
    expect(impure.code).toBe('STDOUT_INVALID')

    const second = startAgent()
    const gone = await failure(second, [step], {
      onStep: (_step, index) => {
        if (index === 3)
          setImmediate(() => second.world.fail(new SnapshotError('COMPOSITION_FAILED', 'no llm')))
      },
    })
    expect(gone).toMatchObject({ code: 'COMPOSITION_FAILED', details: { step: 3, op: step.op } })
    expect(gone.message).toContain(`(${step.op}): no llm (Waiting for: `)
  })
})

describe('an agent that ends its output', () => {
  it('is a failure of the step', async () => {
    const host = startAgent({ act: after(({ exit }) => exit()) })
    const error = await failure(host, [{ op: 'prompt', text: 'act' }])
    expect(error.code).toBe('STEP_FAILED')
    expect(error.message).toContain('the connection to the agent closed (')
    expect(error.message).toContain('(Waiting for: answer to session/prompt.')
  })

  it('is reported with what broke', async () => {
    const host = startAgent({ act: after(world => world.break(new Error('EPIPE'))) })
    const error = await failure(host, [{ op: 'prompt', text: 'act' }])
    expect(error.message).toContain('the connection to the agent closed (EPIPE)')
  })

  it('leaves a moment for the host to say why', async () => {
    const host = startAgent({
      act: after(async ({ exit, fail }) => {
        await exit()
        setTimeout(() => fail(new Error('exit code 70')), 20)
      }),
    })
    const error = await failure(host, [{ op: 'prompt', text: 'act' }])
    expect(error.message).toContain('the agent failed: exit code 70.')
  })

  it('is reported for its last line where that is not a frame', async () => {
    const host = startAgent({
      act: after(async ({ print, exit }) => {
        await print('Segmentation fault')
        await exit()
      }),
    })
    const error = await failure(host, [{ op: 'prompt', text: 'act' }])
    expect(error.message).toContain('standard output, line 3, is not JSON: "Segmentation fault"')
  })
})

describe('what goes wrong while nothing is waited for', () => {
  it('fails the step even where its answer came in the same chunk', async () => {
    const host = startAgent({
      act: async ({ print }) => {
        await print('oops\n')
        return 'end_turn'
      },
    })
    expect((await failure(host, [{ op: 'prompt', text: 'act' }])).code).toBe('STDOUT_INVALID')
  })

  it('fails the next step', async () => {
    const cancel = new AbortController()
    const host = startAgent()
    const run = drive(host, [...OPEN, { op: 'signal', name: 'x' }, { op: 'initialize' }], {
      signal: cancel.signal,
      openGate: () => cancel.abort('enough'),
    })
    await expect(run).rejects.toThrow('enough')
    expect(host.received).toHaveLength(2)
  })

  it('fails a run that was cancelled before it began, without a word to the agent', async () => {
    const host = startAgent()
    const reason = new Error('too late')
    await expect(drive(host, OPEN, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await host.inputEnded
    expect(host.received).toEqual([])
  })
})

describe('an agent that does not read', () => {
  it('is a deadline, and the client still closes', async () => {
    const host = startAgent()
    const stuck = {
      ...host,
      stdio: { ...host.stdio, input: new WritableStream<Uint8Array>({ write: never }) },
    }
    await expect(drive(stuck, OPEN, { promptTimeoutMs: 200 })).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      message:
        'step 1 of 2 (initialize): no answer to initialize within 200 ms. Seen last: no message of the agent. ' +
        'If the agent is only slow, raise timeouts.prompt of the run.',
    })
  })
})

describe('an agent that stops reading', () => {
  it('is a deadline of the notification', async () => {
    const host = startAgent()
    const writer = host.stdio.input.getWriter()
    let frames = 0
    const input = new WritableStream<Uint8Array>({
      write: chunk => ((frames += 1) <= 2 ? writer.write(chunk) : never()),
    })
    const stuck = { ...host, stdio: { ...host.stdio, input } }
    const error = await failure(stuck, [{ op: 'cancel' }], { promptTimeoutMs: 200 })
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toContain(
      '(cancel): no room for session/cancel in its standard input within 200 ms.',
    )
  })
})

describe('watchForFailure', () => {
  const nothing = (): Promise<Error> => new Promise(() => undefined)

  it('says nothing more once it is disposed', async () => {
    const host = Promise.withResolvers<Error>()
    const connection = new AbortController()
    const cancelled = new AbortController()
    const watch = watchForFailure({
      hostFailed: host.promise,
      impure: nothing(),
      connection: connection.signal,
      cancelled: cancelled.signal,
    })
    watch[Symbol.dispose]()
    host.resolve(new Error('exit code 0'))
    connection.abort()
    cancelled.abort()
    await host.promise
    expect(watch.signal.aborted).toBe(false)
  })

  it('keeps the first reason', async () => {
    const host = Promise.withResolvers<Error>()
    const impure = Promise.withResolvers<Error>()
    using watch = watchForFailure({
      hostFailed: host.promise,
      impure: impure.promise,
      connection: new AbortController().signal,
    })
    impure.resolve(new Error('first'))
    await impure.promise
    host.resolve(new Error('second'))
    await host.promise
    expect(watch.signal.reason).toMatchObject({ message: 'first' })
  })
})
