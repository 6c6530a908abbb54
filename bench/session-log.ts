import { formsOf } from './session-log/forms.ts'
import { generateLog } from './session-log/generate-log.ts'
import { memoryOf } from './session-log/memory-of.ts'
import { readLog } from './session-log/read-log.ts'
import { compareTimes } from './support/compare-times.ts'
import { report } from './support/report.ts'

/**
 * Parse + derive + normalise of a log of 100,000 events as a ratio to JSON.parse of its lines: the worst of the forms that
 * a log may have. Twice the events must not take more than 2.3 times the memory.
 */
const EVENTS = 100_000
const LIMIT = 3
const GROWTH_LIMIT = 2.3

const MB = 2 ** 20
const log = generateLog(EVENTS)

for (const kind of ['peak', 'held'] as const) {
  const [half, whole] = [EVENTS / 2, EVENTS].map(
    events => memoryOf(formsOf(generateLog(events)).projected)[kind],
  )
  const growth = Number(whole) / Number(half)
  if (!(growth <= GROWTH_LIMIT)) process.exitCode = 1
  console.log(
    `memory, ${kind}: ${(Number(half) / MB).toFixed(0)} MB for ${EVENTS / 2} events, ${(Number(whole) / MB).toFixed(0)} MB ` +
      `for ${EVENTS}: growth=${growth.toFixed(2)} limit=${GROWTH_LIMIT}`,
  )
}

let worst = 0
for (const [form, text] of Object.entries(formsOf(log))) {
  const lines = text.trimEnd().split('\n')
  const { base, work } = compareTimes(
    () => lines.map(line => JSON.parse(line) as unknown),
    () => readLog(text),
  )
  worst = Math.max(worst, work / base)
  console.log(
    `${form}: ${log.events.length} events, ${lines.length} lines, ${(text.length / 1e6).toFixed(1)} M characters; ` +
      `JSON.parse ${base.toFixed(1)} ms, all of it ${work.toFixed(1)} ms: ${(work / base).toFixed(2)}`,
  )
}
report('session-log', worst, LIMIT)
