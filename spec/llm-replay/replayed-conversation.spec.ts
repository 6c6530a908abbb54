import type { Context } from '@deepseek-ai/cordis'
import {
  BlockAssembler,
  createAssistantMessage,
  createUserMessage,
  type GenerateOptions,
  type StreamChunk,
} from '@deepseek-ai/dsh-llm'
import SessionStore, { SessionId, type Session } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import type { SnapshotError } from '../../src/errors.ts'
import { buildSessionScripts, installLlmReplay, type InstallOptions } from '../../src/llm-replay/index.ts'
import type { SessionEvent, SessionHeader, SessionLog } from '../../src/session-log/types.ts'
import { harness } from './harness.ts'
import { said } from './conversation.ts'
import { answer, callRows, logOf, type Row } from './logs.ts'

const model = { provider: 'acme', model: 'm-1' }
const user = (text: string) =>
  createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } })

/** A conversation as the harness's own agent has it: its messages are those that its session derives. */
class Talk {
  readonly session: Session
  readonly #ctx: Context
  #turn = 0

  constructor(ctx: Context, id: string, meta: { parentSession?: SessionId; cwd?: string } = {}) {
    this.#ctx = ctx
    this.session = ctx.sessions.create(SessionId(id), { meta })
  }

  async say(text: string): Promise<string> {
    const place = { turn: (this.#turn += 1), step: 1 }
    this.session.append('step/start', place)
    this.session.append('user/message', user(text), { surfaceOp: 'append' })
    const assembler = new BlockAssembler()
    for await (const chunk of this.#stream()) {
      this.session.append('assistant/chunk', { ...place, chunk })
      assembler.push(chunk)
    }
    const message = createAssistantMessage({ content: assembler.blocks(), source: model })
    this.session.append('assistant/message', { ...place, message }, { surfaceOp: 'append' })
    this.session.append('step/end', place)
    return message.content.map(block => (block.type === 'text' ? block.text : '')).join('')
  }

  async title(text: string): Promise<string> {
    let title = ''
    for await (const chunk of this.#stream([user(text)], 'session-title')) {
      if (chunk.type === 'text-delta') title += chunk.text
    }
    return title
  }

  #stream(
    messages: GenerateOptions['messages'] = this.session.deriveMessages(),
    purpose?: 'session-title',
  ): AsyncIterable<StreamChunk> {
    const options = {
      ...model,
      messages,
      sessionId: this.session.id,
      ...(purpose === undefined ? {} : { purpose }),
    }
    return this.#ctx.llm.stream(options)
  }

  /** What a recording of it would be. */
  log(file: string): SessionLog {
    const header = { type: 'session', ...this.session.header } as unknown as SessionHeader
    const events = this.session.events as readonly unknown[] as SessionEvent[]
    return { file, header, headerLine: JSON.stringify(header), events }
  }
}

async function composition(options: InstallOptions) {
  const ctx = await harness()
  await ctx.plugin(SessionStore)
  const errors: SnapshotError[] = []
  const replay = installLlmReplay(ctx, { onError: error => errors.push(error), ...options })
  return { ctx, replay, errors }
}

/** Answers one after the other, of a session that is bound to no recording. */
const answering = (...texts: string[]): InstallOptions => ({
  scripts: buildSessionScripts([
    {
      name: 'session.jsonl',
      log: logOf([]),
      override: texts.map(text => ({ kind: 'chunks', chunks: answer(text) })),
    },
  ]),
})

/** A conversation of two turns, recorded. */
async function recording(first = 'in /then/a', second = 'and b?'): Promise<SessionLog> {
  const { ctx } = await composition(answering('one', 'two'))
  const talk = new Talk(ctx, 'then', { cwd: '/then' })
  await talk.say(first)
  await talk.say(second)
  return talk.log('session.jsonl')
}

const scriptsOf = (...logs: SessionLog[]): InstallOptions => ({
  scripts: buildSessionScripts(logs.map(log => ({ name: log.file, log }))),
})

describe('a replayed conversation', () => {
  it('is answered without a word where it is the recorded one', async () => {
    const { ctx, replay, errors } = await composition(scriptsOf(await recording()))
    const talk = new Talk(ctx, 'live-1', { cwd: '/now' })
    expect([await talk.say('in /now/a'), await talk.say('and b?')]).toEqual(['one', 'two'])
    expect([replay.drifts(), errors]).toEqual([[], []])
    replay.assertConsumed()
  })

  it('ends with the error of the replay where it is another, and whoever installed it is told', async () => {
    const { ctx, replay, errors } = await composition(scriptsOf(await recording()))
    const talk = new Talk(ctx, 'live-1', { cwd: '/now' })
    await talk.say('in /now/a')
    await expect(talk.say('and c?')).rejects.toMatchObject({ name: 'SnapshotError', code: 'REPLAY_DRIFT' })
    expect(errors.map(({ code, details }) => [code, details.path, details.recorded, details.live])).toEqual([
      ['REPLAY_DRIFT', 'messages[2].content[0].text', 'and b?', 'and c?'],
    ])
    expect(replay.drifts()).toHaveLength(1)
  })

  it('goes on where the difference is only to be reported', async () => {
    const { ctx, replay, errors } = await composition({ ...scriptsOf(await recording()), drift: 'report' })
    const talk = new Talk(ctx, 'live-1', { cwd: '/now' })
    expect([await talk.say('in /now/x'), await talk.say('and b?')]).toEqual(['one', 'two'])
    expect(errors).toEqual([])
    expect(replay.drifts().map(({ index, live }) => [index, live])).toEqual([[0, 'in {{cwd}}/x']])
  })

  it('is compared with tokens for the folders of the process as well', async () => {
    const { ctx, errors } = await composition(scriptsOf(await recording()))
    const talk = new Talk(ctx, 'live-1')
    expect(await talk.say(`in ${process.cwd()}/a`)).toBe('one')
    expect(errors).toEqual([])
  })

  it('is not compared where the store does not have its session', async () => {
    const { ctx, replay } = await composition(scriptsOf(await recording()))
    const stream = ctx.llm.stream({
      ...model,
      messages: [user('whatever')],
      sessionId: SessionId('unheard-of'),
    })
    expect(await Array.fromAsync(stream)).toHaveLength(5)
    expect(replay.drifts()).toEqual([])
  })

  it('is compared by what a caller of its own says of it', async () => {
    const log = await recording()
    const ctx = await harness()
    installLlmReplay(ctx, {
      ...scriptsOf(log),
      lineageOf: () => ({}),
      runContext: () => ({ cwds: ['/mine'], sessionIds: [] }),
    })
    const ask = (text: string) =>
      Array.fromAsync(ctx.llm.stream({ ...model, messages: [user(text)], sessionId: SessionId('s') }))
    expect(await ask('in /mine/a')).toHaveLength(5)
    await expect(ask('in /mine/b')).rejects.toMatchObject({ code: 'REPLAY_DRIFT' })
  })

  it('gets its own answers among siblings, in whatever order they call, and so do their titles', async () => {
    const recorded = ['place', 'sea', 'lake'].map((id, number) => {
      const prompted = { ...said(`Name a ${id}.`), id: '3f2b8c1e-0d4a-4c5b-9a52-2f8f0a4c9d11' }
      const rows: Row[] = [
        ['user/message', prompted, 'append'],
        ...callRows(1, 1, answer(`answer ${id}`)),
        ['session/title-llm-request', { messageSeqs: [0] }],
        ['session/title', { title: `title ${id}`, messageSeqs: [0], source: { kind: 'provider' } }],
      ]
      const parent = number === 0 ? {} : { parentSession: 'recorded-place' }
      const file = number === 0 ? 'session.jsonl' : `session.${number}.jsonl`
      return logOf(rows, { id: `recorded-${id}`, ...parent }, file)
    })
    for (const order of [
      ['sea', 'lake'],
      ['lake', 'sea'],
    ]) {
      const { ctx, replay } = await composition(scriptsOf(...recorded))
      const root = new Talk(ctx, 'root')
      expect(await root.say('Name a place.')).toBe('answer place')
      const children = order.map(id => ({
        id,
        talk: new Talk(ctx, `live-${id}`, { parentSession: root.session.id }),
      }))
      const answers = children.map(({ id, talk }) => talk.say(`Name a ${id}.`))
      expect(await Promise.all(answers)).toEqual(order.map(id => `answer ${id}`))
      const titles = [root, ...children.map(({ talk }) => talk)].map(talk => talk.title('Title?'))
      expect(await Promise.all(titles)).toEqual(['place', ...order].map(id => `title ${id}`))
      replay.assertConsumed()
    }
  })
})
