import { readFileSync } from 'node:fs'

/** Whether there is such a process; one that has ended and that nobody has waited for yet is none. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
