import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { main } from '../../src/cli/main.ts'
import { callCli } from '../support/call-cli.ts'
import { oddFiles } from '../support/odd-file.ts'
import { bundledScenarios, dshComposition, root } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

const call = (...argv: string[]): ReturnType<typeof callCli> => callCli(argv)

const scenario = (name: string): string => path.join(bundledScenarios, name)

/** A folder with copies of bundled scenarios, the first of which expects another answer. */
function changedCopy(...names: string[]): string {
  const folder = tempFolder()
  for (const name of names) cpSync(scenario(name), path.join(folder, name), { recursive: true })
  const expected = path.join(folder, names[0] ?? '', 'stdout.expected.jsonl')
  writeFileSync(expected, readFileSync(expected, 'utf8').replace('Reykjavik', 'Oslo'))
  return folder
}

describe('acp-snapshot run', () => {
  it('prints a line for a scenario and a summary', async () => {
    const { code, out } = await call('run', scenario('text-turn'))
    expect(code).toBe(0)
    expect(out).toMatch(/^ok {3}text-turn {2}[\d.]+ ms\n1 of 1 scenarios equal, \d+ ms$/)
  })

  it('runs every scenario below a folder, each once', async () => {
    const folder = changedCopy('text-turn', 'todo-list')
    const { code, out } = await call(
      'run',
      folder,
      path.join(folder, 'text-turn'),
      '--composition',
      dshComposition,
    )
    expect(code).toBe(1)
    expect(out.match(/^(ok|DIFF|FAIL) .*$/gm)).toHaveLength(2)
    expect(out).toContain('ok   todo-list')
    expect(out).toContain('1 of 2 scenarios equal')
  })

  it('reports what differs', async () => {
    const { code, out } = await call('run', changedCopy('text-turn'), '--composition', dshComposition)
    expect(code).toBe(1)
    expect(out).toContain('DIFF text-turn')
    expect(out).toContain('params.update.content.text')
    expect(out).toContain('Oslo')
    expect(out).toContain('Reykjavik')
  })

  it.each([
    [[], 'FAIL', 'REPLAY_DRIFT'],
    [['--drift', 'error'], 'FAIL', 'REPLAY_DRIFT'],
    [['--drift', 'report'], 'DIFF', undefined],
  ])('ends a run at a request that differs, or lists it (%j)', async (options, mark, code) => {
    const folder = changedCopy('several-turns')
    const log = path.join(folder, 'several-turns', 'session.jsonl')
    const changed = readFileSync(log, 'utf8').replaceAll('And what was it before?', 'And what was it afore?')
    writeFileSync(log, changed)
    const argv = ['run', folder, '--composition', dshComposition, ...options]
    const { code: exit, out } = await call(...argv)
    expect(exit).toBe(1)
    expect(out).toContain(`${mark} several-turns`)
    expect(out).toMatch(/session\.jsonl:\d+: model call 2 of session\.jsonl/)
    const { scenarios } = JSON.parse((await call(...argv, '--json')).out) as {
      scenarios: { error?: { code: string }; differences: { surface: string }[] }[]
    }
    expect(scenarios[0]?.error?.code).toBe(code)
    expect(
      scenarios[0]?.differences.some(({ surface }) => surface === 'model requests of session.jsonl'),
    ).toBe(code === undefined)
  })

  it('reports a scenario that fails and goes on with the next', async () => {
    const folder = changedCopy('several-turns', 'todo-list')
    writeFileSync(path.join(folder, 'several-turns', 'input.json'), '{ "steps": [{ "op": "dance" }] }')
    const { code, out } = await call('run', folder, '--composition', dshComposition)
    expect(code).toBe(1)
    expect(out).toContain('FAIL several-turns')
    expect(out).toContain('"dance"')
    expect(out).toContain('ok   todo-list')
  })

  it('runs a scenario that lacks a file, that a suite names, or that a link leads to, and says what is wrong', async () => {
    const folder = changedCopy('text-turn', 'todo-list')
    rmSync(path.join(folder, 'text-turn', 'input.json'))
    symlinkSync(scenario('bash-turn'), path.join(folder, 'linked'))
    symlinkSync('.', path.join(folder, 'loop'))
    symlinkSync('nowhere', path.join(folder, 'dangling'))
    const suite = { scenarios: { 'todo-list': {}, 'never-made': {} } }
    writeFileSync(path.join(folder, 'suite.json'), JSON.stringify(suite))
    const { code, out } = await call('run', folder, '--composition', dshComposition)
    expect(code).toBe(1)
    expect(out).toContain('ok   linked')
    expect(out).toMatch(/FAIL text-turn .*\n.*input\.json is missing/)
    expect(out).toMatch(/FAIL never-made .*\n.*can't be read/)
    expect(out).toContain('2 of 4 scenarios equal')
  })

  it('says which suite.json is wrong', async () => {
    const folder = changedCopy('todo-list')
    writeFileSync(path.join(folder, 'suite.json'), '{')
    const { code, out, error } = await call('run', folder)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(error).toContain(`${folder}/suite.json:1:`)
  })

  it.each(oddFiles)('does not read %s in place of suite.json or the composition', async (kind, make) => {
    const folder = changedCopy('todo-list')
    const odd = path.join(folder, 'odd.yml')
    make(odd)
    const given = await call('run', folder, '--composition', odd)
    expect(given.out).toContain(`${odd}: this, the composition, is not a file, but ${kind}.`)
    writeFileSync(path.join(folder, 'suite.json'), '{ "composition": "odd.yml", "scenarios": {} }')
    expect((await call('run', folder)).out).toContain(
      `${odd}: this, the composition, is not a file, but ${kind}.`,
    )
    rmSync(path.join(folder, 'suite.json'))
    make(path.join(folder, 'suite.json'))
    const { code, out, error } = await call('run', folder)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(error).toContain(`a suite.json is a file, but this is ${kind}.`)
  })

  it('prints one JSON document with --json', async () => {
    const folder = changedCopy('text-turn', 'todo-list')
    writeFileSync(path.join(folder, 'todo-list', 'input.json'), '{')
    const { code, out } = await call(
      'run',
      folder,
      scenario('todo-list'),
      '--json',
      '--composition',
      dshComposition,
    )
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      equal: false,
      scenarios: [
        {
          scenario: 'text-turn',
          result: 'different',
          differences: [{ surface: 'stdout', actual: 'Reykjavik' }],
        },
        { scenario: 'todo-list', result: 'failed', error: { code: 'SCENARIO_INVALID' } },
        { scenario: 'todo-list', result: 'equal', differences: [] },
      ],
    })
    expect(out).not.toContain('"report"')
  })

  it.each([
    [[], 'no command'],
    [['dance'], 'unknown command "dance"'],
    [['run'], 'at least one scenario folder'],
    [['run', '--bogus'], '--bogus'],
    [['run', bundledScenarios, '--drift', 'off'], '--drift is "off"; it can be error or report'],
    [['run', bundledScenarios, '--drift'], '--drift'],
    [['run', 'no/such/folder'], 'no/such/folder: there is no such folder'],
    [['run', bundledScenarios, '--composition', 'no/such.yml'], '--composition names "no/such.yml"'],
    [['run', path.dirname(dshComposition)], 'no scenario here or below'],
  ])('refuses %j with code 2', async (argv, message) => {
    const { code, out, error } = await call(...argv)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(error).toContain(message)
  })

  it('prints its version with --version', async () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string
    }
    expect(await call('--version')).toMatchObject({ code: 0, out: version })
  })

  it('stops when it is interrupted', async () => {
    const error: string[] = []
    const code = await main(['run', bundledScenarios], {
      out: () => undefined,
      error: line => void error.push(line),
      color: false,
      signal: AbortSignal.abort(),
    })
    expect(code).toBe(130)
    expect(error).toEqual(['acp-snapshot: interrupted'])
  })

  it('prints its usage with --help', async () => {
    const { code, out } = await call('--help')
    expect(code).toBe(0)
    expect(out).toContain('Usage: acp-snapshot run')
  })
})
