import fs from 'node:fs'
import path from 'node:path'

import { isHeaderLine } from '../../session-log/is-header-line.ts'
import { firstLineOf, parseSessionLog, type SessionLog } from '../../session-log/index.ts'
import type { SessionJournal } from '../journal.ts'

/** How many folders are watched, and how much of a log is read along, in bytes: beyond that the deadlines of waits end them. */
const MOST_FOLDERS = 256
const LONGEST_LOG = 64 * 2 ** 20

/**
 * Reads along in the logs that an agent writes, for one that doesn't tell of its events: told by the disk's change events.
 *
 * @param folder - of the logs, which has to exist
 * @param isNeeded - asked at each change; once it is not, nothing is read any more
 */
export function followLogs(folder: string, journal: SessionJournal, isNeeded: () => boolean): Disposable {
  const seen = new Map<string, number>()
  const sizes = new Map<string, number>()
  const watchers = new Map<string, fs.FSWatcher>()
  let isDue = false
  const close = (): void => {
    for (const watcher of watchers.values()) watcher.close()
  }
  const onChange = (): void => {
    // Many changes come at once.
    if (!isDue) setImmediate(read)
    isDue = true
  }
  const look = (at: string): string[] => {
    if (!watchers.has(at)) {
      if (watchers.size >= MOST_FOLDERS) return []
      // Node watches a tree by walking it again and again: each folder for itself costs less.
      watchers.set(at, fs.watch(at, onChange).on('error', close))
    }
    return fs.readdirSync(at, { withFileTypes: true }).flatMap(entry => {
      const inner = path.join(at, entry.name)
      return entry.isDirectory() ? attempt(() => look(inner), []) : [inner]
    })
  }
  const read = (): void => {
    isDue = false
    if (!isNeeded()) {
      close()
      return
    }
    for (const file of attempt(() => look(folder), [])) {
      const log = attempt(() => changedLog(file, sizes), undefined)
      if (log === undefined) continue
      const { id, parentSession } = log.header
      for (const event of log.events.slice(seen.get(id) ?? 0)) {
        journal.append({ id, ...(parentSession === undefined ? {} : { parentSession }) }, event)
      }
      seen.set(id, log.events.length)
    }
  }
  look(folder)
  return { [Symbol.dispose]: close }
}

/** What is being written may end anywhere, and may go while one looks: it is read again with its next change. */
function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}

function changedLog(file: string, sizes: Map<string, number>): SessionLog | undefined {
  const { size } = fs.statSync(file)
  if (size === sizes.get(file) || size > LONGEST_LOG) return undefined
  sizes.set(file, size)
  const bytes = fs.readFileSync(file)
  const whole = file.endsWith('.jsonl') ? bytes.subarray(0, bytes.lastIndexOf('\n') + 1) : bytes
  return isHeaderLine(firstLineOf(whole) ?? '') ? parseSessionLog(whole, file) : undefined
}
