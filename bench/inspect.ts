import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { inspectCorpus } from '../src/inspect/index.ts'
import { readPlainly } from './inspect/read-plainly.ts'
import { writeCorpus } from './inspect/write-corpus.ts'
import { compareAsyncTimes } from './support/compare-async-times.ts'
import { report } from './support/report.ts'

/** Inspection of 500 scenario folders as a ratio to reading all their files and JSON.parse of what is JSON in them. */
const FOLDERS = 500
const LIMIT = 3

const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-snapshot-bench-'))
try {
  const files = writeCorpus(folder, FOLDERS)
  const { totals } = await inspectCorpus(folder)
  if (totals.scenarios !== FOLDERS || totals.problems > 0)
    throw new Error(`not as generated: ${JSON.stringify(totals)}`)
  const { base, work } = await compareAsyncTimes(
    () => readPlainly(files),
    () => inspectCorpus(folder),
  )
  console.log(
    `${totals.scenarios} scenarios, ${totals.sessions} sessions, ${totals.events} events, ${totals.modelCalls} model calls, ` +
      `${(totals.bytes / 1e6).toFixed(1)} MB in ${files.flat().length} files; read and parsed ${base.toFixed(0)} ms, ` +
      `inspected ${work.toFixed(0)} ms`,
  )
  report('inspect', work / base, LIMIT)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
