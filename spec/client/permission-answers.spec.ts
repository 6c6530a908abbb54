import { describe, expect, it } from 'vitest'
import { drive, failure, OPEN } from './drive.ts'
import { startAgent } from './test-agent.ts'
import type { PromptHandler } from './test-agent.ts'

/** Asks as often as there are lists of kinds, and says each answer. */
const asking =
  (...requests: readonly ('allow_once' | 'allow_always' | 'reject_once')[][]): PromptHandler =>
  async ({ ask, say }) => {
    for (const kinds of requests) await say(await ask(kinds))
    return 'end_turn'
  }

function said(stdout: string): string[] {
  return [...stdout.matchAll(/"agent_message_chunk","content":\{"type":"text","text":"([^"]*)"/g)].map(
    ([, text]) => text ?? '',
  )
}

describe('permission answers', () => {
  it('are used first in, first out, by kind, and are cancelled when none is left', async () => {
    const host = startAgent({
      hello: asking(
        ['reject_once', 'allow_once'],
        ['allow_once', 'allow_always', 'allow_always'],
        ['allow_once'],
      ),
    })
    const result = await drive(host, [...OPEN, { op: 'prompt', text: 'hello' }], {
      permissionAnswers: [{ kind: 'allow_once' }, { kind: 'allow_always' }],
    })
    expect(said(result.stdout.text())).toEqual(['allow_once#1', 'allow_always#1', 'cancelled'])
    expect(result.permissionAnswersLeft).toEqual([])
  })

  it('that nobody asked for are given back', async () => {
    const result = await drive(
      startAgent({ hello: asking(['allow_once']) }),
      [...OPEN, { op: 'prompt', text: 'hello' }],
      {
        permissionAnswers: [{ kind: 'allow_once' }, { kind: 'reject_once' }, { kind: 'allow_once' }],
      },
    )
    expect(result.permissionAnswersLeft).toEqual([{ kind: 'reject_once' }, { kind: 'allow_once' }])
  })

  it('of a kind that was not offered are cancelled, and fail the run after the step', async () => {
    let finished = false
    const host = startAgent({
      hello: async (world, prompt) => {
        const stop = await asking(['allow_once', 'reject_once'], ['allow_once'])(world, prompt)
        finished = true
        return stop
      },
      again: () => Promise.resolve('end_turn'),
    })
    let stdout = ''
    const error = await failure(
      host,
      [
        { op: 'prompt', text: 'hello' },
        { op: 'prompt', text: 'again' },
      ],
      {
        permissionAnswers: [{ kind: 'allow_always' }, { kind: 'allow_once' }],
        onStep: () => undefined,
        onConnect: tap => void tap.ended.then(() => (stdout = tap.text())),
      },
    )
    expect(error).toMatchObject({
      code: 'STEP_FAILED',
      message:
        'step 3 of 4 (prompt): permission answer 1 of 2 is "allow_always", but the agent offered "allow_once", ' +
        '"reject_once"; it was answered "cancelled". Correct permissionAnswers in input.json, or what the agent offers.',
      details: { asked: 'allow_always', offered: ['allow_once', 'reject_once'] },
    })
    expect(finished).toBe(true)
    await host.world.exit()
    await host.inputEnded
    expect(said(stdout)).toEqual(['cancelled', 'allow_once#0'])
    expect(host.received.filter(({ method }) => method === 'session/prompt')).toHaveLength(1)
  })

  it('say so where nothing at all was offered', async () => {
    const host = startAgent({ hello: asking([]) })
    const error = await failure(host, [{ op: 'prompt', text: 'hello' }], {
      permissionAnswers: [{ kind: 'allow_once' }],
    })
    expect(error.message).toContain('the agent offered no option at all')
  })
})
