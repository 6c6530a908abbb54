import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it, onTestFinished } from 'vitest'

import { channelVariable } from '../../../src/channel/messages.ts'
import { loadScenario } from '../../../src/fixtures/index.ts'
import type { RunFolders } from '../../../src/host/folders/run-folders.ts'
import { SessionJournal } from '../../../src/host/journal.ts'
import { RunChannel, type RunChannelOptions } from '../../../src/host/subprocess/run-channel.ts'
import { ReplaySeat } from '../../../src/replay-seat.ts'
import { runEnvironmentValues } from '../../../src/run-environment.ts'
import { scenarioScripts } from '../../../src/scenario-scripts.ts'
import { ownPaths } from '../../../src/start-host.ts'
import { bundledScenarios, dshComposition } from '../../support/paths.ts'
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
    setTimeout(() => abort.abort(), 200)
    await done.catch(() => undefined)
    expect(world.pair.errors).toContain('up')
    expect(world.pair.errors).toContain('down')
  })

  it('fails where the composition does, and tells of errors that the kernel logs', async () => {
    const broken = "export const name = 'broken'\nexport const apply = () => { throw new Error('no luck') }\n"
    const { done } = await served(configOf({ 'broken.mjs': broken }))
    const error = await problemOf(() => done)
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain('no luck')
  })
})

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
