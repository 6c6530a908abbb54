import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'

import { describe, expect, it, onTestFinished } from 'vitest'

import { AgentEnd } from '../../src/channel/agent-end.ts'
import { channelVariable } from '../../src/channel/messages.ts'
import { RunnerEnd } from '../../src/channel/runner-end.ts'
import { SnapshotError } from '../../src/errors.ts'
import type { StreamChunk } from '../../src/llm-replay/index.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { problemOf, thrown } from '../support/thrown.ts'
import { channelPair } from './channel-pair.ts'

const text = (text: string): StreamChunk => ({ type: 'text-delta', index: 0, text })
const request = { provider: 'acme', model: 'm-1', messages: [] }

describe('a call over the channel', () => {
  it('is answered a chunk at a time, each made when it is asked for', async () => {
    const made: string[] = []
    const { agent } = await channelPair(async function* ({ messages }) {
      for (const word of ['one', 'two', '🙂 three']) {
        made.push(word)
        yield await Promise.resolve(text(`${word} ${messages.length}`))
      }
    })
    const call = agent.ask({ request: { ...request, messages: ['hi'] } })
    expect(made).toEqual([])
    expect(await call.pull()).toEqual({ type: 'chunk', id: 0, chunk: text('one 1') })
    await setImmediate()
    expect(made).toEqual(['one'])
    expect(await call.pull()).toMatchObject({ chunk: text('two 1') })
    expect(await call.pull()).toMatchObject({ chunk: text('🙂 three 1') })
    expect(await call.pull()).toEqual({ type: 'end', id: 0 })
    expect(await call.pull()).toEqual({ type: 'end', id: 0 })
    call.abort()
  })

  it('has what is known of its session, and nobody else', async () => {
    const seen: unknown[] = []
    const { agent } = await channelPair((asked, lineage) => {
      seen.push([asked.sessionId, lineage])
      return undefined
    })
    const lineage = { parent: 's0', label: 'helper', prompt: 'Go.', cwd: '/x' }
    await agent.ask({ request: { ...request, sessionId: 's1' }, lineage }).pull()
    await agent.ask({ request }).pull()
    expect(seen).toEqual([
      ['s1', lineage],
      [undefined, undefined],
    ])
  })

  it('goes on to its provider where nobody answers', async () => {
    const { agent } = await channelPair(() => undefined)
    expect(await agent.ask({ request }).pull()).toEqual({ type: 'next', id: 0 })
  })

  it.each([
    [
      new SnapshotError('REPLAY_DRIFT', 'it differs', { details: { at: 1 } }),
      { code: 'REPLAY_DRIFT', message: 'it differs', details: { at: 1 } },
    ],
    [new Error('plain'), { message: 'plain' }],
    [new SnapshotError('USAGE', 'huge', { details: { huge: 1n } }), { code: 'USAGE', message: 'huge' }],
    ['text', { message: 'text' }],
  ])('is told of an error as it is: %s', async (error, sent) => {
    const { agent } = await channelPair(() => {
      // Whatever somebody throws.
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw error
    })
    expect(await agent.ask({ request }).pull()).toEqual({ type: 'throw', id: 0, error: sent })
  })

  it('that is aborted ends at once, and so does its answer', async () => {
    const aborted = Promise.withResolvers<unknown>()
    const { agent } = await channelPair(async function* ({ signal }) {
      signal?.addEventListener('abort', () => aborted.resolve(true))
      yield text('one')
      await new Promise(() => undefined)
    })
    const call = agent.ask({ request })
    await call.pull()
    const waiting = call.pull()
    call.abort()
    expect(await waiting).toEqual({ type: 'end', id: 0 })
    expect(await aborted.promise).toBe(true)
    call.abort()
  })

  it('that was never asked for is aborted in silence', async () => {
    const { agent, told } = await channelPair(() => undefined)
    agent.ask({ request }).abort()
    await agent.ask({ request }).pull()
    expect(told.map(({ type }) => type)).toEqual(['hello'])
  })

  it('fails where the run is gone, before and after', async () => {
    const { agent, runner } = await channelPair(async function* () {
      yield text('one')
      await new Promise(() => undefined)
    })
    const call = agent.ask({ request })
    await call.pull()
    const waiting = call.pull()
    const failed = expect(waiting).rejects.toThrow('the channel to the run is gone')
    await runner.close()
    await failed
    await agent.closed
    await expect(agent.ask({ request }).pull()).rejects.toThrow('the channel to the run is gone')
    agent.tell({ type: 'ready', importMs: 1, mountMs: 1 })
    await agent.close()
  })

  it('of a second connection has numbers of its own', async () => {
    const { agent, setup } = await channelPair(async function* ({ model }) {
      yield await Promise.resolve(text(model))
      yield text(`${model} again`)
    })
    const second = new AgentEnd(setup)
    const calls = [agent.ask({ request }), second.ask({ request: { ...request, model: 'm-2' } })]
    expect(await Promise.all(calls.map(call => call.pull()))).toMatchObject([
      { chunk: text('m-1') },
      { chunk: text('m-2') },
    ])
    expect(await Promise.all(calls.map(call => call.pull()))).toMatchObject([
      { chunk: text('m-1 again') },
      { chunk: text('m-2 again') },
    ])
  })
})

