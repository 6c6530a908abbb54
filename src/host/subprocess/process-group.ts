import { rmSync } from 'node:fs'

import { discardRealRoot } from '../folders/real-root.ts'
import type { RunFolders } from '../folders/run-folders.ts'
import { killLeftProcesses } from './left-processes.ts'

/** An agent's process that leads a group, and the folders of its run. */
interface Living {
  readonly pid: number
  readonly folders: Pick<RunFolders, 'real' | 'cwd'>
}

const living = new Set<Living>()
let isWatching = false

/**
 * Has an agent's processes killed and its folders removed when this process exits: by itself, by an error, but not by a
 * signal that nobody handles.
 *
 * @returns to be called once the process is gone
 */
export function endAtExit(pid: number, folders: Living['folders']): () => void {
  if (!isWatching) {
    isWatching = true
    process.on('exit', endAll)
  }
  const agent = { pid, folders }
  living.add(agent)
  return () => void living.delete(agent)
}

/** What is done when this process ends. */
export function endAll(): void {
  if (living.size === 0) return
  for (const { pid, folders } of living) {
    signalGroup(pid, 'SIGKILL')
    killLeftProcesses([folders.real, folders.cwd])
    rmSync(folders.cwd, { recursive: true, force: true, maxRetries: 3 })
  }
  discardRealRoot()
}

/** Sends a signal to a process and to whoever is in the group that it leads; none of them need be there any more. */
export function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return
  try {
    // Windows has no groups.
    process.kill(process.platform === 'win32' ? leader : -leader, signal)
  } catch {
    // It has gone by itself.
  }
}
