import { describe, expect, it } from 'vitest'
import type { StreamChunk } from '../../src/llm-replay/chunk.ts'
import type { ReplayEntry } from '../../src/llm-replay/entry.ts'
import { ReplayedFailure } from '../../src/llm-replay/failure.ts'
import { serveEntry, type ServedCall, type ServeEffects } from '../../src/llm-replay/serve.ts'
import { answer, cut } from './logs.ts'

/** What happened, in order: chunks by their type, effects by their name. */
class Stage implements ServeEffects {
  readonly events: string[] = []
  readonly opened = new Map<string, PromiseWithResolvers<undefined>>()
  /** A wait that doesn't heed its signal, for any effect of that name. */
  stuck: string | undefined

  cwd(): string {
    return '/run/cwd'
  }

  async writeReadyFile(path: string): Promise<void> {
    await this.#happen(`ready ${path}`)
  }

  async gate(name: string): Promise<void> {
    await this.#happen(`gate ${name}`)
  }

  async sleep(ms: number): Promise<void> {
    await this.#happen(`sleep ${ms}`)
  }

  async run(entry: ReplayEntry, call: Partial<ServedCall> = {}): Promise<unknown> {
    const whole = { messages: [], paceMs: 0, where: 'entry 0', authored: false, effects: this, ...call }
    try {
      for await (const chunk of serveEntry(entry, whole)) this.events.push(chunk.type)
      this.events.push('end')
      return undefined
    } catch (error) {
      this.events.push('thrown')
      return error
    }
  }

  async #happen(event: string): Promise<void> {
    this.events.push(event)
    if (this.stuck === event) await new Promise<never>(() => undefined)
  }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
const types = answer('x').map(({ type }) => type)
const gates = [
  { after: 5, name: 'end' },
  { after: 0, name: 'a' },
  { after: 0, name: 'b' },
]

