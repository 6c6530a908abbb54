import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it, vi } from 'vitest'

import { sourceUrl, startScript } from '../host/support/plain-node.ts'
import { prompts } from '../support/model-answers.ts'
import { tempFolder } from '../support/temp-folder.ts'

const agent = path.join(import.meta.dirname, '../host/support/odd-agent.js')

/** A process that waits for its agent's answer, and what its agent's process is. */
async function waitingRun(behaviour: string, atPrompt: string) {
  const temp = tempFolder()
  const pidFile = path.join(tempFolder(), 'pid')
  const scenario = { name: 'waits', steps: prompts('Go.') }
  const host = { command: process.execPath, args: [agent, behaviour, pidFile], channel: 'none' }
  const runner = startScript(
    `
      import { once } from 'node:events'
      import { runScenario } from ${JSON.stringify(sourceUrl('index.ts'))}
      const host = ${JSON.stringify(host)}
      void runScenario({ scenario: ${JSON.stringify(scenario)}, host, timeouts: { prompt: 20_000 } })
      process.on('SIGUSR2', () => { ${atPrompt} })
      console.log('started')
    `,
    { env: { ...process.env, TMPDIR: temp } },
  )
  const pid = await vi.waitFor(() => {
    const found = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0
    expect(found).toBeGreaterThan(0)
    return found
  }, 10_000)
  return { runner, pid, temp }
}

const gone = (pid: number): Promise<void> =>
  vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 10_000)

describe('the agent of a run whose own process goes', () => {
  it.each([
    ['by process.exit', 'process.exit(3)'],
    ['by an error that nobody catches', 'throw new Error("oops")'],
  ])('goes with it, and so do its folders: %s', async (_how, atPrompt) => {
    const { runner, pid, temp } = await waitingRun('stays-for-good', atPrompt)
    runner.kill('SIGUSR2')
    const [code] = (await once(runner, 'close')) as [number]
    expect(code).toBeGreaterThan(0)
    await gone(pid)
    expect(readdirSync(temp).filter(name => name.startsWith('acp-snapshot'))).toEqual([])
  })

  it('goes when its input ends, where the run was killed', async () => {
    const { runner, pid } = await waitingRun('mute', '')
    runner.kill('SIGKILL')
    await once(runner, 'close')
    await gone(pid)
  })
})
