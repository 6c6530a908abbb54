import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'

import { onTestFinished } from 'vitest'

/** A process that is up and does nothing until somebody ends it; the test's end does. */
export async function waitingProcess(
  options: SpawnOptions,
): Promise<{ readonly child: ChildProcess; readonly pid: number; readonly ended: Promise<unknown[]> }> {
  const child = spawn(process.execPath, ['-e', 'console.log(1);setInterval(()=>{},1e6)'], {
    ...options,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { pid, stdout } = child
  if (pid === undefined) throw new Error('it was not started')
  await once(stdout, 'data')
  return { child, pid, ended: once(child, 'exit') }
}
