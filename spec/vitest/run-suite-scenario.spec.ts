import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { runSuiteScenario as runSuite, type SuiteRun } from '../../src/vitest/run-suite-scenario.ts'
import { bundledScenarios, dshComposition, root } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { problemOf, thrownBy } from '../support/thrown.ts'

const signal = new AbortController().signal
const { timeouts, ...options } = {
  scenarios: 'not looked at',
  composition: pathToFileURL(dshComposition),
  env: { COLOUR: 'red' },
  rules: [],
  workspace: 'disk' as const,
  timeouts: { prompt: 20_000 },
}

/** Runs a scenario; gives what is told of the file that was written, if one was. */
async function runSuiteScenario(run: Omit<SuiteRun, 'tell'>): Promise<string | undefined> {
  let written: string | undefined
  await runSuite({ ...run, tell: message => Promise.resolve((written = message)) })
  return written
}

/** A copy of a bundled scenario, and what its files hold. */
function copyOf(name: string) {
  const folder = path.join(tempFolder(), name)
  cpSync(path.join(bundledScenarios, name), folder, { recursive: true })
  const at = (file: string): string => path.join(folder, file)
  return {
    folder,
    at,
    files: () => Object.fromEntries(readdirSync(folder).map(file => [file, readFileSync(at(file), 'utf8')])),
    replace: (file: string, from: string, to: string) =>
      writeFileSync(at(file), readFileSync(at(file), 'utf8').replace(from, to)),
  }
}

describe('runSuiteScenario', () => {
  it('takes a host, and tells where the model calls were not seen', async () => {
    const { folder, at } = copyOf('handshake')
    rmSync(at('facts.json'))
    const run = { folder, signal, update: false }
    const seen = await runSuiteScenario({ ...run, options: { ...options, host: 'subprocess', timeouts } })
    expect(seen).toBeUndefined()
    const overlay = dshComposition.replace('cordis.yml', 'cordis.snapshot.yml')
    const program = [process.execPath, path.join(root, 'bench/hosts/bare-agent.js'), overlay]
    const host = { command: 'env', args: ['-u', 'ACP_SNAPSHOT_CHANNEL', ...program] }
    const told = await runSuiteScenario({ ...run, options: { ...options, host } })
    expect(told).toContain('model calls were not seen')
  })

  it('is content with a run that is equal', async () => {
    const { folder } = copyOf('text-turn')
    const run = { folder, signal, update: false }
    expect(await runSuiteScenario({ ...run, options: { ...options, timeouts } })).toBeUndefined()
    const composition = { config: dshComposition }
    expect(await runSuiteScenario({ ...run, options: { scenarios: '', composition } })).toBeUndefined()
  })

  it('fails with the report and both sides', async () => {
    const { folder, replace } = copyOf('text-turn')
    replace('stdout.expected.jsonl', 'Reykjavik', 'Oslo')
    const error = await problemOf(() => runSuiteScenario({ folder, options, signal, update: false }))
    expect(error.code).toBe('RUN_DIFFERS')
    expect(JSON.stringify(error.expected)).toContain('Oslo')
    expect(JSON.stringify(error.actual)).toContain('Reykjavik')
  })

  it('ends with the test', async () => {
    const { folder } = copyOf('text-turn')
    const reason = new Error('the test is over')
    expect(
      await thrownBy(() =>
        runSuiteScenario({ folder, options, signal: AbortSignal.abort(reason), update: false }),
      ),
    ).toBe(reason)
  })

  it('writes what is expected of standard output, where that is wanted', async () => {
    const { folder, files, at, replace } = copyOf('text-turn')
    const before = files()
    replace('stdout.expected.jsonl', 'Reykjavik', 'Oslo')
    const update = { folder, options, signal, update: true }
    expect(await runSuiteScenario(update)).toBe(`wrote ${at('stdout.expected.jsonl')}`)
    expect(files()).toEqual(before)
    expect(await runSuiteScenario(update)).toBeUndefined()
    rmSync(at('stdout.expected.jsonl'))
    await runSuiteScenario(update)
    expect(files()).toEqual(before)
  })

  it('writes nothing where facts are broken', async () => {
    const { folder, files, replace } = copyOf('text-turn')
    replace('stdout.expected.jsonl', 'Reykjavik', 'Oslo')
    replace('facts.json', 'Reykjavik', 'Oslo')
    const before = files()
    const error = await problemOf(() => runSuiteScenario({ folder, options, signal, update: true }))
    expect(error.message).toContain('Nothing was written.')
    expect(files()).toEqual(before)
  })

  it('writes no log, and says who does', async () => {
    const { folder, files, replace } = copyOf('text-turn')
    replace('stdout.expected.jsonl', 'Reykjavik', 'Oslo')
    replace('session.jsonl', '"kind":"completed"', '"kind":"finished"')
    const before = files()
    const error = await problemOf(() => runSuiteScenario({ folder, options, signal, update: true }))
    expect(error.message).toContain('stdout.expected.jsonl was written.')
    expect(error.message).toContain(`acp-snapshot refresh ${folder}`)
    const { 'stdout.expected.jsonl': written, ...others } = files()
    expect(written).toContain('Reykjavik')
    expect(before).toMatchObject(others)
  })

  it('writes no secret', async () => {
    vi.stubEnv('PAGER_API_KEY', 'agent_message_chunk')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { folder, files, replace } = copyOf('text-turn')
    replace('stdout.expected.jsonl', 'Reykjavik', 'Oslo')
    const before = files()
    const error = await problemOf(() => runSuiteScenario({ folder, options, signal, update: true }))
    expect(error).toMatchObject({ code: 'SECRET_FOUND' })
    expect(error.message).toContain('PAGER_API_KEY')
    expect(files()).toEqual(before)
  })

  it('takes the pins of a suite into account', async () => {
    const base = tempFolder()
    for (const name of ['text-turn', 'bash-turn']) {
      cpSync(path.join(bundledScenarios, name), path.join(base, name), { recursive: true })
    }
    const suite = { scenarios: { 'text-turn': { pin: { prompt: true, tools: true } }, 'bash-turn': {} } }
    writeFileSync(path.join(base, 'suite.json'), JSON.stringify(suite))
    writeFileSync(path.join(base, 'text-turn/system-prompt.expected.md'), 'Another prompt.\n')
    const run = { folder: path.join(base, 'bash-turn'), options, signal, update: true }
    expect((await problemOf(() => runSuiteScenario(run))).message).toContain(
      'request headers of session.jsonl',
    )
  })
})
