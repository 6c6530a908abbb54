import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { compareRun, runScenario, SnapshotError } from '../../src/index.ts'
import { answers, prompts } from '../support/model-answers.ts'
import { bundledScenarios, dshComposition } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** A bundled scenario with one text changed wherever its log has it. */
function changed(name: string, from: string, to: string): string {
  const folder = path.join(tempFolder(), name)
  cpSync(path.join(bundledScenarios, name), folder, { recursive: true })
  const file = path.join(folder, 'session.jsonl')
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replaceAll(from, to))
  return folder
}

async function failure(run: Promise<unknown>): Promise<SnapshotError> {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SnapshotError)
  return error as SnapshotError
}

interface Forgetting {
  on(
    event: 'session/event',
    listener: (session: Session) => void,
    options: { readonly global: true },
  ): unknown
}

interface Session {
  deriveMessages: () => unknown[]
  readonly id: string
}

/** Makes every session give its model the last message alone. */
const forgetful = {
  name: 'forgetful',
  inject: ['sessions'],
  apply: (ctx: Forgetting) => {
    const seen = new Set<string>()
    ctx.on(
      'session/event',
      session => {
        if (seen.has(session.id)) return
        seen.add(session.id)
        const whole = session.deriveMessages.bind(session)
        session.deriveMessages = () => whole().slice(-1)
      },
      { global: true },
    )
  },
}

describe('a request that differs from its recording', () => {
  it('ends the run, naming call, message, both texts and the line of the recording', async () => {
    const scenario = changed('several-turns', 'And what was it before?', 'And what was it afore?')
    const error = await failure(runScenario({ scenario, composition: dshComposition }))
    expect(error.code).toBe('REPLAY_DRIFT')
    const lines = readFileSync(path.join(scenario, 'session.jsonl'), 'utf8').split('\n')
    const line = lines.findIndex(row => row.startsWith('{"type":"user/message"') && row.includes('afore')) + 1
    expect(error.message).toContain(
      `session.jsonl:${line}: model call 2 of session.jsonl, counted from 0 (turn 3, step 1), differs from its recording ` +
        'at messages[5].content[0].text: recorded "And what was it afore?", now "And what was it before?".',
    )
    expect(error.details).toMatchObject({
      script: 'session.jsonl',
      index: 2,
      path: 'messages[5].content[0].text',
      recorded: 'And what was it afore?',
      live: 'And what was it before?',
    })
  })

  it('is one difference among the others where the run is to go on', async () => {
    const scenario = changed('several-turns', 'Add one to it.', 'Add two to it.')
    const run = await runScenario({ scenario, composition: dshComposition, drift: 'report' })
    // The last call has the changed message in its history too: it is told once.
    expect(run.drifts.map(({ index, path }) => [index, path])).toEqual([[1, 'messages[3].content[0].text']])
    const { equal, differences } = compareRun(run)
    expect(equal).toBe(false)
    expect(differences.map(({ surface }) => surface)).toEqual([
      'session.jsonl',
      'model requests of session.jsonl',
    ])
  })

  it('is seen where the agent forgets what was said before, though it says and logs the same', async () => {
    const scenario = path.join(bundledScenarios, 'several-turns')
    const composition = {
      config: dshComposition,
      patches: [{ insert: [{ id: 'forgetful', name: 'forgetful' }] }],
      modules: { forgetful },
    }
    const error = await failure(runScenario({ scenario, composition }))
    expect(error.code).toBe('REPLAY_DRIFT')
    expect(error.message).toContain('model call 0 of session.jsonl, counted from 0 (turn 1, step 1), differs')
    const run = await runScenario({ scenario, composition, drift: 'report' })
    expect(new Set(compareRun(run).differences.map(({ surface }) => surface))).toEqual(
      new Set(['model requests of session.jsonl']),
    )
  })

  it('is a changed result of a tool', async () => {
    const scenario = changed('bash-turn', '3\\n', '4\\n')
    const error = await failure(runScenario({ scenario, composition: dshComposition }))
    expect(error.code).toBe('REPLAY_DRIFT')
    expect(error.message).toMatch(
      /model call 1 of session\.jsonl.* at messages\[3\]\.content\[0\]\.content\[0\]\.text/,
    )
  })
})

describe('a recorded answer that names the working directory', () => {
  it('means the one of the run', async () => {
    const run = await runScenario({
      composition: dshComposition,
      workspace: 'memory',
      scenario: {
        steps: prompts('Write notes.txt.'),
        replay: [
          answers({ tool: 'write', args: { file_path: '{{cwd}}/notes.txt', content: 'here\n' } }),
          answers({ text: 'Written.' }),
        ],
      },
    })
    expect([...run.workspace.keys()]).toEqual(['notes.txt'])
    expect(run.transcript.sessions[0]?.text).toContain('{{cwd}}/notes.txt')
  })
})
