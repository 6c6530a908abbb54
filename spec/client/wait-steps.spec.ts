import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/session-log/types.ts'
import type { Step } from '../../src/scenario/index.ts'
import { drive, failure, OPEN } from './drive.ts'
import { startAgent } from './test-agent.ts'
import type { TestHost } from './test-agent.ts'

type Row = readonly [type: string, data?: JsonObject, session?: { id: string; parentSession?: string }]

const CHILD_A = { id: 'a', parentSession: 's1' }
const CHILD_B = { id: 'b', parentSession: 's1' }
const inbox = (text: string): JsonObject => ({
  target: 'next-turn',
  start: 0,
  inserted: [
    { role: 'user', id: 'm', source: { kind: 'user' }, content: [{ type: 'image' }, { type: 'text', text }] },
  ],
})

function logAll(host: TestHost, rows: readonly Row[]): void {
  for (const row of rows) host.world.log(...row)
}

const cases: readonly {
  name: string
  step: Step
  not: readonly Row[]
  then: Row
  seen: string
  what: string
}[] = [
  {
    name: 'waitForTurnStart',
    step: { op: 'waitForTurnStart', timeoutMs: 50 },
    not: [
      ['turn/start', { turn: 1 }],
      ['turn/end', { turn: 1 }],
    ],
    then: ['turn/start', { turn: 2 }],
    what: 'no open turn within 50 ms',
    seen: 'session s1: turn/start (turn 1), turn/end (turn 1)',
  },
  {
    name: 'waitForTurnStart with a minimum',
    step: { op: 'waitForTurnStart', minimumTurn: 2, timeoutMs: 50 },
    not: [['turn/start', { turn: 1 }]],
    then: ['turn/start', { turn: 3 }],
    what: 'no open turn of number 2 or later within 50 ms',
    seen: 'session s1: turn/start (turn 1)',
  },
  {
    name: 'waitForTurnEnd',
    step: { op: 'waitForTurnEnd', timeoutMs: 50 },
    not: [
      ['turn/start', { turn: 1 }],
      ['turn/end', { turn: 1 }],
      ['turn/start', { turn: 2 }],
    ],
    then: ['turn/end', { turn: 2 }],
    what: 'no turn/end as the latest turn boundary within 50 ms',
    seen: 'session s1: turn/start (turn 1), turn/end (turn 1), turn/start (turn 2)',
  },
  {
    name: 'waitForSubagentTurnEnd',
    step: { op: 'waitForSubagentTurnEnd', child: 2, minimumTurn: 2, timeoutMs: 50 },
    not: [
      ['turn/start', { turn: 1 }],
      ['turn/start', { turn: 2 }, CHILD_A],
      ['turn/end', { turn: 2 }, CHILD_A],
      ['turn/end', { turn: 1 }, CHILD_B],
    ],
    then: ['turn/end', { turn: 2 }, CHILD_B],
    what: 'no turn/end of turn 2 or later in child 2 within 50 ms',
    seen: 'session b: turn/end (turn 1)',
  },
  {
    name: 'waitForSubagentTurnEnd of a fork, whose inherited turns are not its own',
    step: { op: 'waitForSubagentTurnEnd', child: 1, minimumTurn: 1, timeoutMs: 50 },
    not: [
      ['turn/end', { turn: 1 }, CHILD_A],
      ['session/end-seed', {}, CHILD_A],
      ['turn/start', { turn: 2 }, CHILD_A],
    ],
    then: ['turn/end', { turn: 2 }, CHILD_A],
    what: 'no turn/end of turn 1 or later in child 1 within 50 ms',
    seen: 'session a: turn/end (turn 1), session/end-seed, turn/start (turn 2)',
  },
  {
    name: 'waitForSubagentTurnEnd of a child that never was',
    step: { op: 'waitForSubagentTurnEnd', child: 2, minimumTurn: 1, timeoutMs: 50 },
    not: [
      ['turn/start', { turn: 1 }],
      ['turn/end', { turn: 1 }, CHILD_A],
    ],
    then: ['turn/end', { turn: 1 }, CHILD_B],
    what: 'no turn/end of turn 1 or later in child 2 within 50 ms',
    seen: 'no such session in the journal, which has s1, a (a child)',
  },
  {
    name: 'waitForGoalPhase',
    step: { op: 'waitForGoalPhase', phase: 'paused', timeoutMs: 50 },
    not: [
      ['goal/change', { operation: 'pause', goal: { phase: 'paused' } }],
      ['goal/change', { operation: 'clear' }],
      ['step/end'],
    ],
    then: ['goal/change', { operation: 'pause', goal: { phase: 'paused' } }],
    what: 'no goal/change to the phase "paused" as the latest one within 50 ms',
    seen: 'session s1: goal/change ×2, step/end',
  },
  {
    name: 'waitForGoalPhase, with the phase at the top',
    step: { op: 'waitForGoalPhase', phase: 'complete', timeoutMs: 50 },
    not: [
      ['goal/change', { phase: 'active' }],
      ['goal/change', { goal: { phase: 7 } }],
    ],
    then: ['goal/change', { phase: 'complete' }],
    what: 'no goal/change to the phase "complete" as the latest one within 50 ms',
    seen: 'session s1: goal/change ×2',
  },
  {
    name: 'waitForInboxMessage',
    step: { op: 'waitForInboxMessage', text: 'has settled', timeoutMs: 50 },
    not: [
      ['agent/inbox/spliced', inbox('something else')],
      ['user/message', inbox('agent 1 has settled')],
      ['agent/inbox/spliced', { inserted: [null, { content: 'agent 1 has settled' }] }],
      ['agent/inbox/spliced', inbox('agent 1 has settled'), CHILD_A],
    ],
    then: ['agent/inbox/spliced', inbox('agent 1 has settled: ok')],
    what: 'no message with "has settled" in the inbox within 50 ms',
    seen: 'session s1: agent/inbox/spliced, user/message, agent/inbox/spliced',
  },
  {
    name: 'waitForTitleAfterTurnEnd',
    step: { op: 'waitForTitleAfterTurnEnd', timeoutMs: 50 },
    not: [
      ['session/title'],
      ['turn/end', { turn: 1 }],
      ['session/title'],
      ['turn/end', { turn: 2 }],
      ['step/end'],
    ],
    then: ['session/title', { title: 'A title' }],
    what: 'no session/title after the latest turn/end within 50 ms',
    seen: 'session s1: session/title, turn/end (turn 1), session/title, turn/end (turn 2), step/end',
  },
  {
    name: 'waitForEventAfterTurnEnd',
    step: { op: 'waitForEventAfterTurnEnd', type: 'compaction/end', timeoutMs: 50 },
    not: [['compaction/end'], ['turn/end', { turn: 1 }], ['compaction/start']],
    then: ['compaction/end'],
    what: 'no compaction/end after the latest turn/end within 50 ms',
    seen: 'session s1: compaction/end, turn/end (turn 1), compaction/start',
  },
]

