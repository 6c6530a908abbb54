import type { ChildProcess } from 'node:child_process'

const living = new Set<number>()
let isWatching = false

/**
 * Has a process and its group killed when this process ends, whatever ends it but a signal that can't be caught.
 *
 * @returns to be called once the process is gone
 */
export function killAtExit(pid: number): () => void {
  if (!isWatching) {
    isWatching = true
    process.on('exit', () => {
      for (const leader of living) signalGroup(leader, 'SIGKILL')
    })
  }
  living.add(pid)
  return () => void living.delete(pid)
}

/** Sends a signal to a process and to whoever is in the group that it leads; none of them need be there any more. */
export function killGroup(child: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) signalGroup(child.pid, signal)
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    // Windows has no groups.
    process.kill(process.platform === 'win32' ? leader : -leader, signal)
  } catch {
    // It has gone by itself.
  }
}
