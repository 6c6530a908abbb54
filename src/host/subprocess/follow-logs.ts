import fs from 'node:fs'

import { isHeaderLine } from '../../session-log/is-header-line.ts'
import { firstLineOf, parseSessionLog, type SessionLog } from '../../session-log/index.ts'
import { readTree } from '../folders/walk.ts'
import type { SessionJournal } from '../journal.ts'

/**
 * Reads along in the logs that an agent writes, for one that doesn't tell of its events: told by the disk's change events.
 *
 * @param folder - of the logs, which has to exist
 * @param isNeeded - asked at each change; once it is not, nothing is read any more
 */
export function followLogs(folder: string, journal: SessionJournal, isNeeded: () => boolean): Disposable {
  const seen = new Map<string, number>()
  let isDue = false
  const read = (): void => {
    isDue = false
    if (!isNeeded()) {
      watcher.close()
      return
    }
    for (const { header, events } of logsIn(folder)) {
      const { id, parentSession } = header
      for (const event of events.slice(seen.get(id) ?? 0)) {
        journal.append({ id, ...(parentSession === undefined ? {} : { parentSession }) }, event)
      }
      seen.set(id, events.length)
    }
  }
  const close = (): void => watcher.close()
  const watcher = fs.watch(folder, { recursive: true }, () => {
    // Many changes come at once.
    if (!isDue) setImmediate(read)
    isDue = true
  })
  // Without it the waits of the script end by their deadlines.
  watcher.on('error', close)
  return { [Symbol.dispose]: close }
}

/** What is being written may end anywhere, and is read again with its next change. */
function* logsIn(folder: string): Generator<SessionLog> {
  for (const [name, bytes] of filesOf(folder)) {
    try {
      const whole = name.endsWith('.jsonl') ? bytes.subarray(0, bytes.lastIndexOf('\n') + 1) : bytes
      if (isHeaderLine(firstLineOf(whole) ?? '')) yield parseSessionLog(whole, name)
    } catch {
      continue
    }
  }
}

function filesOf(folder: string): ReadonlyMap<string, Buffer> {
  try {
    return readTree(fs, folder)
  } catch {
    // A file may go between the look and the reading.
    return new Map()
  }
}
