import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Kills the processes that an agent has started and left, also those that have left its group: whoever has the run's
 * folders in its environment, or works in them. Found in `/proc`; where a system has none, nobody is.
 *
 * @param folders - absolute paths that nobody but the run has
 * @returns how many there were
 */
export function killLeftProcesses(folders: readonly string[]): number {
  const left = processIds().filter(pid => pid !== process.pid && belongsTo(pid, folders))
  for (const pid of left) attempt(() => String(process.kill(pid, 'SIGKILL')))
  return left.length
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function belongsTo(pid: number, folders: readonly string[]): boolean {
  const where = attempt(() => readlinkSync(`/proc/${pid}/cwd`))
  const environment = attempt(() => readFileSync(`/proc/${pid}/environ`, 'latin1'))
  return folders.some(
    folder =>
      where === folder ||
      where.startsWith(`${folder}/`) ||
      environment.includes(Buffer.from(folder).toString('latin1')),
  )
}

/** Processes go by themselves meanwhile, and those of others can't be looked at. */
function attempt(look: () => string): string {
  try {
    return look()
  } catch {
    return ''
  }
}
