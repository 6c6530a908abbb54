import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { compareRun, deriveReplayScript, runScenario, type CompositionOptions } from '../../src/index.ts'
import { compositionFolder } from '../host/support/composition-folder.ts'
import { answers } from '../support/model-answers.ts'
import { bundledScenarios } from '../support/paths.ts'
import { copyOfBundled } from '../support/recording.ts'
import { problemOf } from '../support/thrown.ts'
import { askPlain, plainComposition } from './ask-plain.ts'

describe('the scenarios on plain Cordis', () => {
  it.each(['plain-text-turn', 'plain-tool-turn', 'plain-cancel'])('%s is as it was recorded', async name => {
    const run = await runScenario({ scenario: path.join(bundledScenarios, name) })
    compareRun(run).assertEqual()
    expect(run.stderr).toBe('')
  })

  it('are told of a request that differs from its recording', async () => {
    const scenario = copyOfBundled('plain-tool-turn')
    scenario.replace('session.jsonl', 'How many words', 'How many letters')
    const run = runScenario({ scenario: scenario.folder, composition: plainComposition })
    const error = await problemOf(() => run)
    expect(error.code).toBe('REPLAY_DRIFT')
    expect(error.message).toContain(
      'model call 0 of session.jsonl, counted from 0 (turn 1, step 1), differs from its recording at ' +
        'messages[0].content[0].text: recorded "How many letters',
    )
  })

  it('are told of a changed result of a tool, and of what the agent says of itself', async () => {
    const scenario = copyOfBundled('plain-tool-turn')
    scenario.replace('session.jsonl', '13 words"', '12 words"')
    const run = await runScenario({
      scenario: scenario.folder,
      composition: plainComposition,
      drift: 'report',
    })
    expect(run.drifts.map(({ path }) => path)).toEqual(['messages[2].content[0].content[0].text'])
    const patches = [{ id: 'agent', config: { provider: 'deepseek', model: 'another', system: 'Be brief.' } }]
    const other = await runScenario({
      scenario: path.join(bundledScenarios, 'plain-text-turn'),
      composition: { config: plainComposition, patches },
      drift: 'report',
    })
    const surfaces = compareRun(other).differences.map(({ surface }) => surface)
    expect(surfaces).toContain('session.jsonl')
    expect(surfaces).toContain('request headers of session.jsonl')
  })

  it('run side by side, in memory too, and give a log that a script can be made of', async () => {
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        askPlain([answers({ text: `answer ${index}` })], { workspace: index % 2 === 0 ? 'memory' : 'disk' }),
      ),
    )
    for (const [index, run] of runs.entries()) {
      expect(run.transcript.stdout).toContain(`answer ${index}`)
      const [session] = run.transcript.sessions
      expect(session && deriveReplayScript(session.raw)).toMatchObject([answers({ text: `answer ${index}` })])
    }
  })
})

describe('the list of a composition on plain Cordis', () => {
  it('has a row that an expression switches off, unless the environment says otherwise', async () => {
    const off = await askPlain([answers({ text: 'Yes.' })])
    expect(off.stderr).toBe('')
    const on = await askPlain([answers({ text: 'Yes.' })], { env: { PLAIN_TRACE: '1' } })
    expect(on.stderr).toMatch(/^\S+ 0 turn\/start\n\S+ 1 step\/start\n/)
  })

  it('has a group: where it is switched off, what waits for it is reported', async () => {
    const patches = [{ id: 'model', disabled: true }]
    const error = await problemOf(() => askPlain([], { composition: { config: plainComposition, patches } }))
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toMatch(
      /agent\.js \(entry \S+agent\) is waiting; it waits for llm, which nothing provides/,
    )
    expect(error.message).toMatch(
      /acp\.js \(entry \S+acp\) is waiting; it waits for agent, which nothing provides/,
    )
  })

  it("takes modules of the caller's own", async () => {
    const seen: unknown[] = []
    const composition: CompositionOptions = {
      config: plainComposition,
      patches: [{ id: 'model', insert: [{ name: 'watch', config: { is: '!!js' } }] }],
      modules: {
        watch: {
          name: 'watch',
          inject: ['llm'],
          apply: (ctx: {
            on(event: string, listener: (request: unknown, next: () => unknown) => unknown): void
          }) =>
            ctx.on('llm/stream', (request, next) => {
              seen.push(request)
              return next()
            }),
        },
      },
    }
    await askPlain([answers({ text: 'Yes.' })], { composition })
    expect(seen).toMatchObject([{ provider: 'deepseek', messages: [{ role: 'user' }] }])
  })

  it('may be overlaid by a cordis.snapshot.yml that names the replay', async () => {
    const folder = compositionFolder({
      'package.json': '{"dependencies":{"cordis":"*"}}',
      'cordis.yml': `- { id: all, name: cordis:include, config: { path: ${plainComposition} } }\n`,
      'cordis.snapshot.yml': `
- id: live
  name: cordis:include
  config:
    path: ${plainComposition}
    patches:
      - { id: deepseek, disabled: true }
      - { id: trace, disabled: !!js "process.env.DSH_SNAPSHOT !== 'replay'" }
- id: llm-replay
  name: acp-snapshot/llm-replay
  config: { providers: [{ id: deepseek, models: [{ id: deepseek-v4-flash }] }] }
`,
    })
    const run = await runScenario({
      scenario: path.join(bundledScenarios, 'plain-tool-turn'),
      composition: path.join(folder, 'cordis.yml'),
    })
    compareRun(run).assertEqual()
    expect(run.stderr).toContain('turn/start')
  })
})
