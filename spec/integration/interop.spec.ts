import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { compareRun, runScenario } from '../../src/index.ts'
import { packEvents, parseSessionLog, projectSessionLog } from '../../src/session-log/index.ts'
import { dshComposition } from '../support/paths.ts'

/** A folder of scenarios that were recorded elsewhere, with the composition of the real agent in mind. */
const corpus = process.env.ACP_SNAPSHOT_CORPUS

/** Those that need plugins which the bundled composition does not mount. */
const beyond = new Set(['escalation-approved', 'hook-cc-pretool-deny', 'packed-chunks'])

describe('scenarios that were recorded elsewhere', () => {
  if (corpus === undefined || corpus === '') {
    it.skip('are equal (set ACP_SNAPSHOT_CORPUS to a folder that holds some)')
    return
  }
  const folder = path.resolve(corpus)
  const names = readdirSync(folder).filter(
    name => existsSync(path.join(folder, name, 'input.json')) && !beyond.has(name),
  )

  it.each(names)('%s is equal', async name => {
    const run = await runScenario({ scenario: path.join(folder, name), composition: dshComposition })
    expect(compareRun(run).report()).toBe('')
  })

  it('all at once are equal, twice', async () => {
    for (let round = 0; round < 2; round += 1) {
      const runs = await Promise.all(
        names.map(name => runScenario({ scenario: path.join(folder, name), composition: dshComposition })),
      )
      expect(runs.map(run => compareRun(run).report())).toEqual(names.map(() => ''))
    }
  })
})

describe('logs that were recorded elsewhere', () => {
  if (corpus === undefined || corpus === '') {
    it.skip('are written back to the letter (set ACP_SNAPSHOT_CORPUS to a folder that holds some)')
    return
  }
  const folder = path.resolve(corpus)
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    /^session.*\.jsonl$/.test(path.basename(name)),
  )

  it.each(logs)('%s is a fixed point of the canonical projection', name => {
    const bytes = readFileSync(path.join(folder, name))
    expect(projectSessionLog(parseSessionLog(bytes, name))).toBe(bytes.toString('utf8'))
  })

  it('packed rows are unpacked, and packed again to their own bytes', () => {
    let members = 0
    for (const name of logs) {
      const text = readFileSync(path.join(folder, name), 'utf8')
      const rows = packEvents(parseSessionLog(text, name).events).filter(row => 'seq0' in row)
      const packed = text.split('\n').filter(line => /^\{"type":"[a-z-]+-chunks"/.test(line))
      expect(rows.map(({ type, data }) => JSON.stringify({ type, data }))).toEqual(packed)
      for (const { data } of rows) members += data.dt.length + 1
    }
    expect(members).toBeGreaterThan(0)
  })
})
