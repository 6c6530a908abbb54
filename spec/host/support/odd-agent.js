/** An agent that speaks as much ACP as it takes to misbehave, in the way that its first argument names. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { setInterval } from 'node:timers'

const [behaviour, pidFile] = process.argv.slice(2)
writeFileSync(pidFile, `${process.pid}`)

const send = frame => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`)
const endTurn = id => send({ id, result: { stopReason: 'end_turn' } })

const atStart = {
  'exit-1': () => {
    console.error('no provider is configured')
    process.exit(1)
  },
  stays: () => setInterval(() => undefined, 1000),
  'stays-for-good': () => {
    process.on('SIGTERM', () => undefined)
    setInterval(() => undefined, 1000)
  },
  'exit-3-at-end': () => process.stdin.on('end', () => process.exit(3)),
}

const atPrompt = {
  mute: () => undefined,
  'floods-stderr': () => {
    const line = `${'again and again '.repeat(64)}\n`
    const flood = () => process.stderr.write(line.repeat(64), flood)
    flood()
  },
  'half-frame': () => process.stdout.write('{"jsonrpc":"2.0","id":2,"resu'),
  'big-frame': id =>
    send({ id, result: { stopReason: 'end_turn', _meta: { text: 'x'.repeat(10 * 2 ** 20) } } }),
  'endless-frame': () => {
    const part = 'x'.repeat(2 ** 20)
    const flood = () => process.stdout.write(part, flood)
    flood()
  },
  dies: () => process.kill(process.pid, 'SIGSEGV'),
  'exit-0': () => process.exit(0),
  'breaks-channel': () => {
    const { socket } = JSON.parse(readFileSync(process.env.ACP_SNAPSHOT_CHANNEL, 'utf8'))
    connect(socket).write('nonsense\n')
  },
  'leaves-others': id => {
    // The first stays in its group and holds its output; the second leads a session of its own.
    const options = { stdio: ['ignore', 'inherit', 'inherit'] }
    const others = [
      options,
      { ...options, detached: true, env: {} },
      { detached: true, stdio: 'ignore', cwd: '/' },
    ].map(how => spawn('sleep', ['600'], how))
    // Nor do they hold it.
    for (const other of others) other.unref()
    writeFileSync(pidFile, [process.pid, ...others.map(other => other.pid)].join('\n'))
    endTurn(id)
  },
  answers: endTurn,
}

atStart[behaviour]?.()
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
  else if (method === 'session/new') send({ id, result: { sessionId: 's1' } })
  else if (method === 'session/prompt') (atPrompt[behaviour] ?? endTurn)(id)
}
