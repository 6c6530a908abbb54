import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

// As it is published: sources would have their types stripped first, in one of the two hosts more than in the other.
import { compareRun, loadScenario, runScenario } from 'acp-snapshot'
import { median } from './support/median.ts'
import { report, reportAtLeast } from './support/report.ts'

/**
 * A warm text turn on the real agent, from mount to dispose, in this process and in one of its own; and that over a bare
 * script in a process of its own which imports and mounts the same composition.
 */
const ROUNDS = 21
const WARM_UP = 4
const TURNS = 12

const root = path.join(import.meta.dirname, '..')
const composition = path.join(root, 'fixtures/compositions/dsh')
const scenario = await loadScenario(path.join(root, 'fixtures/scenarios/text-turn'))
const times = {
  inProcess: [] as number[],
  served: [] as number[],
  subprocess: [] as number[],
  bare: [] as number[],
}
for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
  const turns: number[] = []
  for (let turn = 0; turn < TURNS; turn += 1) turns.push((await run('in-process')).turn)
  const { turn, all } = await run('subprocess')
  const bare = await timeOf(runBare)
  if (round < WARM_UP) continue
  times.inProcess.push(median(turns))
  times.served.push(turn)
  times.subprocess.push(all)
  times.bare.push(bare)
}
const inProcess = median(times.inProcess)
const served = median(times.served)
const subprocess = median(times.subprocess)
const bare = median(times.bare)
console.log(
  `from mount to dispose: in-process ${inProcess.toFixed(1)} ms, subprocess ${served.toFixed(0)} ms; ` +
    `in all: subprocess ${subprocess.toFixed(0)} ms, bare script ${bare.toFixed(0)} ms`,
)
reportAtLeast('hosts-in-process', served / inProcess, 10)
report('hosts', subprocess / bare, 1.3)

/** How long a run took, ms: from mount to dispose, and in all. */
async function run(
  host: 'in-process' | 'subprocess',
): Promise<{ readonly turn: number; readonly all: number }> {
  const started = performance.now()
  const done = await runScenario({ scenario, composition: path.join(composition, 'cordis.yml'), host })
  const all = performance.now() - started
  compareRun(done).assertEqual()
  const { import: imports, mount, drive, dispose } = done.timings
  return { turn: imports + mount + drive + dispose, all }
}

function runBare(): void {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'acp-snapshot-bench-'))
  try {
    execFileSync(
      process.execPath,
      [path.join(import.meta.dirname, 'hosts/bare-agent.js'), path.join(composition, 'cordis.snapshot.yml')],
      {
        cwd,
        env: {
          PATH: process.env.PATH,
          HOME: cwd,
          DSH_SNAPSHOT: 'replay',
          DSH_SNAPSHOT_FILE: path.join(root, 'fixtures/scenarios/text-turn/session.jsonl'),
          DSH_SNAPSHOT_SESSIONS_ROOT: path.join(cwd, 'sessions'),
          DSH_SNAPSHOT_SPILL_ROOT: path.join(cwd, 'spill'),
        },
        input: '',
      },
    )
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
