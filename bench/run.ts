import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Runs the bench that is named, or all: each is a file of this folder, and gets a process of its own. */
const folder = import.meta.dirname
const own = path.basename(import.meta.filename)
const benches = readdirSync(folder, { withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== own)
  .map(entry => path.basename(entry.name, '.ts'))

const [name, ...rest] = process.argv.slice(2)
if (rest.length > 0 || (name !== undefined && !benches.includes(name))) {
  console.error(`usage: npm run bench [-- <name>], where <name> is one of ${benches.join(', ')}`)
  process.exit(2)
}
for (const bench of name === undefined ? benches : [name]) {
  const { status } = spawnSync(process.execPath, ['--expose-gc', path.join(folder, `${bench}.ts`)], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
