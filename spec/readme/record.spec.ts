import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { compareRun, recordScenario, refreshScenario, runScenario } from 'acp-snapshot'

it('records a failure that no provider has on demand', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'no-credit-')) // yours: a folder beside the other scenarios
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, content: object): void =>
    writeFileSync(path.join(folder, name), JSON.stringify(content, null, 2))
  write('input.json', {
    steps: [
      { op: 'initialize' },
      { op: 'newSession' },
      { op: 'promptExpectError', text: 'Is anybody there?' },
    ],
  })
  write('replay.override.json', [{ kind: 'throw', chunks: [], message: 'no credit', code: 'QUOTA' }])
  write('facts.json', { modelCalls: 1, onlyTools: [] })

  const composition = './fixtures/compositions/dsh/cordis.yml'
  const { changed, cost } = await recordScenario({ scenario: folder, composition })
  expect(changed).toEqual(['session.jsonl', 'stdout.expected.jsonl'])
  expect(cost.calls).toBe(1)
  compareRun(await runScenario({ scenario: folder, composition })).assertEqual()
  expect((await refreshScenario({ scenario: folder, composition })).changes).toEqual([])
})