describe('what the agent tells', () => {
  it('comes in its order, whole, in one piece or in many', async () => {
    const { agent, told, next } = await channelPair(() => undefined)
    const done = next('disposed')
    const long = 'ä€🙂'.repeat(100_000)
    for (let seq = 0; seq < 50; seq += 1) {
      agent.tell({ type: 'event', session: { id: 's1' }, event: { type: 'x', seq, data: { long } } })
    }
    agent.tell({ type: 'disposed', problem: 'one' })
    await done
    expect(told.slice(1, -1).map(message => (message.type === 'event' ? message.event.seq : -1))).toEqual(
      Array.from({ length: 50 }, (_, seq) => seq),
    )
    expect(told[3]).toMatchObject({ event: { data: { long } } })
  })

  it('is told before it closes', async () => {
    const { agent, next } = await channelPair(() => undefined)
    const ready = next('ready')
    agent.tell({ type: 'ready', importMs: 1, mountMs: 2 })
    await agent.close()
    expect(await ready).toEqual({ type: 'ready', importMs: 1, mountMs: 2 })
  })

  it.each([
    ['oops\n', 'not JSON: oops'],
    ['{"type":"nonsense"}\n{"type":"hello"}\n', 'Invalid'],
    [`{"type":"hello","version":1,"pid":"${'x'.repeat(300)}"}\n`, 'at pid'],
  ])('is broken where it is no message: %j', async (sent, problem) => {
    const { setup, broken } = await channelPair(() => undefined)
    const socket = connect(setup.socket)
    onTestFinished(() => void socket.destroy())
    socket.write(sent)
    const error = await broken
    expect(error.code).toBe('STEP_FAILED')
    expect(error.message).toContain(problem)
    expect(error.message).toContain('the same version')
    expect(error.message.length).toBeLessThan(600)
  })

  it('is broken where it has no end', async () => {
    const { setup, broken } = await channelPair(() => undefined)
    const socket = connect(setup.socket)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    const part = 'x'.repeat(2 ** 20)
    const flood = (error?: Error | null): void => {
      if (!error) socket.write(part, flood)
    }
    flood()
    expect((await broken).message).toContain('longer than 67108864 characters')
  })

  it('is refused from another version', async () => {
    const { setup, broken } = await channelPair(() => undefined)
    const socket = connect(setup.socket)
    onTestFinished(() => void socket.destroy())
    socket.write('{"type":"hello","version":2,"pid":1}\n')
    expect((await broken).message).toContain('speaks version 2 of the channel, and this is version 1')
  })
})

describe('an agent’s end', () => {
  it('that gets what is no message gives up', async () => {
    const folder = tempFolder()
    const { setup } = await channelPair(() => undefined)
    const server = createServer(socket => socket.write('nonsense\n')).listen(path.join(folder, 's'))
    onTestFinished(() => void server.close())
    const agent = new AgentEnd({ ...setup, socket: path.join(folder, 's') })
    await agent.closed
    await expect(agent.ask({ request }).pull()).rejects.toThrow('not JSON: nonsense')
  })

  it('is what the environment names, once', async () => {
    const { setupFile, setup } = await channelPair(() => undefined)
    const env: Record<string, string | undefined> = { [channelVariable]: setupFile, OTHER: 'kept' }
    const agent = AgentEnd.take(env)
    expect(agent?.setup).toEqual(setup)
    expect(env).toEqual({ OTHER: 'kept' })
    expect(AgentEnd.take(env)).toBeUndefined()
    expect(AgentEnd.take({ [channelVariable]: '' })).toBeUndefined()
  })

  it.each([
    ['is not there', undefined, 'ENOENT'],
    ['is not JSON', '{', 'JSON'],
    ['is of another version', { version: 2 }, 'version 2, where 1 is known'],
    ['lacks something', { routes: undefined }, 'routes'],
  ])('is refused where its file %s', async (_why, change, problem) => {
    const { setup } = await channelPair(() => undefined)
    const file = path.join(tempFolder(), 'channel.json')
    if (change !== undefined) {
      writeFileSync(file, typeof change === 'string' ? change : JSON.stringify({ ...setup, ...change }))
    }
    const error = thrown(() => AgentEnd.take({ [channelVariable]: file }))
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain(`ACP_SNAPSHOT_CHANNEL names ${file}, which can't be used`)
    expect(error.message).toContain(problem)
  })
})

