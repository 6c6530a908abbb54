import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/session-log/types.ts'
import { compareLogs } from '../../src/transcript/compare-logs.ts'
import { announcedJobs, jobIdRule } from '../../src/transcript/job-id-rule.ts'
import { normalizeSessionLog, normalizeStdout } from '../../src/transcript/index.ts'
import { sessionLog } from './logs.ts'

const context = { cwds: [], sessionIds: [] }

/** What the rule makes of texts of one document, in their order. */
function renumber(texts: readonly string[], known?: readonly string[]): string[] {
  return texts.map(jobIdRule(known))
}

describe('a job that a text announces', () => {
  it.each([
    ['started background job bash-7', 'started background job bash-1'],
    ['Background? background subagent job subagent-12.', 'Background? background subagent job subagent-1.'],
    ['background job bash-7 (sleep 1) finished', 'background job bash-1 (sleep 1) finished'],
    [
      'a background job job-9, "background job web_task-9"',
      'a background job job-1, "background job web_task-1"',
    ],
    ['background job my-kind-31', 'background job my-kind-1'],
  ])('%j becomes %j', (text, expected) => {
    expect(renumber([text])).toEqual([expected])
  })

  it.each([
    'job bash-7 is in the background',
    'background jobs bash-7',
    'background job bash',
    'background job bash-7x',
    'background job bash-7-b',
    'background job 12-7',
    'background very old job bash-7',
    'foreground job bash-7',
    'underbackground job bash-7',
  ])('is none in %j', text => {
    expect(renumber([text, 'bash-7'])).toEqual([text, 'bash-7'])
  })

  it('is renumbered wherever it stands from then on, alone', () => {
    expect(
      renumber([
        'bash-7',
        'started background job bash-7; see bash-7.log',
        '{"jobId":"bash-7","wait":true}',
        'bash-70 my-bash-7 bash-7-a xbash-7 bash-7 /jobs/bash-7/out',
      ]),
    ).toEqual([
      'bash-7',
      'started background job bash-1; see bash-1.log',
      '{"jobId":"bash-1","wait":true}',
      'bash-70 my-bash-7 bash-7-a xbash-7 bash-1 /jobs/bash-1/out',
    ])
  })

  it('leaves those that none has announced', () => {
    expect(renumber(['background job bash-7', 'bash-8 subagent-7'])).toEqual([
      'background job bash-1',
      'bash-8 subagent-7',
    ])
  })

  it('is told from the others of its kind, and of other kinds', () => {
    const texts = [
      'background job bash-7 background job bash-3',
      'background subagent job subagent-9',
      'bash-3 bash-7',
    ]
    expect(renumber(texts)).toEqual([
      'background job bash-1 background job bash-2',
      'background subagent job subagent-1',
      'bash-2 bash-1',
    ])
  })

  it('may change places with another', () => {
    expect(renumber(['background job bash-2', 'background job bash-1', 'bash-1 bash-2'])).toEqual([
      'background job bash-1',
      'background job bash-2',
      'bash-2 bash-1',
    ])
  })

  it('may have been announced elsewhere before', () => {
    expect(
      renumber(['bash-8, bash-7', 'background job bash-9'], ['bash-7', 'my-kind-5', 'bash-8', 'bash-7']),
    ).toEqual(['bash-2, bash-1', 'background job bash-3'])
  })
})

describe('the numbers of jobs', () => {
  const steps = fc.array(
    fc.record({
      job: fc.nat(4),
      say: fc.constantFrom(
        (id: string) => `started background job ${id}`,
        (id: string) => `background job ${id} finished`,
        (id: string) => JSON.stringify({ arguments: JSON.stringify({ jobId: id }) }),
        (id: string) => `1. ${id} running`,
      ),
    }),
    { maxLength: 12 },
  )
  /** Each job is announced by the first that says its name: a run can't know of it before. */
  const story = (
    list: readonly { readonly job: number; readonly say: (id: string) => string }[],
    base: number,
  ) => {
    const seen = new Set<number>()
    return list.map(({ job, say }) => {
      const id = `${job % 2 === 0 ? 'bash' : 'subagent'}-${base + job}`
      const text = seen.has(job) ? say(id) : `background job ${id}`
      seen.add(job)
      return text
    })
  }

  it('are the same wherever a registry had counted to', () => {
    fc.assert(
      fc.property(steps, fc.nat(99), fc.nat(99), (list, a, b) => {
        expect(renumber(story(list, a))).toEqual(renumber(story(list, b)))
      }),
    )
  })

  it('stay when they are right already', () => {
    fc.assert(
      fc.property(steps, fc.nat(9), (list, base) => {
        const once = renumber(story(list, base))
        expect(renumber(once)).toEqual(once)
      }),
    )
  })

  it('keep distinct jobs distinct', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(30)), numbers => {
        const texts = renumber(numbers.map(number => `background job bash-${number}`))
        expect(texts).toEqual(numbers.map((_, at) => `background job bash-${at + 1}`))
      }),
    )
  })
})

describe('in a transcript', () => {
  const log = (first: string, second: string, asked = second) =>
    sessionLog([
      ['tool/result', { command: 'sleep 1', text: `started background job ${first}` }],
      ['tool/result', { command: 'sleep 2', text: `started background job ${second}` }],
      ['tool/call', { name: 'job_output', arguments: JSON.stringify({ jobId: asked }) }],
      ['tool/result', { text: `${second} running\n${first} done` }],
      ['user/message', { text: `background job ${first} (sleep 1) finished` }],
    ])
  const compare = (a: ReturnType<typeof log>, b: ReturnType<typeof log>) =>
    compareLogs(normalizeSessionLog(a, context), normalizeSessionLog(b, context))

  it('two runs are equal whose counters stood elsewhere', () => {
    expect(compare(log('bash-1', 'bash-2'), log('bash-14', 'bash-15'))).toBeUndefined()
  })

  it('another job under the number of the first is a difference', () => {
    expect(compare(log('bash-1', 'bash-2'), log('bash-2', 'bash-1', 'bash-2'))).toMatchObject({
      index: 2,
      path: 'data.arguments',
    })
  })

  it('standard output takes the numbers of the logs', () => {
    const raw: JsonObject = { params: { rawOutput: 'bash-8 running', text: 'background job bash-7' } }
    const normal = normalizeStdout(JSON.stringify(raw), {
      ...context,
      jobIds: announcedJobs([log('bash-7', 'bash-8')]),
    })
    expect(JSON.parse(normal)).toEqual({
      params: { rawOutput: 'bash-2 running', text: 'background job bash-1' },
    })
  })
})

describe('announcedJobs', () => {
  it('lists what tools and notices say, in order, log by log', () => {
    const log = sessionLog([
      ['assistant/message', { text: 'I start background job bash-1' }],
      ['tool/result', { content: ['started background job bash-7', 'and background job bash-8'] }],
      ['user/message', { text: 'background job bash-7 finished' }],
    ])
    const child = sessionLog([['tool/result', { text: 'background subagent job subagent-2' }]])
    expect(announcedJobs([log, child])).toEqual(['bash-7', 'bash-8', 'bash-7', 'subagent-2'])
  })
})
