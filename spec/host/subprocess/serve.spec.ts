import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it, onTestFinished } from 'vitest'

import { channelVariable } from '../../../src/channel/messages.ts'
import { loadScenario } from '../../../src/fixtures/index.ts'
import type { RunFolders } from '../../../src/host/folders/run-folders.ts'
import { SessionJournal } from '../../../src/host/journal.ts'
import { RunChannel, type RunChannelOptions } from '../../../src/host/subprocess/run-channel.ts'
import type { ServeOptions } from '../../../src/host/subprocess/serve.ts'
import { ReplaySeat } from '../../../src/replay-seat.ts'
import { runEnvironmentValues } from '../../../src/run-environment.ts'
import { scenarioScripts } from '../../../src/scenario-scripts.ts'
import { ownPaths } from '../../../src/start-host.ts'
import { bundledScenarios, dshComposition } from '../../support/paths.ts'
import { callCli } from '../../support/call-cli.ts'
import { problemOf } from '../../support/thrown.ts'
import { compositionFolder } from '../support/composition-folder.ts'
import { served } from './served.ts'

const scenario = await loadScenario(path.join(bundledScenarios, 'text-turn'))

function configOf(files: Readonly<Record<string, string>>): string {
  const rows = Object.keys(files).map(name => `- name: ./${name}\n`)
  return path.join(compositionFolder({ ...files, 'cordis.yml': rows.join('') }), 'cordis.yml')
}

describe('serve, on its own', () => {
  it('replays what the environment names, through the overlay beside the composition', async () => {
    const { drive, done, logs, world } = await served(dshComposition, folders =>
      runEnvironmentValues({ mode: 'replay', scenario, folders, extra: {} }),
    )
    const { stopReason, stdout } = await drive(scenario)
    await done
    expect(stopReason).toBe('end_turn')
    expect(stdout.text()).toContain('Reykjavik')
    expect([...logs().keys()].filter(name => name.includes('.jsonl'))).toHaveLength(1)
    expect(world.failure).toBeUndefined()
  })

  it('puts the replay over a composition that has no entry for it', async () => {
    const folder = compositionFolder({
      'other.yml': `- name: cordis:include\n  config:\n    path: ${pathToFileURL(dshComposition).href}\n`,
    })
    const { drive, done } = await served(path.join(folder, 'other.yml'), folders =>
      runEnvironmentValues({ mode: 'replay', scenario, folders, extra: {} }),
    )
    expect((await drive(scenario)).stdout.text()).toContain('Reykjavik')
    await done
  })

  it('is live without a recording: an .env beside the composition counts, and what is set wins', async () => {
    const says =
      "export const name = 'says'\nexport const apply = () => {\n" +
      '  console.error([process.env.FROM_FILE, process.env.SET].join())\n  process.stdin.resume()\n}\n'
    const config = configOf({ 'says.mjs': says })
    writeFileSync(path.join(path.dirname(config), '.env'), 'FROM_FILE=yes\nSET=no\n')
    const { done, world } = await served(config, () => ({ SET: 'yes' }))
    await world.pair.client.input.close()
    await done
    expect(world.pair.errors).toContain('yes,yes')
  })

  it('ends where it is told to, whatever its input does', async () => {
    const abort = new AbortController()
    const apply =
      "export const name = 'deaf'\nexport const apply = ctx => {\n  console.error('up')\n  ctx.effect(() => () => console.error('down'))\n}\n"
    const { done, world } = await served(configOf({ 'deaf.mjs': apply }), () => ({}), abort.signal)
    await expect.poll(() => world.pair.errors).toContain('up')
    abort.abort()
    await done
    expect(world.pair.errors).toContain('down')
  })

  it('refuses the network in a replay, and tells of errors that the kernel logs', async () => {
    const reaches = `
      import net from 'node:net'
      export const name = 'reaches'
      export const apply = async ctx => {
        ctx.logger.info('nothing to see')
        ctx.logger.error('odd', 5, new Error('thing'))
        await new Promise(resolve => net.connect(9, '127.0.0.1').on('error', error => resolve(console.error(error.code))))
      }
    `
    const rows = `- name: cordis:include\n  config:\n    path: ${pathToFileURL(dshComposition).href}\n- name: ./reaches.mjs\n`
    const folder = compositionFolder({ 'other.yml': rows, 'reaches.mjs': reaches })
    const { drive, done, world } = await served(path.join(folder, 'other.yml'), folders =>
      runEnvironmentValues({ mode: 'replay', scenario, folders, extra: {} }),
    )
    await drive(scenario)
    await done
    expect(world.pair.errors).toContain('odd 5 thing')
    expect(world.pair.errors).not.toContain('nothing to see')
    expect(world.pair.errors).toContain('the agent reaches for the network: connect(127.0.0.1:9)')
  })

  it('ends where its input has ended before it was up', async () => {
    const slow = `
      import { once } from 'node:events'
      export const name = 'slow'
      export const apply = async () => {
        process.stdin.resume()
        await once(process.stdin, 'close')
      }
    `
    const { done, world } = await served(configOf({ 'slow.mjs': slow }))
    await world.pair.client.input.close()
    await done
    expect(world.failure).toBeUndefined()
  })

  it('does not start where it is told to end already', async () => {
    const { done } = await served(dshComposition, () => ({}), AbortSignal.abort(new Error('enough')))
    await expect(done).rejects.toThrow('enough')
  })

  it('is a command', async () => {
    const idle = "export const name = 'idle'\nexport const apply = () => void process.stdin.resume()\n"
    const command = async ({ config }: ServeOptions): Promise<void> => {
      const { code, error } = await callCli(['serve', '--config', config])
      expect({ code, error }).toEqual({ code: 0, error: '' })
    }
    const { done, world } = await served(configOf({ 'idle.mjs': idle }), () => ({}), undefined, command)
    await world.pair.client.input.close()
    await done
  })

  it('fails where the composition does', async () => {
    const broken = "export const name = 'broken'\nexport const apply = () => { throw new Error('no luck') }\n"
    const { done } = await served(configOf({ 'broken.mjs': broken }))
    const error = await problemOf(() => done)
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain('no luck')
  })
})

