import { describe, expect, it } from 'vitest'

import {
  runScenario,
  type CompositionOptions,
  type InlineScenario,
  type PermissionAnswer,
  type ReplayChunksEntry,
  type ScenarioRun,
  type StepInput,
} from '../../src/index.ts'
import { answers, bash, prompts } from '../support/model-answers.ts'
import { dshComposition } from '../support/paths.ts'

const open = prompts()
const answer = (text: string): ReplayChunksEntry => answers({ text })

function run(
  scenario: Omit<InlineScenario, 'name'>,
  composition: Omit<CompositionOptions, 'config'> = {},
): Promise<ScenarioRun> {
  return runScenario({ scenario, composition: { config: dshComposition, ...composition } })
}

/** A session's header and the model's calls in it, which is all that a child's script is made from. */
function childLog(...calls: readonly ReplayChunksEntry[]): string {
  const header = { type: 'session', version: 0, id: 'child', createdAt: 1, delegationDepth: 1 }
  const rows = calls.flatMap((call, index) =>
    call.chunks.map(chunk => ({
      type: 'assistant/chunk',
      data: { turn: 1, step: index + 1, chunk },
    })),
  )
  return [header, ...rows].map(row => JSON.stringify(row) + '\n').join('')
}

const primaryLog = '{"type":"session","version":0,"id":"{{sessionId}}","createdAt":0,"delegationDepth":0}\n'

/** Frames of standard output, parsed. */
function frames({ transcript }: ScenarioRun): Record<string, unknown>[] {
  return transcript.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)
}

function eventTypes({ transcript }: ScenarioRun): string[] {
  return transcript.sessions[0]?.log.events.map(event => event.type) ?? []
}

