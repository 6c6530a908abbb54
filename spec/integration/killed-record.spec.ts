import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, it } from 'vitest'

import { compareRun, runScenario } from '../../src/index.ts'
import { interruptedWrite, finishInterrupted } from '../../src/fixtures/writing/finish-interrupted.ts'
import { startModelServer } from '../support/model-server/start-model-server.ts'
import { bundledScenarios, dshComposition, root } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

const moments = 50
const key = 'local-model-key'

/** Another answer than the one that was recorded. */
const answer = { reasoning: ['It ', 'is ', 'the ', 'other ', 'one.'], text: ['Ósló', '!'], delayMs: 5 }

/** Every file of a folder, by name. */
function contents(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder).map(name => [name, readFileSync(path.join(folder, name), 'utf8')]),
  )
}

it('leaves the fixture as it was or as it is to be, whenever a record is killed', async () => {
  const base = tempFolder()
  await using server = await startModelServer(
    Array.from({ length: moments + 1 }, () => answer),
    { key },
  )
  const copy = (name: string): string => {
    const folder = path.join(base, name, 'text-turn')
    cpSync(path.join(bundledScenarios, 'text-turn'), folder, { recursive: true })
    // What must be true of it is another answer.
    rmSync(path.join(folder, 'facts.json'))
    return folder
  }
  const record = (folder: string) => {
    const temp = mkdtempSync(path.join(os.tmpdir(), 'spec-'))
    const argv = [path.join(root, 'bin/acp-snapshot.js'), 'record', folder, '--composition', dshComposition]
    const env = { ...process.env, TMPDIR: temp, DEEPSEEK_API_KEY: key, DEEPSEEK_BASE_URL: server.url }
    const child = spawn(process.execPath, argv, { env, stdio: 'ignore' })
    const closed = once(child, 'close').finally(() => rmSync(temp, { recursive: true, force: true }))
    return { child, closed }
  }

  const first = copy('whole')
  const before = contents(first)
  const started = performance.now()
  expect(await record(first).closed).toEqual([0, null])
  const duration = performance.now() - started
  const after = contents(first)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  expect(after['session.jsonl']).toContain('Ósló')

  const left: string[] = []
  for (let moment = 0; moment < moments; moment += 1) {
    const folder = copy(String(moment))
    const { child, closed } = record(folder)
    // The moment itself is what is tried here.
    await Promise.race([sleep((duration * moment) / (moments - 1)), closed])
    child.kill('SIGKILL')
    await closed
    if (await interruptedWrite(folder)) await finishInterrupted(folder)
    const found = contents(folder)
    const isOld = found['session.jsonl'] === before['session.jsonl']
    left.push(isOld ? 'old' : 'new')
    if (isOld) {
      expect(found).toEqual(before)
    } else {
      // No two recordings take the same time, which a log tells.
      expect({ ...found, 'session.jsonl': '' }).toEqual({ ...after, 'session.jsonl': '' })
      compareRun(await runScenario({ scenario: folder, composition: dshComposition })).assertEqual()
    }
  }
  // The first is killed before it has begun.
  expect(left[0]).toBe('old')
  expect(left.filter(state => state === 'old').length).toBeGreaterThan(moments / 2)
}, 180_000)
