import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it, vi } from 'vitest'

import { runScenario, type RunScenarioOptions, type SnapshotError } from '../../../src/index.ts'
import { isAlive } from '../../support/is-alive.ts'
import { prompts } from '../../support/model-answers.ts'
import { ownTemp } from '../../support/own-temp.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { problemOf, thrownBy } from '../../support/thrown.ts'

const script = path.join(import.meta.dirname, '../support/odd-agent.js')
const left = ownTemp()

/** Runs against an agent that misbehaves, in a temporary folder of the test's own, and checks that nothing of it is left. */
async function against<T>(
  behaviour: string,
  look: (run: () => ReturnType<typeof runScenario>, pidFile: string) => Promise<T>,
  options: Partial<RunScenarioOptions> = {},
): Promise<T> {
  const pidFile = path.join(tempFolder(), 'pid')
  const run = (): ReturnType<typeof runScenario> =>
    runScenario({
      scenario: { name: behaviour, steps: prompts('Go.') },
      host: { command: process.execPath, args: [script, behaviour, pidFile], channel: 'none' },
      timeouts: { prompt: 1000, dispose: 500 },
      ...options,
    })
  const found = await look(run, pidFile)
  const pids = readFileSync(pidFile, 'utf8').split('\n').map(Number)
  expect(pids.filter(isAlive)).toEqual([])
  expect(left()).toEqual([])
  return found
}

const failing = (behaviour: string, options?: Partial<RunScenarioOptions>): Promise<SnapshotError> =>
  against(behaviour, run => problemOf(run), options)

describe('an agent in a process of its own', () => {
  it('that never answers ends by the deadline of the prompt', async () => {
    const error = await failing('mute')
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toContain('no answer to session/prompt within 1000 ms')
  })

  it('that floods its standard error is ended, and the flood is not shown whole', async () => {
    const error = await failing('floods-stderr', { timeouts: { prompt: 20_000 } })
    expect(error.code).toBe('STEP_FAILED')
    expect(error.message).toMatch(
      /odd-agent\.js floods-stderr .* floods its standard error: more than 16777216 bytes/,
    )
    expect(error.message).toContain('The agent logged:\n  again and again')
    expect(error.message.length).toBeLessThan(12_000)
  })

  it('that writes half a frame ends by the deadline, with what has come of it', async () => {
    const error = await failing('half-frame')
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toContain(
      String.raw`half a frame on standard output, 29 bytes without the end of a line: "{\"jsonrpc\":\"2.0\",\"id\":2,\"resu"`,
    )
  })

  it.each(['big-frame', 'endless-frame'])(
    'that writes a frame of 10 MB or more (%s) is told so',
    async behaviour => {
      const error = await failing(behaviour, { timeouts: { prompt: 20_000 } })
      expect(error.code).toBe('STDOUT_INVALID')
      expect(error.message).toContain(
        'standard output, line 3, is longer than a frame may be: more than 8388608 bytes',
      )
    },
  )

  it('that exits at once is told so at once, with its last words', async () => {
    const error = await failing('exit-1', { timeouts: { prompt: 20_000 } })
    expect(error.code).toBe('STEP_FAILED')
    expect(error.message).toMatch(/odd-agent\.js exit-1 .* exited with code 1 before the script was done/)
    expect(error.message).toContain('The agent logged:\n  no provider is configured')
    expect(error.details).toMatchObject({ code: 1, signal: null })
  })

  it.each([
    ['stays', 'SIGTERM'],
    ['stays-for-good', 'SIGKILL'],
  ])(
    'that ignores the end of its input (%s) is ended by %s, and that is an error',
    async (behaviour, signal) => {
      const error = await failing(behaviour)
      expect(error.code).toBe('DEADLINE_EXCEEDED')
      expect(error.message).toContain(
        `went on after its standard input had ended, for 500 ms, and was ended by ${signal}`,
      )
    },
  )

  it('that dies of a signal in a turn is told so at once', async () => {
    const error = await failing('dies', { timeouts: { prompt: 20_000 } })
    expect(error.code).toBe('STEP_FAILED')
    expect(error.message).toMatch(
      /step 3 of 3 \(prompt\): .* was killed by SIGSEGV before the script was done/,
    )
    expect(error.details).toMatchObject({ code: null, signal: 'SIGSEGV', step: 3 })
  })

  it('that exits in a turn with code 0 is no success', async () => {
    const error = await failing('exit-0', { timeouts: { prompt: 20_000 } })
    expect(error.message).toContain('exited with code 0 before the script was done')
  })

  it('that ends with a failure once its input has ended is told so', async () => {
    const error = await failing('exit-3-at-end')
    expect(error.code).toBe('STEP_FAILED')
    expect(error.message).toContain('exited with code 3 after its standard input had ended')
  })

  it('leaves no process behind, in whatever group or session', async () => {
    const run = await against('leaves-others', go => go())
    expect(run.stopReason).toBe('end_turn')
  })

  it('goes where the run is ended from outside while it is waited for to go', async () => {
    const abort = new AbortController()
    const reason = new Error('enough')
    await against(
      'stays',
      async run => {
        const running = run()
        setTimeout(() => abort.abort(reason), 700)
        await expect(running).rejects.toBe(reason)
      },
      { signal: abort.signal, timeouts: { prompt: 20_000, dispose: 20_000 } },
    )
  })

  it('has a long command shown in part', async () => {
    const error = await problemOf(() =>
      runScenario({
        scenario: { steps: prompts('Go.') },
        host: { command: 'no-such-agent', args: ['x'.repeat(1000)], channel: 'none' },
      }),
    )
    expect(error.message).toContain('xxx…) can')
    expect(error.message.length).toBeLessThan(600)
  })

  it('that says nonsense over the channel is told so at once', async () => {
    const error = await failing('breaks-channel', { timeouts: { prompt: 20_000 } })
    expect(error.code).toBe('STEP_FAILED')
    expect(error.message).toContain('that is no message of it (not JSON: nonsense)')
  })

  it('goes where the run is ended from outside', async () => {
    const abort = new AbortController()
    const reason = new Error('enough')
    const look = async (run: () => Promise<unknown>, pidFile: string): Promise<void> => {
      const running = thrownBy(run)
      await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true), 10_000)
      abort.abort(reason)
      expect(await running).toBe(reason)
    }
    await against('mute', look, { signal: abort.signal, timeouts: { prompt: 20_000 } })
  })
})

describe('a command', () => {
  const start = (command: string): Promise<SnapshotError> =>
    problemOf(() => runScenario({ scenario: { steps: prompts('Go.') }, host: { command, channel: 'none' } }))

  it('that there is not is told so at once', async () => {
    const error = await start('no-such-agent')
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain("the agent (no-such-agent) can't be started: spawn no-such-agent ENOENT")
  })

  it('that can not even be tried is told so', async () => {
    const error = await start('no\0agent')
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain("can't be started")
  })

  it('that is no program is told so', async () => {
    const folder = tempFolder({ agent: 'text' })
    const error = await start(path.join(folder, 'agent'))
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain('EACCES')
  })
})