describe('the steps of an input script, on the real agent', () => {
  it('promptContent sends blocks as they are', async () => {
    const content = [
      { type: 'text', text: 'Look at ' },
      { type: 'resource_link', name: 'plan', uri: 'file:///plan.md' },
    ]
    const result = await run({
      steps: [...open, { op: 'promptContent', content }],
      replay: [answer('Seen.')],
    })
    expect(JSON.stringify(result.modelCalls[0]?.request.messages)).toContain('file:///plan.md')
  })

  it('promptExpectError takes a refusal, and fails the run when the prompt succeeds', async () => {
    const image: StepInput = {
      op: 'promptContent',
      content: [{ type: 'image', data: '', mimeType: 'image/png' }],
    }
    await expect(run({ steps: [...open, image], replay: [] })).rejects.toThrow(
      /step 3 of 3 \(promptContent\)/,
    )
    const succeeds: StepInput = { op: 'promptExpectError', text: 'Hello?' }
    await expect(run({ steps: [...open, succeeds], replay: [answer('Hello.')] })).rejects.toThrow(
      'was expected to fail',
    )
  })

  it('newSessionExpectError takes the refusal of additional directories', async () => {
    const refused: StepInput = { op: 'newSessionExpectError', additionalDirectories: ['/elsewhere'] }
    const result = await run({ steps: [{ op: 'initialize' }, refused], replay: [] })
    expect(frames(result)[1]).toMatchObject({ error: { code: -32602 } })
    await expect(
      run({ steps: [{ op: 'initialize' }, { op: 'newSessionExpectError' }], replay: [] }),
    ).rejects.toThrow('was expected to fail')
  })

  it('promptAndWaitForAgentMessage waits for that very text', async () => {
    const step: StepInput = {
      op: 'promptAndWaitForAgentMessage',
      text: 'Hello?',
      waitForText: 'Good morning.',
    }
    const result = await run({ steps: [...open, step], replay: [answer('Good morning.')] })
    expect(result.stopReason).toBe('end_turn')
  })

  it('a signal opens the gate that holds a stream', async () => {
    const job = answers({
      tool: 'bash',
      args: { command: 'true', description: 'Nothing', run_in_background: true },
    })
    // The job's end wakes the agent for a second turn, which no step waits for: its stream is held meanwhile.
    const held: ReplayChunksEntry = { ...answer('At last.'), gates: [{ after: 2, name: 'go' }] }
    const steps: StepInput[] = [
      ...open,
      { op: 'prompt', text: 'Start the job.' },
      { op: 'waitForTurnStart', minimumTurn: 2 },
      { op: 'signal', name: 'go' },
      { op: 'waitForTurnEnd' },
    ]
    const replay = [job, answer('Started.'), held]
    expect(JSON.stringify(frames(await run({ steps, replay })))).toContain('At last.')
    const neverGiven = steps.filter(step => step.op !== 'signal')
    const impatient = neverGiven.map((step): StepInput =>
      step.op === 'waitForTurnEnd' ? { ...step, timeoutMs: 200 } : step,
    )
    const waited = run({ steps: impatient, replay })
    await expect(waited).rejects.toThrow(/step 5 of 5 \(waitForTurnEnd\)/)
    await expect(waited).rejects.toThrow('A replayed stream waits for a signal: go.')
  })

  it('promptAndCancel cancels an open turn without a file', async () => {
    const steps: StepInput[] = [
      ...open,
      { op: 'promptAndCancel', text: 'Take your time.' },
      { op: 'waitForTurnEnd' },
    ]
    const result = await run({ steps, replay: [{ kind: 'hang' }] })
    expect(result.stopReason).toBe('cancelled')
    expect(result.transcript.sessions[0]?.log.events.at(-1)).toMatchObject({
      type: 'turn/end',
      data: { reason: { kind: 'aborted' } },
    })
  })

  it('waitForFile, waitForTurnStart and waitForEventAfterTurnEnd wait for what the agent does', async () => {
    const steps: StepInput[] = [
      ...open,
      { op: 'prompt', text: 'Start the job.' },
      { op: 'waitForFile', path: 'deep/down/done.txt' },
      { op: 'waitForTurnStart', minimumTurn: 2 },
      { op: 'waitForTurnEnd' },
    ]
    const command = 'mkdir -p deep/down && echo ok > deep/down/done.txt'
    const job = answers({ tool: 'bash', args: { command, description: 'Work', run_in_background: true } })
    const result = await run({ steps, replay: [job, answer('Started.'), answer('It has finished.')] })
    expect(result.workspace.get('deep/down/done.txt')?.toString()).toBe('ok\n')
    expect(eventTypes(result).filter(type => type === 'turn/end')).toHaveLength(2)
  })

  it('waitForInboxMessage and waitForTitleAfterTurnEnd look at the log', async () => {
    const plugin = {
      name: 'late-title',
      inject: ['sessions', 'sessionTitle'],
      apply: (ctx: LateContext) => {
        ctx.on(
          'session/event',
          (session, event) => {
            if (event.type === 'turn/end')
              queueMicrotask(() => ctx.sessionTitle.rename(session, 'A late title'))
          },
          { global: true },
        )
      },
    }
    const steps: StepInput[] = [
      ...open,
      { op: 'prompt', text: 'A message for the inbox.' },
      { op: 'waitForInboxMessage', text: 'for the inbox' },
      { op: 'waitForTitleAfterTurnEnd' },
      { op: 'waitForEventAfterTurnEnd', type: 'session/title' },
    ]
    const result = await run({ steps, replay: [answer('Read.')] }, withPlugin(plugin))
    expect(eventTypes(result).slice(-2)).toEqual(['turn/end', 'session/title'])
  })

  it('waitForGoalPhase waits for the latest goal to be in a phase', async () => {
    const plugin = {
      name: 'goal-maker',
      inject: ['sessions'],
      apply: (ctx: LateContext) => {
        ctx.on(
          'session/event',
          (session, event) => {
            if (event.type !== 'turn/end') return
            const goal = { id: 'g', revision: 1, objective: 'rest', phase: 'complete', maxGoalRounds: 1 }
            queueMicrotask(() =>
              session.append('goal/change', { kind: 'goal/change', operation: 'complete', goal }),
            )
          },
          { global: true },
        )
      },
    }
    const steps: StepInput[] = [...prompts('Rest.'), { op: 'waitForGoalPhase', phase: 'complete' }]
    const result = await run({ steps, replay: [answer('Rested.')] }, withPlugin(plugin))
    expect(eventTypes(result).at(-1)).toBe('goal/change')
  })

  it('waitForSubagentTurnEnd waits for a child', async () => {
    const delegate = answers({
      tool: 'subagent',
      args: { description: 'Say hi', prompt: 'Say hi.', run_in_background: true },
    })
    const steps: StepInput[] = [
      ...open,
      { op: 'prompt', text: 'Delegate.' },
      { op: 'waitForSubagentTurnEnd' },
      { op: 'waitForTurnStart', minimumTurn: 2 },
      { op: 'waitForTurnEnd' },
    ]
    const result = await run({
      steps,
      replay: [delegate, answer('Delegated.'), answer('It said hi.')],
      sessions: [primaryLog, childLog(answer('hi'))],
    })
    expect(result.transcript.sessions.map(session => session.name)).toEqual([
      'session.jsonl',
      'session.1.jsonl',
    ])
    expect(result.transcript.sessions[1]?.log.header.parentSession).toBe('{{sessionId}}')
  })

  it.each<[PermissionAnswer['kind'] | undefined, string]>([
    ['allow_once', 'made\n'],
    ['reject_once', 'not allowed: rejected'],
    [undefined, 'not allowed: cancelled'],
  ])('a permission request is answered with %s', async (kind, shown) => {
    const result = await run(
      {
        steps: prompts('Make it.'),
        replay: [answers(bash('echo made')), answer('Done.')],
        ...(kind === undefined ? {} : { permissionAnswers: [{ kind }] }),
      },
      withPlugin(askingPlugin, { id: 'approval', config: { policy: 'ask' } }),
    )
    const toolResult = result.transcript.sessions[0]?.log.events.find(event => event.type === 'tool/result')
    expect(JSON.stringify(toolResult?.data)).toContain(JSON.stringify(shown).slice(1, -1))
    expect(result.permissionAnswersLeft).toEqual([])
  })

  it('a permission answer of a kind that is not offered fails the run', async () => {
    const result = run(
      {
        steps: prompts('Make it.'),
        replay: [answers(bash('echo made')), answer('Done.')],
        permissionAnswers: [{ kind: 'allow_always' }],
      },
      withPlugin(askingPlugin, { id: 'approval', config: { policy: 'ask' } }),
    )
    await expect(result).rejects.toThrow(/allow_always.*allow_once|allow_once.*allow_always/)
  })

  it('permission answers that nothing asked for are left', async () => {
    const { permissionAnswersLeft } = await run({
      steps: prompts('Hello?'),
      replay: [answer('Hello.')],
      permissionAnswers: [{ kind: 'allow_once' }],
    })
    expect(permissionAnswersLeft).toEqual([{ kind: 'allow_once' }])
  })
})