describe('a run’s end', () => {
  it('leaves no socket', async () => {
    const { runner, setup } = await channelPair(() => undefined)
    await runner.close()
    expect(existsSync(setup.socket)).toBe(false)
  })

  it('needs a path that a socket can have', async () => {
    const socket = path.join(tempFolder(), 'x'.repeat(120))
    const side = { answer: () => undefined, note: () => undefined, broken: () => undefined }
    const error = await problemOf(() => RunnerEnd.listen(socket, side))
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain('103 bytes')
  })
})

describe('an end that can ask and wait', () => {
  /** A file in the place of the descriptor: what is asked is written over its beginning, what is answered follows. */
  function lineWith(asked: object, ...answers: readonly (object | string)[]): number {
    const file = path.join(tempFolder(), 'line')
    const room = ' '.repeat(JSON.stringify(asked).length + 1)
    writeFileSync(
      file,
      room +
        answers.map(answer => (typeof answer === 'string' ? answer : `${JSON.stringify(answer)}\n`)).join(''),
    )
    const fd = openSync(file, 'r+')
    onTestFinished(() => closeSync(fd))
    return fd
  }
  const call = { type: 'call', id: 0, request }
  const chunk = { type: 'chunk', id: 0, chunk: text('ä'.repeat(70_000)) }

  it('has its answer in the turn in which it asks', async () => {
    const syncFd = lineWith(call, chunk)
    const { agent } = await channelPair(() => undefined, { syncFd })
    let isLater = false
    void setImmediate().then(() => (isLater = true))
    expect(await agent.ask({ request }).pull()).toEqual(chunk)
    expect(isLater).toBe(false)
    expect(readFileSync(syncFd, 'utf8')).toBe('')
  })

  it('fails where the run is gone', async () => {
    const { agent } = await channelPair(() => undefined, { syncFd: lineWith(call, '{"type":') })
    await expect(agent.ask({ request }).pull()).rejects.toThrow('its other end was closed')
  })

  it('tells there that nobody reads on', async () => {
    const syncFd = lineWith(call, chunk)
    const { agent } = await channelPair(() => undefined, { syncFd })
    const asked = agent.ask({ request })
    await asked.pull()
    asked.abort()
    expect(await asked.pull()).toEqual({ type: 'end', id: 0 })
  })

  it('asks over the socket for what takes time', async () => {
    const opened = Promise.withResolvers<undefined>()
    const { agent, runner, setup } = await channelPair(
      async function* () {
        yield await Promise.resolve(text('one'))
        await opened.promise
        yield text('two')
      },
      { syncFd: lineWith(call, { type: 'later', id: 0 }) },
    )
    const line = await lineTo(runner)
    // What the descriptor would have asked goes over a stream here: nothing can wait for an answer of its own process.
    expect(await line.ask(call)).toEqual({ type: 'chunk', id: 0, chunk: text('one') })
    expect(await line.ask({ type: 'pull', id: 0 })).toEqual({ type: 'later', id: 0 })
    const later = agent.ask({ request }).pull()
    opened.resolve(undefined)
    expect(await later).toEqual({ type: 'chunk', id: 0, chunk: text('two') })
    expect(await line.ask({ type: 'pull', id: 0 })).toEqual({ type: 'end', id: 0 })
    expect(setup.syncFd).toBeGreaterThan(0)
  })
})

/** A stream that a run has taken, and what comes back over it. */
async function lineTo(runner: RunnerEnd) {
  const socket = path.join(tempFolder(), 's')
  const server = createServer(stream => runner.attach(stream)).listen(socket)
  await once(server, 'listening')
  const stream = connect(socket)
  onTestFinished(() => {
    stream.destroy()
    server.close()
  })
  const lines = createInterface({ input: stream })[Symbol.asyncIterator]()
  return {
    ask: async (message: object): Promise<unknown> => {
      stream.write(`${JSON.stringify(message)}\n`)
      const { value } = (await lines.next()) as { readonly value: string }
      return JSON.parse(value)
    },
  }
}