// The deadline of a wait that is to be fulfilled must not depend on how busy the machine is.
const patient = (step: Step): Step => ({ ...step, timeoutMs: 10_000 }) as Step

describe.each(cases)('$name', ({ step, not, then, seen, what }) => {
  it('goes on at once where it is so already', async () => {
    const host = startAgent()
    logAll(host, [...not, then])
    await drive(host, [...OPEN, patient(step)])
  })

  it('goes on as soon as it becomes so', async () => {
    const host = startAgent()
    logAll(host, not)
    let logged = false
    await drive(host, [...OPEN, patient(step)], {
      onStep: (_step, index) => {
        if (index !== 3) return
        setImmediate(() => {
          logged = true
          logAll(host, [then])
        })
      },
    })
    expect(logged).toBe(true)
  })

  it('has a deadline, and says what it saw', async () => {
    const host = startAgent()
    logAll(host, not)
    const error = await failure(host, [step])
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toBe(
      `step 3 of 3 (${step.op}): ${what}. Seen last: ${seen}. If the agent is only slow, raise timeoutMs of the step.`,
    )
    expect(error.details).toMatchObject({ step: 3, op: step.op, seenLast: seen, timeoutMs: 50 })
  })
})

describe('waitForFile', () => {
  it('needs no session, and goes on when the file is there', async () => {
    const host = startAgent()
    await drive(host, [{ op: 'waitForFile', path: 'out/ready', timeoutMs: 10_000 }], {
      onStep: () => setImmediate(() => host.world.touch('out/ready')),
    })
    const error = await drive(startAgent(), [{ op: 'waitForFile', path: 'x', timeoutMs: 50 }]).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      message:
        'step 1 of 1 (waitForFile): no file "x" in /agent/dir within 50 ms. Seen last: no message of the agent. ' +
        'If the agent is only slow, raise timeoutMs of the step.',
    })
  })

  it('passes on what the host says', async () => {
    const error = await failure(startAgent(), [{ op: 'waitForFile', path: '../x', timeoutMs: 10_000 }])
    expect(error.code).toBe('STEP_FAILED')
    expect(error.message).toContain(
      '../x is outside the working directory (Waiting for: file "../x" in /agent/dir.',
    )
  })
})
