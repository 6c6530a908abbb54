import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SnapshotError } from '../../src/errors.ts'
import { installLlmReplay, type ReplayEntry } from '../../src/llm-replay/index.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { harness, request } from './harness.ts'
import { answer } from './logs.ts'
import { answers, chunksOf, script, textOf, ticks, turn } from './scripts.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a replayed stream', () => {
  const gated = (after: number): ReplayEntry => ({
    kind: 'chunks',
    chunks: answer('x'),
    gates: [{ after, name: 'go' }],
  })

  async function reading(entry: ReplayEntry, paceMs = 0) {
    const ctx = await harness()
    const controller = new AbortController()
    const replay = installLlmReplay(ctx, { scripts: [script([entry])], paceMs })
    const seen: string[] = []
    const stream = ctx.llm.stream(request({ signal: controller.signal }))
    const done = (async () => {
      for await (const chunk of stream) seen.push(chunk.type)
      seen.push('end')
    })()
    const failure = done.then(
      () => undefined,
      (error: unknown) => error,
    )
    await turn()
    return { controller, replay, seen, failure }
  }

  it.each([
    ['a hang', { kind: 'hang' }, 0, ['block-start', 'text-delta']],
    ['a pace wait', { kind: 'chunks', chunks: answer('x') }, 100_000, []],
    ["a pace wait of the entry's own", { kind: 'chunks', chunks: answer('x'), delayMs: 100_000 }, 0, []],
    ['a gate wait', gated(1), 0, ['block-start']],
    ['a gate wait after the last chunk', gated(5), 0, answer('x').map(({ type }) => type)],
  ] satisfies [string, ReplayEntry, number, string[]][])(
    'rejects its reader at once where the abort comes in %s',
    async (_what, entry, paceMs, before) => {
      const { controller, seen, failure } = await reading(entry, paceMs)
      expect(seen).toEqual(before)
      const reason = { kind: 'user' }
      controller.abort(reason)
      let told = false
      void failure.then(() => (told = true))
      // What the reader itself needs to leave its loop, its function and `failure`: none is left for the abort's way.
      await ticks(3)
      expect(told).toBe(true)
      expect(await failure).toBe(reason)
      expect(seen).toEqual(before)
    },
  )

  it('is over before the next chunk where its reader aborts', async () => {
    const ctx = await harness()
    installLlmReplay(ctx, { scripts: [answers('one')] })
    const controller = new AbortController()
    const seen: string[] = []
    const read = async (): Promise<void> => {
      for await (const chunk of ctx.llm.stream(request({ signal: controller.signal }))) {
        seen.push(chunk.type)
        controller.abort(new Error('enough'))
      }
    }
    await expect(read()).rejects.toThrow('enough')
    expect(seen).toEqual(['block-start'])
  })

  it('goes on when its gate opens', async () => {
    const { replay, seen, failure } = await reading(gated(2))
    expect(seen).toEqual(['block-start', 'text-delta'])
    replay.openGate('other')
    await turn()
    expect(seen).toHaveLength(2)
    replay.openGate('go')
    expect(await failure).toBeUndefined()
    expect(seen).toEqual([...answer('x').map(({ type }) => type), 'end'])
  })

  it('waits at no gate after an abort', async () => {
    const { replay, controller, failure } = await reading(gated(2))
    expect(replay.gatesAwaited()).toEqual(['go'])
    controller.abort(new Error('cancelled'))
    expect(await failure).toMatchObject({ message: 'cancelled' })
    expect(replay.gatesAwaited()).toEqual([])
  })

  it('does not stop at a gate that was opened before', async () => {
    const ctx = await harness()
    const replay = installLlmReplay(ctx, { scripts: [script([gated(0)])] })
    replay.openGate('go')
    expect(await textOf(ctx.llm.stream(request()))).toBe('x')
  })

  it('pauses before each chunk, and needs no signal for it', async () => {
    const ctx = await harness()
    installLlmReplay(ctx, { scripts: [answers('one')], paceMs: 20 })
    let over = false
    const read = textOf(ctx.llm.stream(request())).finally(() => (over = true))
    await turn()
    expect(over).toBe(false)
    expect(await read).toBe('one')
  })

  it('leaves no timer behind when an abort ends a pause', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
    const before = timers()
    const entry: ReplayEntry = { kind: 'chunks', chunks: answer('x'), delayMs: 100_000 }
    const paused = await Promise.all(Array.from({ length: 50 }, () => reading(entry)))
    expect(timers() - before).toBeGreaterThan(40)
    for (const { controller } of paused) controller.abort()
    await Promise.all(paused.map(({ failure }) => failure))
    // The test runner has timers of its own, which come and go.
    expect(timers() - before).toBeLessThan(10)
  })

  it('writes the empty ready file into the working directory, before it hangs', async () => {
    const cwd = tempFolder({ 'sub/here': '' })
    vi.spyOn(process, 'cwd').mockReturnValue(cwd)
    const { controller, failure } = await reading({ kind: 'hang', readyFile: 'sub/ready' })
    await vi.waitFor(() => expect(existsSync(path.join(cwd, 'sub/ready'))).toBe(true))
    expect(readFileSync(path.join(cwd, 'sub/ready'), 'utf8')).toBe('')
    controller.abort(new Error('cancelled'))
    expect(await failure).toMatchObject({ message: 'cancelled' })
  })

  it('tells of a ready file that it cannot write', async () => {
    const cwd = tempFolder()
    vi.spyOn(process, 'cwd').mockReturnValue(cwd)
    const ctx = await harness()
    const errors: SnapshotError[] = []
    installLlmReplay(ctx, {
      scripts: [script([{ kind: 'hang', readyFile: 'none/ready' }])],
      onError: error => errors.push(error),
    })
    await expect(chunksOf(ctx.llm.stream(request()))).rejects.toMatchObject({ code: 'REPLAY_INVALID' })
    expect(errors[0]?.message).toContain(
      `${path.join(cwd, 'none/ready')}: the ready file of a hang can't be written`,
    )
    expect(readdirSync(cwd)).toEqual([])
  })
})
