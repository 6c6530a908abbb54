import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { inspectCorpus, inspectScenario } from '../../src/inspect/index.ts'
import { callCli } from '../support/call-cli.ts'
import { oddFiles } from '../support/odd-file.ts'
import { bundledScenarios } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

const scenario = (name: string): string => path.join(bundledScenarios, name)

/** The lines of standard output, one by one. */
async function call(argv: readonly string[], signal?: AbortSignal) {
  const { out, ...rest } = await callCli(argv, signal)
  return { ...rest, out: out === '' ? [] : out.split('\n') }
}

function copyOf(...names: string[]): string {
  const folder = tempFolder()
  for (const name of names) cpSync(scenario(name), path.join(folder, name), { recursive: true })
  return folder
}

describe('acp-snapshot inspect', () => {
  it('prints a scenario event by event', async () => {
    const { code, out } = await call(['inspect', scenario('fork')])
    expect(code).toBe(0)
    expect(out[0]).toBe('fork  initialize, newSession, prompt, prompt')
    expect(out).toContain('       45     tool/result call_fork ok "noreh"')
    // How long a stream took is as it was when it was recorded.
    expect(String(out)).toMatch(
      / 49 {5}assistant\/chunk text-delta block 0 ×4 \+\d+ ms "The fork says noreh\."/,
    )
    expect(out).toContain('          0 … 18 events inherited from session.jsonl')
    expect(out.filter(line => line.includes('child of session.jsonl'))).toHaveLength(1)
    expect(out.at(-2)).toBe(
      'fork: 2 sessions, 3 turns, 4 model calls, 1 tool call, tokens 13099 in, 25 out, 0 errors',
    )
    expect(out.at(-1)).toBe('')
  })

  it('prints every scenario below a folder, each with its sum, and the sum of all', async () => {
    const { code, out } = await call(['inspect', bundledScenarios])
    expect(code).toBe(0)
    const { scenarios, totals } = await inspectCorpus(bundledScenarios)
    for (const { name, totals: own } of scenarios) {
      expect(
        out.some(line => line.startsWith(`${name}: `) && line.includes(`${own.modelCalls} model call`)),
      ).toBe(true)
    }
    expect(out.at(-1)).toMatch(new RegExp(`^${totals.scenarios} scenarios: ${totals.sessions} sessions, `))
    for (const line of out) expect(line.length).toBeLessThanOrEqual(120)
  })

  it('has a line for every event of a log that is no delta', async () => {
    const folder = scenario('read-and-edit')
    const { out } = await call(['inspect', folder])
    const rows = readFileSync(path.join(folder, 'session.jsonl'), 'utf8').trimEnd().split('\n').slice(1)
    for (const row of rows) {
      const { type } = JSON.parse(row) as { type: string }
      if (type.endsWith('-chunks')) continue
      const count = (lines: readonly string[], pattern: RegExp): number =>
        lines.filter(line => pattern.test(line)).length
      if (type !== 'assistant/chunk') {
        expect(count(out, new RegExp(`^ +\\d+ +${type}\\b`)), type).toBe(
          count(rows, new RegExp(`"type":"${type}"`)),
        )
      }
    }
  })

  it.each(['text-turn', 'fork'])('prints what inspectScenario gives with --json (%s)', async name => {
    const { code, out } = await call(['inspect', scenario(name), '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out.join('\n'))).toEqual(await inspectScenario(scenario(name)))
  })

  it('prints what inspectCorpus gives with --json', async () => {
    const { code, out } = await call(['inspect', bundledScenarios, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out.join('\n'))).toEqual(await inspectCorpus(bundledScenarios))
  })

  it('lists problems at the end, and gives 1', async () => {
    const folder = copyOf('text-turn', 'todo-list')
    const input = path.join(folder, 'text-turn/input.json')
    writeFileSync(input, '{')
    const log = path.join(folder, 'todo-list/session.jsonl')
    const lines = readFileSync(log, 'utf8').split('\n')
    writeFileSync(log, lines.with(4, '\u001b[31m').join('\n'))
    const { code, out } = await call(['inspect', folder])
    expect(code).toBe(1)
    const list = out.slice(out.indexOf('2 problems:') + 1)
    expect(list[0]?.startsWith(`  ${input}:1:2: not valid JSON`)).toBe(true)
    expect(list[1]?.startsWith(`  ${log}:5: not JSON`)).toBe(true)
    expect(out.join('')).not.toContain('\u001b')
    expect(out.find(line => line.startsWith('text-turn: '))).toMatch(/, 1 problem$/)
    for (const json of [folder, path.dirname(input)]) {
      const printed = await call(['inspect', json, '--json'])
      expect(printed.code).toBe(1)
      expect(printed.out.join('\n')).not.toContain('\u001b')
    }
  })

  it('lists what is wrong with a suite.json once', async () => {
    const folder = copyOf('text-turn', 'todo-list')
    writeFileSync(path.join(folder, 'suite.json'), '{')
    const { code, out } = await call(['inspect', folder])
    expect(code).toBe(1)
    expect(out.slice(out.indexOf('1 problem:') + 1)).toHaveLength(1)
    expect(out.at(-1)).toContain(`${folder}/suite.json:1:2: `)
  })

  it.each(oddFiles)('does not hang at %s', async (_, make) => {
    const folder = copyOf('text-turn')
    for (const name of readdirSync(scenario('subagent-spawn'))) {
      const file = path.join(folder, 'odd', name)
      cpSync(path.join(scenario('subagent-spawn'), 'input.json'), path.join(folder, 'odd/input.json'))
      if (name !== 'input.json') make(file)
    }
    const { code, out } = await call(['inspect', folder])
    expect(code).toBe(1)
    expect(out.join('\n')).toContain('session.jsonl is missing')
    expect(out.join('\n')).toContain('text-turn: 1 session')
  })

  it.each([
    [['inspect'], 'inspect needs one folder'],
    [['inspect', bundledScenarios, bundledScenarios], 'inspect needs one folder'],
    [['inspect', bundledScenarios, '--drift', 'report'], 'inspect has no option --drift'],
    [['inspect', bundledScenarios, '--composition', 'x'], 'inspect has no option --composition'],
    [['inspect', 'no/such/folder'], 'no/such/folder: there is no such folder'],
    [['inspect', 'no/such/folder', '--json'], 'no/such/folder: there is no such folder'],
    [['inspect', path.join(scenario('read-and-edit'), 'workspace')], 'no scenario here or below'],
    [['inspect', path.join(scenario('read-and-edit'), 'workspace'), '--json'], 'no scenario here or below'],
  ])('refuses %j with code 2', async (argv, message) => {
    const { code, out, error } = await call(argv)
    expect(code).toBe(2)
    expect(out).toEqual([])
    expect(error).toContain(message)
  })

  it('stops when it is interrupted', async () => {
    const { code, error } = await call(['inspect', bundledScenarios], AbortSignal.abort())
    expect({ code, error }).toEqual({ code: 130, error: 'acp-snapshot: interrupted' })
  })

  it('is in the usage', async () => {
    expect((await call(['--help'])).out.join('\n')).toContain('acp-snapshot inspect <folder> [--json]')
  })
})
