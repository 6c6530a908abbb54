import { readdirSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { runScenario } from '../../src/index.ts'

const folder = path.join(import.meta.dirname, '../../fixtures/scenarios')
const names = readdirSync(folder, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)

const run = (name: string) => runScenario({ scenario: path.join(folder, name) })

describe('the bundled scenarios', () => {
  it('give the same transcripts a second time, and all at once', async () => {
    const texts = async (name: string): Promise<unknown> => {
      const { transcript } = await run(name)
      return {
        stdout: transcript.stdout,
        logs: transcript.sessions.map(session => [session.name, session.text]),
      }
    }
    const inTurn: unknown[] = []
    for (const name of names) inTurn.push(await texts(name))
    expect(await Promise.all(names.map(texts))).toEqual(inTurn)
  })
})
