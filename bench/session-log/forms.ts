import { packEvents, projectSessionLog, type SessionLog } from '../../src/session-log/index.ts'
import { randomFrom } from '../support/random.ts'

/** The texts that one log may have: as a backend stores it, packed or not, and as a fixture keeps it. */
export function formsOf(log: SessionLog): {
  readonly batches: string
  readonly unpacked: string
  readonly projected: string
} {
  return {
    batches: inBatches(log),
    unpacked: fromFile([log.headerLine, ...log.events.map(event => JSON.stringify(event)), ''].join('\n')),
    projected: fromFile(projectSessionLog(log)),
  }
}

/** A backend writes what has come in a fifth of a second, and no packed row goes on over that. */
function inBatches(log: SessionLog): string {
  const random = randomFrom(1)
  const lines = [log.headerLine]
  for (let at = 0; at < log.events.length;) {
    const size = random.integer(1, 40)
    for (const row of packEvents(log.events.slice(at, at + size))) lines.push(JSON.stringify(row))
    at += size
  }
  return fromFile([...lines, ''].join('\n'))
}

/** As it is when a file was read: a string that was put together from parts is searched more slowly. */
function fromFile(text: string): string {
  return Buffer.from(text).toString('utf8')
}
