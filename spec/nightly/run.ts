/**
 * Every bundled scenario in a process of its own, against the same in this process, one after the other: that the real
 * binary and its start-up are what the quick tests take them for. Prints a table. Then what
 * the Loader keeps of each plugin of each composition. Exits with 1 where something differs or is lost.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'

import { findScenarios } from '../../src/fixtures/find-scenarios.ts'
import { checkPlugins, loadScenario } from '../../src/index.ts'
import { bundledScenarios, root } from '../support/paths.ts'
import { compareHosts } from './compare-hosts.ts'

const width = 24
const row = (name: string, ...cells: readonly string[]): string =>
  [name.padEnd(width), ...cells.map(cell => cell.padStart(12))].join('')

console.log(row('scenario', 'in-process', 'subprocess', 'times'))
const sums = { inProcess: 0, subprocess: 0 }
for (const folder of await findScenarios(bundledScenarios)) {
  const { name, problems, ms } = await compareHosts(await loadScenario(folder))
  sums.inProcess += ms.inProcess
  sums.subprocess += ms.subprocess
  console.log(timesOf(name, ms) + (problems.length === 0 ? '' : '  DIFFERENT'))
  for (const problem of problems) console.log(problem.replace(/^/gm, '    '))
  if (problems.length > 0) process.exitCode = 1
}
console.log(timesOf('all', sums))

const compositions = path.join(root, 'fixtures/compositions')
for (const name of readdirSync(compositions)) {
  const config = path.join(compositions, name, 'cordis.yml')
  try {
    const plugins = await checkPlugins({ composition: config })
    console.log(`${name}: ${plugins.length} plugins keep what they export`)
  } catch (error) {
    console.log(String(error))
    process.exitCode = 1
  }
}

function timesOf(name: string, { inProcess, subprocess }: typeof sums): string {
  return row(
    name,
    `${inProcess.toFixed(0)} ms`,
    `${subprocess.toFixed(0)} ms`,
    (subprocess / inProcess).toFixed(1),
  )
}
