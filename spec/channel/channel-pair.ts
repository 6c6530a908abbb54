import { writeFileSync } from 'node:fs'
import path from 'node:path'

import { onTestFinished } from 'vitest'

import { AgentEnd } from '../../src/channel/agent-end.ts'
import { channelVersion, type ChannelSetup, type FromAgent } from '../../src/channel/messages.ts'
import { RunnerEnd, type RunnerSide } from '../../src/channel/runner-end.ts'
import type { SnapshotError } from '../../src/errors.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** A channel with both of its ends in this process. */
export interface ChannelPair {
  readonly runner: RunnerEnd
  readonly agent: AgentEnd
  readonly setup: ChannelSetup
  /** Path of the file that has the setup. */
  readonly setupFile: string
  /** What the agent's end has told. */
  readonly told: FromAgent[]
  /** Resolves with the next thing that it tells of this type. */
  readonly next: <T extends FromAgent['type']>(type: T) => Promise<Extract<FromAgent, { type: T }>>
  readonly broken: Promise<SnapshotError>
}

/** Opens one, for the test that runs; the agent's calls get these answers. */
export async function channelPair(
  answer: RunnerSide['answer'],
  more: Partial<ChannelSetup> = {},
): Promise<ChannelPair> {
  const folder = tempFolder()
  const socket = path.join(folder, 's')
  const told: FromAgent[] = []
  const waiting = new Map<string, PromiseWithResolvers<FromAgent>>()
  const broken = Promise.withResolvers<SnapshotError>()
  const runner = await RunnerEnd.listen(socket, {
    answer,
    note: message => {
      told.push(message)
      waiting.get(message.type)?.resolve(message)
    },
    broken: broken.resolve,
  })
  onTestFinished(() => runner.close())
  const setup: ChannelSetup = {
    version: channelVersion,
    socket,
    mode: 'replay',
    folders: { cwd: '/cwd', sessions: '/sessions', spill: '/spill' },
    routes: [],
    recorded: [],
    patches: [],
    ...more,
  }
  const setupFile = path.join(folder, 'channel.json')
  writeFileSync(setupFile, JSON.stringify(setup))
  const next: ChannelPair['next'] = type => {
    const wait = Promise.withResolvers<FromAgent>()
    waiting.set(type, wait)
    return wait.promise as never
  }
  const hello = next('hello')
  const agent = new AgentEnd(setup)
  await hello
  return { runner, agent, setup, setupFile, told, next, broken: broken.promise }
}
