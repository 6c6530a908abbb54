import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { packEvents, parseSessionLog, projectSessionLog } from '../../src/index.ts'

const corpus = process.env.ACP_SNAPSHOT_CORPUS

describe('logs that were recorded elsewhere', () => {
  if (corpus === undefined || corpus === '') {
    it.skip('are in canonical form (set ACP_SNAPSHOT_CORPUS to a folder that holds some)')
    return
  }
  const folder = path.resolve(corpus)
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    /^session(?:\.\d+)?\.jsonl$/.test(path.basename(file)),
  )
  const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8')

  it('are there', () => expect(logs).not.toEqual([]))

  it.each(logs)('%s is decoded and projected to its own bytes', file => {
    const text = textOf(file)
    expect(projectSessionLog(parseSessionLog(text, file))).toBe(text)
  })

  const packed = path.join('packed-chunks', 'session.jsonl')

  it.skipIf(!existsSync(path.join(folder, packed)))(`${packed} has rows, each of several events`, () => {
    const { events } = parseSessionLog(textOf(packed), packed)
    const rows = packEvents(events).filter(row => 'seq0' in row)
    expect(rows.length).toBeGreaterThan(0)
    expect(events.length).toBeGreaterThan(textOf(packed).trimEnd().split('\n').length)
  })
})
