import { onTestFinished } from 'vitest'

import { driveScript, type DriveResult } from '../../../src/client/index.ts'
import type { Scenario } from '../../../src/fixtures/index.ts'
import { makeRunFolders, type RunFolders } from '../../../src/host/folders/run-folders.ts'
import { readTree } from '../../../src/host/folders/walk.ts'
import { AgentWorld } from '../../../src/host/in-process/agent-world.ts'
import { installScopes } from '../../../src/host/in-process/install.ts'
import { release } from '../../../src/host/in-process/mounted-host.ts'
import { SessionJournal } from '../../../src/host/journal.ts'
import { serve, type ServeOptions } from '../../../src/host/subprocess/serve.ts'

/** An agent that is served inside this process, in a world that stands in for a process of its own. */
export interface Served {
  readonly folders: RunFolders
  readonly world: AgentWorld
  /** Resolves when it has gone. */
  readonly done: Promise<void>
  /** Does a scenario's steps, and ends its input. */
  readonly drive: (scenario: Scenario) => Promise<DriveResult>
  readonly logs: () => Map<string, Buffer>
}

/**
 * @param env - of its process, given its folders
 * @param start - what serves it
 */
export async function served(
  config: string,
  env: (folders: RunFolders) => Promise<Record<string, string>> | Record<string, string> = () => ({}),
  signal?: AbortSignal,
  start: (options: ServeOptions) => Promise<void> = serve,
): Promise<Served> {
  installScopes()
  const folders = await makeRunFolders('served', { kind: 'disk', logs: 'disk' })
  const world = new AgentWorld(folders, await env(folders), 'open')
  onTestFinished(() => release(world, folders))
  const done = world.run(() => start({ config, signal }))
  done.catch(() => undefined)
  return {
    folders,
    world,
    done,
    logs: () => readTree(folders.sessionsDisk, folders.sessions),
    drive: async ({ input }) => {
      const journal = new SessionJournal()
      const waitForFile = (): Promise<never> => Promise.reject(new Error('no files are waited for'))
      const host = { cwd: folders.cwd, stdio: world.pair.client, journal, failed: world.failed, waitForFile }
      const result = await driveScript({ host, script: input })
      result.close()
      return result
    },
  }
}