interface LiveSession {
  append(type: string, data: object): void
}

interface LateContext {
  readonly sessionTitle: { rename(session: LiveSession, title: string): void }
  on(
    event: 'session/event',
    listener: (session: LiveSession, event: { readonly type: string }) => void,
    options: object,
  ): void
}

function withPlugin(plugin: object, ...patches: readonly object[]): Omit<CompositionOptions, 'config'> {
  return {
    // The overlay includes the composition, whose rows its own patches alone can reach.
    overlay: false,
    patches: [
      { id: 'deepseek', disabled: true },
      { insert: [{ id: 'added', name: 'spec:added' }] },
      ...patches,
    ].map(patch => ({ ...patch })),
    modules: { 'spec:added': plugin },
  }
}

interface ToolExecution {
  readonly agent: unknown
  readonly callId?: string
  readonly name: string
  readonly signal: AbortSignal
}

interface AskingContext {
  readonly approval: { request(request: object): Promise<string> }
  on(
    event: 'tools/execute',
    listener: (execution: ToolExecution, next: () => Promise<unknown>) => Promise<unknown>,
    options: object,
  ): void
}

/** Asks the user before each tool call. */
const askingPlugin = {
  name: 'asking',
  inject: ['approval', 'tools'],
  apply: (ctx: AskingContext) => {
    ctx.on(
      'tools/execute',
      async (execution, next) => {
        const { agent, callId, name, signal } = execution
        const outcome = await ctx.approval.request({ agent, callId, toolName: name, signal })
        if (outcome === 'allowed-once') return next()
        const text = `not allowed: ${outcome}`
        return {
          content: [{ type: 'text', text }],
          isError: true,
          error: { message: text, info: { name: 'Refused' } },
        }
      },
      { global: true, prepend: true },
    )
  },
}
