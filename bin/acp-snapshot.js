#!/usr/bin/env node
import { setImmediate } from 'node:timers'

// Plain JavaScript that any Node reads, so that an old one gets a sentence instead of a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 15)) {
  console.error(
    `acp-snapshot needs Node 22.15 or later, and this is Node ${process.versions.node}: update Node, or add a fitting one to the project with "npm install --save-dev node@24" or "pnpm add -D --allow-build=node node@24".`,
  )
  process.exit(2)
}

const { main } = await import('../lib/cli/main.js')
const print = stream => line => void stream.write(`${line}\n`)
const interrupt = new AbortController()
const signals = ['SIGINT', 'SIGTERM']
// A second signal ends the process at once, as without a handler.
for (const signal of signals) process.once(signal, () => interrupt.abort())
// Whoever reads the output may stop before its end, as head does: the exit code still says how it went.
let lost
process.stdout.on('error', error => {
  if (error.code !== 'EPIPE') lost ??= error
})
process.stderr.on('error', () => undefined)
const ask = async question => {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  // In raw mode Ctrl-C is a key, and no signal.
  lines.once('SIGINT', () => interrupt.abort())
  try {
    return /^y(?:es)?$/i.test(
      (await lines.question(`${question} [y/N] `, { signal: interrupt.signal })).trim(),
    )
  } finally {
    lines.close()
  }
}
const code = await main(process.argv.slice(2), {
  out: print(process.stdout),
  error: print(process.stderr),
  color: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  signal: interrupt.signal,
  ...(process.stdin.isTTY === true && process.stdout.isTTY === true ? { ask } : {}),
})
// What a plugin has left running (a timer, a server) must not keep the command from ending.
process.stdout.write('', () =>
  // A stream tells of its error a little later than whoever has written.
  setImmediate(() => {
    if (lost !== undefined)
      print(process.stderr)(`acp-snapshot: the output could not be written: ${lost.message}`)
    process.exit(lost === undefined || code !== 0 ? code : 1)
  }),
)
