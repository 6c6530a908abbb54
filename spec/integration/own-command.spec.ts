import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import {
  compareRun,
  runScenario,
  type AgentHost,
  type RunScenarioOptions,
  type ScenarioRun,
} from '../../src/index.ts'
import { answers, prompts } from '../support/model-answers.ts'
import { bundledScenarios, dshComposition, root } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { problemOf } from '../support/thrown.ts'

/** A program that mounts the real agent by itself, as one of a user's own would. */
const program = path.join(root, 'bench/hosts/bare-agent.js')
const overlay = dshComposition.replace('cordis.yml', 'cordis.snapshot.yml')
const host: AgentHost = { command: process.execPath, args: [program, overlay] }

/** The same where nobody takes the channel: its replay answers from the recording's files, and keeps that to itself. */
const silent: AgentHost = {
  command: 'env',
  args: ['-u', 'ACP_SNAPSHOT_CHANNEL', process.execPath, program, overlay],
}
const accepted: AgentHost = { ...silent, channel: 'none' }

const bundled = (name: string): string => path.join(bundledScenarios, name)
const run = (scenario: RunScenarioOptions['scenario'], options: Partial<RunScenarioOptions> = {}) =>
  runScenario({ scenario, host, ...options })

/** Which entries answered; sessions that run side by side call in whatever order. */
const callsOf = ({ modelCalls }: ScenarioRun): string[] =>
  modelCalls.map(({ script, index }) => `${script} ${index}`).sort()

/** A copy of a bundled scenario that says nothing of how often the model is called. */
function withoutFacts(name: string): string {
  const folder = tempFolder()
  cpSync(bundled(name), folder, { recursive: true })
  rmSync(path.join(folder, 'facts.json'))
  return folder
}

/** One whose recorded prompt is another. */
function drifted(): string {
  const folder = withoutFacts('text-turn')
  const log = path.join(folder, 'session.jsonl')
  const text = readFileSync(log, 'utf8')
  writeFileSync(log, text.replaceAll('capital', 'capitol'))
  return folder
}

describe('a command of your own that mounts acp-snapshot/llm-replay', () => {
  it.each([
    'text-turn',
    'bash-turn',
    'subagents-in-parallel',
    'cancel-in-stream',
    'gated-stream',
    'provider-error',
  ])('gives the transcripts of %s, with every model call seen', async name => {
    const own = await run(bundled(name))
    const here = await runScenario({ scenario: bundled(name) })
    expect(own.transcript.stdout).toBe(here.transcript.stdout)
    expect(own.transcript.sessions.map(({ text }) => text)).toEqual(
      here.transcript.sessions.map(({ text }) => text),
    )
    expect(own.observed).toBe(true)
    expect(own.unconsumed).toEqual([])
    expect(callsOf(own)).toEqual(callsOf(here))
    compareRun(own).assertEqual()
  })

  it('has a request that differs from its recording told', async () => {
    const folder = drifted()
    const error = await problemOf(() => run(folder))
    expect(error.code).toBe('REPLAY_DRIFT')
    const told = await run(folder, { drift: 'report' })
    expect(told.drifts).toHaveLength(1)
  })

  it('has what it leaves unused told', async () => {
    const made = await run({ steps: prompts('Hi'), replay: [answers({ text: 'a' }), answers({ text: 'b' })] })
    expect(made.unconsumed).toHaveLength(1)
  })

  it('has a call that nothing was recorded for told', async () => {
    const error = await problemOf(() =>
      run({ steps: prompts('Hi', 'And?'), replay: [answers({ text: 'a' })] }),
    )
    expect(error.code).toBe('REPLAY_EXHAUSTED')
  })
})

describe('a command of your own that keeps its model calls to itself', () => {
  it('is refused, since nobody would see what differs', async () => {
    const error = await problemOf(() => run(withoutFacts('text-turn'), { host: silent }))
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain('has told nothing of its model calls')
    expect(error.message).toContain("channel: 'none'")
  })

  it.each(['text-turn', 'bash-turn', 'several-turns'])(
    'is accepted where it is said so, and %s says what was not compared',
    async name => {
      const done = await run(withoutFacts(name), { host: accepted })
      expect(done).toMatchObject({ observed: false, modelCalls: [], drifts: [], unconsumed: [] })
      const comparison = compareRun(done)
      comparison.assertEqual()
      expect(comparison.observed).toBe(false)
    },
  )

  it('needs no acceptance where the recording has no model call', async () => {
    const done = await run(withoutFacts('handshake'), { host: silent })
    expect(done.observed).toBe(false)
    compareRun(done).assertEqual()
  })

  it('is refused by a fact about model calls, and by a gate, whatever is accepted', async () => {
    const counted = await problemOf(() => run(bundled('text-turn'), { host: accepted }))
    expect(counted.message).toContain('facts.json counts the model calls')
    const gated = await problemOf(() => run(withoutFacts('gated-stream'), { host: accepted }))
    expect(gated.message).toContain('no gate of the replayed streams can be opened')
  })

  it('is waited for by what it writes to its logs', async () => {
    const done = await run(withoutFacts('cancel-in-stream'), { host: accepted })
    compareRun(done).assertEqual()
  })
})
