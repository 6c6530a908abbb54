import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { runScenario, type ScenarioRun } from '../../src/index.ts'
import type { Facts } from '../../src/scenario/index.ts'
import { checkFacts, type FactsEvidence } from '../../src/transcript/check-facts.ts'
import { answers, bash, prompts } from '../support/model-answers.ts'
import { bundledScenarios, dshComposition } from '../support/paths.ts'

describe('the facts of a run', () => {
  it('hold for a turn with bash', async () => {
    const given = evidenceOf(await bundled('bash-turn'))
    const facts: Facts = {
      modelCalls: 2,
      tools: { bash: 1 },
      onlyTools: ['bash'],
      toolErrors: [],
      exitCodes: { bash: [0] },
      finalText: { equals: 'list.txt has three lines.' },
      stopReason: 'end_turn',
      files: { 'list.txt': { matches: '^(?:[^\\n]*\\n){3}$' } },
    }
    expect(checkFacts(facts, given)).toEqual([])
    expect(checkFacts({ ...facts, exitCodes: { bash: [1] } }, given).map(({ message }) => message)).toEqual([
      'facts.json exitCodes.bash: expected [1], found [0] (session.jsonl event 28)',
    ])
  })

  it('hold for a turn that edits a file', async () => {
    const given = evidenceOf(await bundled('read-and-edit'))
    const facts: Facts = {
      modelCalls: { min: 3, max: 3 },
      tools: { read: 1, edit: 1, bash: 0 },
      onlyTools: ['read', 'edit'],
      toolErrors: [],
      exitCodes: { bash: [] },
      finalText: { matches: 'welcome\\.$' },
      files: {
        './config.ini': { contains: 'greeting = welcome' },
        'config.ini.bak': { absent: true },
      },
    }
    expect(checkFacts(facts, given)).toEqual([])
    const broken = { ...facts, files: { 'config.ini': { contains: 'greeting = hello' } } }
    expect(checkFacts(broken, given).map(({ path }) => path)).toEqual(['files["config.ini"].contains'])
  })

  it('tell how commands ended, and which tools the agent does not have', async () => {
    const run = await runScenario({
      composition: dshComposition,
      scenario: {
        name: 'ends',
        steps: prompts('Try it.'),
        replay: [
          answers(bash('exit 3')),
          answers(bash('kill -9 $$')),
          answers({ tool: 'bash', args: { command: 'sleep 20', description: 'Wait', timeoutMs: 50 } }),
          answers(bash('seq 1 60000; exit 4')),
          answers(bash('true')),
          answers({ tool: 'bash', args: { command: ' ', description: 'Fail' } }),
          answers({ tool: 'no_such_tool', args: {} }),
          answers({ text: 'Done.' }),
        ],
      },
    })
    const facts: Facts = {
      toolErrors: [{ tool: 'bash' }, { tool: 'no_such_tool' }],
      exitCodes: { bash: [3, 4, 0] },
    }
    const broken = checkFacts(facts, evidenceOf(run))
    expect(broken.map(({ path, actual }) => ({ path, actual }))).toEqual([
      { path: 'toolErrors', actual: { tool: 'no_such_tool', code: 'UNKNOWN_TOOL' } },
    ])
    expect(checkFacts(undefined, evidenceOf(run)).map(({ message }) => message)).toEqual(
      broken.map(({ message }) => message),
    )
  })
})

async function bundled(name: string): Promise<ScenarioRun> {
  return await runScenario({ scenario: path.join(bundledScenarios, name), composition: dshComposition })
}

function evidenceOf({ transcript, modelCalls, stopReason, workspace }: ScenarioRun): FactsEvidence {
  return {
    modelCalls: modelCalls.length,
    logs: transcript.sessions.map(({ name, raw }) => ({ name, log: raw })),
    stopReason,
    workspace,
  }
}
