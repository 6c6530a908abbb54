import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { compareRun, runScenario, type StepInput } from 'acp-snapshot'

it('makes a scenario folder from a first run', async () => {
  const composition = './fixtures/compositions/dsh/cordis.yml'
  const steps: StepInput[] = [
    { op: 'initialize' },
    { op: 'newSession' },
    { op: 'promptExpectError', text: 'Is anybody there?' },
  ]
  const replay = [{ kind: 'throw', chunks: [], message: 'no credit left', code: 'QUOTA' } as const]
  const first = await runScenario({ composition, scenario: { steps, replay } })
  expect(first.unconsumed).toEqual([]) // no answer too many

  const folder = mkdtempSync(path.join(tmpdir(), 'no-credit-')) // yours: a folder beside the other scenarios
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text)
  write('input.json', JSON.stringify({ steps }, null, 2))
  write('replay.override.json', JSON.stringify(replay, null, 2))
  write('stdout.expected.jsonl', first.transcript.stdout)
  for (const session of first.transcript.sessions) write(session.name, session.fixture)
  write('facts.json', JSON.stringify({ modelCalls: 1, onlyTools: [] }))

  compareRun(await runScenario({ composition, scenario: folder })).assertEqual()
})