describe('serveEntry', () => {
  it('streams the chunks themselves', async () => {
    const chunks = answer('x')
    const served: StreamChunk[] = []
    const call = { messages: [], paceMs: 0, where: '', authored: false, effects: new Stage() }
    for await (const chunk of serveEntry({ kind: 'chunks', chunks }, call)) served.push(chunk)
    expect(served).toEqual(chunks)
    expect(served[0]).toBe(chunks[0])
  })

  it("paces by the plugin's setting, or by the entry's own", async () => {
    const [plugin, own, none] = [new Stage(), new Stage(), new Stage()]
    await plugin.run({ kind: 'chunks', chunks: answer('x') }, { paceMs: 7 })
    expect(plugin.events).toEqual([...types.flatMap(type => ['sleep 7', type]), 'end'])
    await own.run({ kind: 'hang', chunks: cut, delayMs: 3 }, { paceMs: 7, signal: AbortSignal.timeout(5) })
    expect(own.events).toEqual(['sleep 3', 'block-start', 'sleep 3', 'text-delta', 'thrown'])
    await none.run({ kind: 'chunks', chunks: answer('x'), delayMs: 0 }, { paceMs: 7 })
    expect(none.events).toEqual([...types, 'end'])
  })

  it('waits at gates, in their order, before the pause', async () => {
    const stage = new Stage()
    await stage.run({ kind: 'chunks', chunks: answer('x'), gates, delayMs: 1 })
    expect(stage.events.slice(0, 4)).toEqual(['gate a', 'gate b', 'sleep 1', 'block-start'])
    expect(stage.events.slice(-3)).toEqual(['finish', 'gate end', 'end'])
  })

  it('throws after its chunks, with every fact', async () => {
    const facts = { message: 'no key', code: 'AUTH', status: 401, providerRetryAfterMs: 10, requestId: 'r-1' }
    const stage = new Stage()
    const error = await stage.run(
      { kind: 'throw', chunks: cut, ...facts },
      { signal: new AbortController().signal },
    )
    expect(stage.events).toEqual(['block-start', 'text-delta', 'thrown'])
    expect(error).toBeInstanceOf(ReplayedFailure)
    expect(error).toMatchObject({ name: 'ReplayedFailure', message: 'no key', code: 'AUTH', failure: facts })
    expect(Object.keys(error as object)).toEqual(expect.arrayContaining(['code', 'failure']))
  })

  it('throws with no fact that the entry does not have', async () => {
    const error = await new Stage().run({ kind: 'throw', chunks: [], message: 'm', code: 'C' })
    expect((error as ReplayedFailure).failure).toStrictEqual({ message: 'm', code: 'C' })
  })

  it('hangs: its beginning, then the ready file, then nothing until the abort', async () => {
    const stage = new Stage()
    const controller = new AbortController()
    const done = stage.run(
      { kind: 'hang', readyFile: 'r', gates: [{ after: 2, name: 'g' }] },
      { signal: controller.signal },
    )
    await turn()
    expect(stage.events).toEqual(['block-start', 'text-delta', 'gate g', 'ready r'])
    const reason = { not: 'an error' }
    controller.abort(reason)
    expect(await done).toBe(reason)
  })

  it('hangs for ever where no signal can end it', async () => {
    const stage = new Stage()
    const done = stage.run({ kind: 'hang' })
    await turn()
    expect(stage.events).toEqual(['block-start', 'text-delta'])
    expect(await Promise.race([done, turn().then(() => 'still hanging')])).toBe('still hanging')
  })

  it.each([
    ['sleep 4', { kind: 'chunks', chunks: answer('x'), delayMs: 4 }],
    ['gate a', { kind: 'chunks', chunks: answer('x'), gates }],
    ['gate end', { kind: 'chunks', chunks: answer('x'), gates }],
    ['ready r', { kind: 'hang', chunks: [], readyFile: 'r' }],
  ] satisfies [string, ReplayEntry][])(
    'ends with the reason of an abort during %s, though the wait goes on',
    async (wait, entry) => {
      const stage = new Stage()
      stage.stuck = wait
      const controller = new AbortController()
      const done = stage.run(entry, { signal: controller.signal })
      await turn()
      expect(stage.events.at(-1)).toBe(wait)
      const reason = new Error('cancelled')
      controller.abort(reason)
      expect(await done).toBe(reason)
    },
  )

  it.each([
    { kind: 'chunks', chunks: answer('x') },
    { kind: 'throw', chunks: answer('x'), message: 'm', code: 'C' },
    { kind: 'hang', chunks: answer('x') },
  ] satisfies ReplayEntry[])('stops before the next chunk once aborted: $kind', async entry => {
    const controller = new AbortController()
    const call = {
      messages: [],
      paceMs: 0,
      where: '',
      authored: false,
      effects: new Stage(),
      signal: controller.signal,
    }
    const stream = serveEntry(entry, call)
    await stream.next()
    controller.abort(new Error('cancelled'))
    await expect(stream.next()).rejects.toThrow('cancelled')
  })

  it('throws the reason in place of the failure where the abort comes after the last chunk', async () => {
    const controller = new AbortController()
    const call = {
      messages: [],
      paceMs: 0,
      where: '',
      authored: false,
      effects: new Stage(),
      signal: controller.signal,
    }
    const stream = serveEntry({ kind: 'throw', chunks: cut, message: 'm', code: 'C' }, call)
    await stream.next()
    await stream.next()
    controller.abort(new Error('cancelled'))
    await expect(stream.next()).rejects.toThrow('cancelled')
  })

  it('does nothing at all for a call that was aborted before', async () => {
    const stage = new Stage()
    const signal = AbortSignal.abort(new Error('too late'))
    expect(await stage.run({ kind: 'hang', readyFile: 'r' }, { signal })).toMatchObject({
      message: 'too late',
    })
    expect(stage.events).toEqual(['thrown'])
  })

  it('puts the working directory of the run in, also where the entry was recorded', async () => {
    const entry: ReplayEntry = { kind: 'throw', chunks: [], message: 'no {{cwd}}/a', code: 'C' }
    for (const authored of [false, true]) {
      expect(await new Stage().run(entry, { authored })).toMatchObject({ message: 'no /run/cwd/a' })
    }
    const escaped: ReplayEntry = { ...entry, message: '{{{{cwd}}' }
    expect(await new Stage().run(escaped, { authored: true })).toMatchObject({ message: '{{cwd}}' })
  })

  it('resolves placeholders in authored entries alone', async () => {
    const entry: ReplayEntry = { kind: 'throw', chunks: [], message: '{{fromRequest:id-\\d}}', code: 'C' }
    const messages = [{ content: [{ text: 'id-4' }] }]
    expect(await new Stage().run(entry, { messages, authored: true })).toMatchObject({ message: 'id-4' })
    expect(await new Stage().run(entry, { messages })).toMatchObject({ message: '{{fromRequest:id-\\d}}' })
    expect(await new Stage().run(entry, { authored: true })).toMatchObject({
      code: 'REPLAY_INVALID',
      message: expect.stringMatching(/^entry 0: at message: the pattern/) as string,
    })
  })
})