async function listening(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(socket => socket.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

async function connected(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}

/** The run's end of a channel, and the environment that an agent finds it by. */
async function channelFor(
  folders: RunFolders,
  setup: Partial<RunChannelOptions['setup']> = {},
): Promise<{ readonly channel: RunChannel; readonly journal: SessionJournal; readonly seat: ReplaySeat }> {
  const journal = new SessionJournal()
  const seat = new ReplaySeat({
    mode: 'replay',
    scripts: scenarioScripts(scenario),
    sessions: scenario.sessions,
    paceMs: undefined,
    drift: undefined,
    rules: [],
  })
  const model = seat.remote({ cwd: folders.cwd, context: { ...ownPaths(folders), sessionIds: [] } })
  const channel = await RunChannel.open({
    folders,
    model,
    journal,
    setup: { mode: 'replay', patches: [], ...setup },
  })
  onTestFinished(() => channel.close())
  return { channel, journal, seat }
}

async function servedOver(config: string, setup: Partial<RunChannelOptions['setup']> = {}) {
  let opened: Awaited<ReturnType<typeof channelFor>> | undefined
  const agent = await served(config, async folders => {
    opened = await channelFor(folders, setup)
    return { [channelVariable]: opened.channel.setupFile, DSH_SNAPSHOT: 'replay' }
  })
  if (opened === undefined) throw new Error('no channel was opened')
  return { ...agent, ...opened }
}

describe('serve, for a run', () => {
  it.each([
    ['through its entry', {}],
    ['over everything', { overlay: false as const }],
  ])('has the run answer its model, %s, and tells of what it logs', async (_how, setup) => {
    const { channel, drive, done, seat, journal, world } = await servedOver(dshComposition, setup)
    const times = await channel.ready
    expect(times.importMs + times.mountMs).toBeGreaterThan(0)
    expect(channel.isOpen).toBe(true)
    expect((await drive(scenario)).stdout.text()).toContain('Reykjavik')
    await done
    expect(seat.calls).toHaveLength(1)
    expect(seat.unconsumed()).toEqual([])
    expect(journal.sessions[0]?.events.at(-1)?.type).toBe('turn/end')
    expect(channel.problem).toBeUndefined()
    expect(world.pair.errors).toBe('')
  })

  it('tells of a composition that fails', async () => {
    const waits =
      "export const name = 'waits'\nexport const inject = ['nobody']\nexport const apply = () => undefined\n"
    const { channel, done } = await servedOver(configOf({ 'waits.mjs': waits }))
    const told = await problemOf(() => channel.ready)
    const thrown = await problemOf(() => done)
    expect(told.code).toBe('COMPOSITION_FAILED')
    expect(told.message).toContain('it waits for nobody, which nothing provides')
    expect(told.message).toBe(thrown.message)
  })

  it('refuses the network to its agent, until that has gone', async () => {
    const { server, port } = await listening()
    const caller = `
      import { connect } from 'node:net'
      export const name = 'caller'
      export const apply = () => void connect(${port}, '127.0.0.1').on('error', ({ code }) => console.error(code))
    `
    const { channel, done, world } = await servedOver(dshComposition, {
      patches: [
        {
          insert: [
            { id: 'caller', name: configOf({ 'caller.mjs': caller }).replace('cordis.yml', 'caller.mjs') },
          ],
        },
      ],
    })
    await channel.ready
    // Everybody else in this process may.
    await connected(port)
    await world.pair.client.input.close()
    await done
    expect(world.pair.errors).toContain(`the agent reaches for the network: connect(127.0.0.1:${port})`)
    expect(world.pair.errors).toContain('ISOLATION')
    await world.run(() => connected(port))
    server.close()
  })

  it('tells of a plugin that fails while it goes', async () => {
    const sore = "export const name = 'sore'\nexport const apply = () => () => { throw new Error('sore') }\n"
    const name = path.join(path.dirname(configOf({ 'sore.mjs': sore })), 'sore.mjs')
    const { channel, done, world } = await servedOver(dshComposition, {
      patches: [{ insert: [{ id: 'sore', name }] }],
    })
    await channel.ready
    await world.pair.client.input.close()
    await done
    await expect.poll(() => channel.problem).toContain('sore')
    expect(world.pair.errors).toContain('sore')
  })
})
