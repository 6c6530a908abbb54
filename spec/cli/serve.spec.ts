import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

import { describe, expect, it, onTestFinished } from 'vitest'

import { compositionFolder } from '../host/support/composition-folder.ts'
import { callCli } from '../support/call-cli.ts'
import { bundledScenarios, dshComposition, root } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** The command in a process of its own, as whoever starts an agent has it. */
function served(config: string, env: NodeJS.ProcessEnv = {}) {
  const cwd = tempFolder()
  const child = spawn(
    process.execPath,
    [path.join(root, 'bin/acp-snapshot.js'), 'serve', '--config', config],
    {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, ...env },
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const send = (frame: object): unknown =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`)
  const receive = async (): Promise<unknown> => JSON.parse(((await lines.next()) as { value: string }).value)
  return { child, cwd, send, receive, errors: text(child.stderr), ended: once(child, 'close') }
}

const replay = {
  DSH_SNAPSHOT: 'replay',
  DSH_SNAPSHOT_FILE: path.join(bundledScenarios, 'text-turn/session.jsonl'),
}

describe('acp-snapshot serve', () => {
  it('is an agent over standard input and output, until its input ends', async () => {
    const { child, cwd, send, receive, ended, errors } = served(dshComposition, replay)
    send({ id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } })
    expect(await receive()).toMatchObject({ id: 1, result: { protocolVersion: 1 } })
    send({ id: 2, method: 'session/new', params: { cwd, mcpServers: [] } })
    const { result } = (await receive()) as { result: { sessionId: string } }
    const prompt = [{ type: 'text', text: 'Name the capital of Iceland in one word.' }]
    send({ id: 3, method: 'session/prompt', params: { sessionId: result.sessionId, prompt } })
    expect(JSON.stringify(await receive())).toContain('Reykjavik')
    expect(await receive()).toMatchObject({ id: 3, result: { stopReason: 'end_turn' } })
    child.stdin.end()
    expect(await ended).toEqual([0, null])
    expect(await errors).toBe('')
  })

  it('goes where it is told to, in order', async () => {
    const plugin =
      "export const name = 'own'\nexport const apply = () => {\n  console.error('up')\n  process.stdin.resume()\n  return () => console.error('down')\n}\n"
    const folder = compositionFolder({ 'own.mjs': plugin, 'cordis.yml': '- name: ./own.mjs\n' })
    const { child, ended, errors } = served(path.join(folder, 'cordis.yml'))
    await once(child.stderr, 'data')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(await errors).toBe('up\ndown\n')
  })

  it('says on standard error why it could not start', async () => {
    const folder = compositionFolder({
      'own.mjs': "export const name = 'own'\nexport const apply = () => { throw new Error('no luck') }\n",
      'cordis.yml': '- name: ./own.mjs\n',
    })
    const { ended, errors, receive } = served(path.join(folder, 'cordis.yml'))
    expect(await ended).toEqual([1, null])
    expect(await errors).toMatch(
      /acp-snapshot: .*cordis\.yml: an entry of the composition did not start[^]*no luck/,
    )
    await expect(receive()).rejects.toThrow()
  })

  it.each([
    [['serve']],
    [['serve', 'extra', '--config', dshComposition]],
    [['serve', '--json', '--config', 'x']],
  ])('is refused as %j', async argv => {
    const { code, error } = await callCli(argv)
    expect(code).toBe(2)
    expect(error).toContain('acp-snapshot: serve ')
  })
})

describe('acp-snapshot run --host', () => {
  const scenario = path.join(bundledScenarios, 'text-turn')

  it.each(['in-process', 'subprocess'])('runs in %s', async host => {
    const { code, out } = await callCli(['run', scenario, '--host', host])
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 of 1 scenarios equal') as string,
    })
  })

  it('refuses another', async () => {
    const { code, error } = await callCli(['run', scenario, '--host', 'cloud'])
    expect(code).toBe(2)
    expect(error).toContain('--host is "cloud"; it can be in-process or subprocess')
  })
})
