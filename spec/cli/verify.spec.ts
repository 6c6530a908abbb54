import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { callCli } from '../support/call-cli.ts'
import { bundledScenarios } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** A folder with copies of bundled scenarios, without their suite. */
function copyOf(...names: string[]): string {
  const folder = tempFolder()
  for (const name of names)
    cpSync(path.join(bundledScenarios, name), path.join(folder, name), { recursive: true })
  return folder
}

describe('acp-snapshot verify', () => {
  it('finds nothing wrong with the bundled scenarios', async () => {
    expect(await callCli(['verify', bundledScenarios])).toEqual({
      code: 0,
      out: expect.stringMatching(/^\d\d scenarios, no problems$/) as string,
      error: '',
    })
    const { code, out } = await callCli(['verify', path.join(bundledScenarios, 'text-turn')])
    expect({ code, out }).toEqual({ code: 0, out: '1 scenario, no problems' })
  })

  it('prints a line for a problem, and a summary', async () => {
    const folder = copyOf('text-turn', 'todo-list')
    writeFileSync(path.join(folder, 'todo-list', 'notes.txt'), 'x')
    const stdout = path.join(folder, 'todo-list', 'stdout.expected.jsonl')
    appendFileSync(stdout, '\n')
    const { code, out } = await callCli(['verify', folder])
    expect(code).toBe(1)
    const [notes, blank, ...rest] = out.split('\n')
    expect(notes).toMatch(/notes\.txt: this is no file of a scenario, .*\. \[unknown-files\]$/)
    expect(blank?.startsWith(`${stdout}:`)).toBe(true)
    expect(blank).toMatch(/:\d+: the line is blank; .* \[expected-stdout\]$/)
    expect(rest).toEqual(['2 problems in 1 of 2 scenarios'])
  })

  it('prints one document with --json', async () => {
    const folder = copyOf('text-turn')
    expect(JSON.parse((await callCli(['verify', folder, '--json'])).out)).toEqual({
      ok: true,
      scenarios: 1,
      problems: [],
    })
    rmSync(path.join(folder, 'text-turn', 'stdout.expected.jsonl'))
    const { code, out } = await callCli(['verify', folder, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toEqual({
      ok: false,
      scenarios: 1,
      problems: [
        {
          guard: 'required-files',
          file: path.join(folder, 'text-turn', 'stdout.expected.jsonl'),
          message: expect.stringContaining('stdout.expected.jsonl is missing') as string,
        },
      ],
    })
  })

  it('takes several folders, and lists what they share once', async () => {
    const folder = copyOf('text-turn', 'todo-list')
    const log = path.join(folder, 'text-turn', 'session.jsonl')
    appendFileSync(
      log,
      '{"type":"request/header","data":{"header":{"system":1,"tools":[]},"reason":"resume"}}\n',
    )
    const { code, out } = await callCli([
      'verify',
      folder,
      path.join(folder, 'text-turn'),
      path.join(folder, 'todo-list'),
    ])
    expect(code).toBe(1)
    expect(out.match(/\[header-tokens\]/g)).toHaveLength(2)
    expect(out).toContain('2 problems in 1 of 2 scenarios')
  })

  it('counts what is wrong with a suite beside its scenarios', async () => {
    const folder = copyOf('todo-list')
    writeFileSync(path.join(folder, 'suite.json'), '{ "scenarios": { "todo-list": {}, "gone": {} } }')
    const { code, out } = await callCli(['verify', folder])
    expect(code).toBe(1)
    expect(out).toMatch(/suite\.json:1: .* \[declared-scenarios\]\n1 problem beside 2 scenarios$/)
  })

  it.each([
    [['verify'], 'verify needs at least one scenario folder'],
    [['verify', '/no/such/folder'], 'there is no such folder'],
    [['verify', bundledScenarios, '--drift', 'report'], 'verify has no option --drift'],
  ])('is used wrongly with %j', async (argv, message) => {
    const { code, out, error } = await callCli(argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(error).toContain(message)
  })

  it('ends when it is interrupted', async () => {
    const { code, out, error } = await callCli(['verify', bundledScenarios], AbortSignal.abort())
    expect({ code, out, error }).toEqual({ code: 130, out: '', error: 'acp-snapshot: interrupted' })
  })

  it('prints no name as the terminal would obey it', async () => {
    const folder = copyOf('todo-list')
    writeFileSync(path.join(folder, 'todo-list', '\u001b[31mred\n'), '')
    for (const options of [[], ['--json']]) {
      const { code, out } = await callCli(['verify', folder, ...options])
      expect(code).toBe(1)
      expect(out).toContain('\\u001b[31mred')
      expect(out).not.toContain('\u001b')
    }
  })
})
