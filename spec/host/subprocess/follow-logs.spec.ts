import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'

import { describe, expect, it, onTestFinished } from 'vitest'

import { SessionJournal } from '../../../src/host/journal.ts'
import { followLogs } from '../../../src/host/subprocess/follow-logs.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const header = (id: string, parentSession?: string): string =>
  `${JSON.stringify({ type: 'session', version: 0, id, createdAt: 0, delegationDepth: 0, ...(parentSession === undefined ? {} : { parentSession }) })}\n`
const event = (seq: number): string => `${JSON.stringify({ type: 'x/y', seq, time: 0, data: { seq } })}\n`

/** A folder of logs that is read along. */
function follow() {
  const folder = tempFolder()
  const journal = new SessionJournal()
  let isNeeded = true
  const following = followLogs(folder, journal, () => isNeeded)
  onTestFinished(() => following[Symbol.dispose]())
  const seen = (id: string, count: number): Promise<number[]> =>
    journal.until(sessions => {
      const events = sessions.find(session => session.id === id)?.events ?? []
      return events.length >= count ? events.map(({ seq }) => seq) : undefined
    }, AbortSignal.timeout(10_000))
  return {
    journal,
    seen,
    at: (name: string) => path.join(folder, name),
    stop: () => {
      isNeeded = false
    },
  }
}

describe('followLogs', () => {
  it('reads each event once, when its line has ended', async () => {
    const { at, seen, journal } = follow()
    mkdirSync(at('key/s1'), { recursive: true })
    const file = at('key/s1/session.jsonl')
    writeFileSync(file, header('s1') + event(0) + event(1).slice(0, 20))
    expect(await seen('s1', 1)).toEqual([0])
    appendFileSync(file, event(1).slice(20) + event(2))
    expect(await seen('s1', 3)).toEqual([0, 1, 2])
    writeFileSync(at('other.txt'), 'no log\n')
    writeFileSync(at('key/s1/session.1.jsonl'), header('s2', 's1') + event(0))
    await seen('s2', 1)
    expect(journal.sessions.map(({ id, parentSession }) => [id, parentSession])).toEqual([
      ['s1', undefined],
      ['s2', 's1'],
    ])
  })

  it('reads compressed logs, whole frames and no others', async () => {
    const { at, seen } = follow()
    const [first, second] = [header('s1') + event(0), event(1)].map(text =>
      zstdCompressSync(Buffer.from(text)),
    )
    if (first === undefined || second === undefined) throw new Error('nothing was compressed')
    writeFileSync(at('session.jsonl.zst'), first)
    expect(await seen('s1', 1)).toEqual([0])
    appendFileSync(at('session.jsonl.zst'), second)
    expect(await seen('s1', 2)).toEqual([0, 1])
  })

  it('goes on after what is no log, and what has gone', async () => {
    const { at, seen } = follow()
    writeFileSync(at('broken.jsonl'), `${header('s0')}{"type":\n`)
    const frame = zstdCompressSync(Buffer.from(header('s0')))
    writeFileSync(at('broken.jsonl.zst'), frame.fill(0xff, 6))
    writeFileSync(at('session.jsonl'), header('s1') + event(0))
    await seen('s1', 1)
    rmSync(at('broken.jsonl'))
    appendFileSync(at('session.jsonl'), event(1))
    expect(await seen('s1', 2)).toEqual([0, 1])
    // A name that is no text can't be read; nor can the rest, as long as it is there.
    const odd = Buffer.concat([Buffer.from(at('odd-')), Buffer.from([0xff])])
    writeFileSync(odd, 'x')
    await setTimeout(50)
    rmSync(odd)
    appendFileSync(at('session.jsonl'), event(2))
    expect(await seen('s1', 3)).toEqual([0, 1, 2])
  })

  it('goes on after a time in which something could not be read', async () => {
    const { at, seen } = follow()
    writeFileSync(at('huge'), '')
    truncateSync(at('huge'), 3 * 2 ** 30)
    writeFileSync(at('session.jsonl'), header('s1') + event(0))
    rmSync(at('huge'))
    expect(await seen('s1', 1)).toEqual([0])
  })

  it('reads nothing any more where it is not needed', async () => {
    const { at, seen, stop, journal } = follow()
    writeFileSync(at('session.jsonl'), header('s1') + event(0))
    await seen('s1', 1)
    stop()
    appendFileSync(at('session.jsonl'), event(1))
    await expect(
      journal.until(
        ([session]) => (session?.events.length === 2 ? true : undefined),
        AbortSignal.timeout(200),
      ),
    ).rejects.toThrow()
  })
})
