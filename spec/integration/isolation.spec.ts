import { homedir, tmpdir } from 'node:os'

import { describe, expect, it } from 'vitest'

import { runScenario, type ScenarioRun } from '../../src/index.ts'
import { answers, bash, prompts } from '../support/model-answers.ts'
import { dshComposition } from '../support/paths.ts'

/** Lets runs go on only together: each waits until all have come to the same point. */
class Barrier {
  readonly passed: (readonly string[])[] = []
  readonly #size: number
  #waiting: { name: string; go: () => void }[] = []

  constructor(size: number) {
    this.#size = size
  }

  async meet(name: string, whileAllWait: () => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#waiting.push({ name, go: () => resolve(undefined) })
    if (this.#waiting.length === this.#size) {
      whileAllWait()
      this.passed.push(this.#waiting.map(waiting => waiting.name))
      for (const { go } of this.#waiting.splice(0)) go()
    }
    await promise
  }
}

interface SpecContext {
  on(
    event: 'llm/stream',
    listener: (request: unknown, next: () => AsyncIterable<unknown>) => AsyncIterable<unknown>,
    options: object,
  ): void
}

/** A plugin that holds each model call at the barrier. */
const barrierPlugin = (barrier: Barrier, name: string, whileAllWait: () => void) => ({
  name: 'barrier',
  inject: ['llm'],
  apply: (ctx: SpecContext) => {
    ctx.on(
      'llm/stream',
      async function* (_request, next) {
        await barrier.meet(name, whileAllWait)
        yield* next()
      },
      { global: true, prepend: true },
    )
  },
})

const look = [
  'echo "marker=$MARKER dir=$(pwd) home=$HOME tmp=$TMPDIR"',
  'cat mine.txt',
  'echo "$MARKER" > "$HOME/kept" && echo "$MARKER" > "$TMPDIR/kept" && echo "$MARKER" > made.txt',
].join('; ')
const lookAgain = 'ls -A . "$HOME" "$TMPDIR"; cat "$HOME/kept" "$TMPDIR/kept" made.txt'

/** Everything that a run has to show, as one text. */
function everything(run: ScenarioRun): string {
  const { transcript, workspace, modelCalls, stderr } = run
  return [
    transcript.stdout,
    ...transcript.sessions.map(session => JSON.stringify(session.raw)),
    ...[...workspace].map(([name, content]) => `${name} ${content.toString()}`),
    JSON.stringify(modelCalls.map(call => call.request.messages)),
    stderr,
  ].join('\n')
}

function run(name: string, barrier: Barrier, whileAllWait: () => void): Promise<ScenarioRun> {
  return runScenario({
    composition: {
      config: dshComposition,
      patches: [{ insert: [{ id: 'barrier', name: 'spec:barrier' }] }],
      modules: { 'spec:barrier': barrierPlugin(barrier, name, whileAllWait) },
    },
    env: { MARKER: `marker-of-${name}` },
    scenario: {
      name,
      steps: prompts(`This is ${name}: look around.`),
      workspace: { 'mine.txt': `file-of-${name}\n` },
      replay: [
        answers(bash(look)),
        answers({ tool: 'read', args: { file_path: 'mine.txt' } }),
        answers(bash(lookAgain)),
        answers({ text: `That was ${name}.` }),
      ],
    },
  })
}

describe('two runs, step by step at once', () => {
  it('share neither folders nor environment, and the rest of the process keeps its own', async () => {
    const real = { cwd: process.cwd(), env: { ...process.env }, home: homedir(), tmp: tmpdir() }
    const seen: unknown[] = []
    const barrier = new Barrier(2)
    const outside = (): void => {
      seen.push('all wait')
    }
    const runs = Promise.all([run('north', barrier, outside), run('south', barrier, outside)])
    // Code outside the runs goes on while they do, an event-loop turn at a time.
    const watching = (async () => {
      while (seen.length < 4) {
        expect({ cwd: process.cwd(), env: { ...process.env }, home: homedir(), tmp: tmpdir() }).toEqual(real)
        await new Promise(resolve => setImmediate(resolve))
      }
    })()
    const [north, south] = await runs
    await watching

    expect(barrier.passed.map(names => names.toSorted())).toEqual(
      Array.from({ length: 4 }, () => ['north', 'south']),
    )
    for (const [own, other] of [
      [north, south],
      [south, north],
    ] as const) {
      const text = everything(own)
      const name = own.scenario.name
      expect(text).toContain(`marker=marker-of-${name}`)
      expect(text).toContain(`file-of-${name}`)
      expect(own.workspace.get('made.txt')?.toString()).toBe(`marker-of-${name}\n`)
      expect(text).not.toContain(other.scenario.name)
      for (const session of other.transcript.sessions) {
        expect(text).not.toContain(session.sessionId)
        expect(session.raw.header.cwd).toBeTypeOf('string')
        expect(text).not.toContain(session.raw.header.cwd)
      }
    }
  })
})
