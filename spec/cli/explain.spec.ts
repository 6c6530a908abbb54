import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { callCli } from '../support/call-cli.ts'
import { bundledScenarios, dshComposition } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

const call = (...argv: string[]): ReturnType<typeof callCli> => callCli(argv)

const scenario = path.join(bundledScenarios, 'read-and-edit')

describe('acp-snapshot run --explain', () => {
  it('says below each scenario which rule changed what', async () => {
    const { code, out } = await call('run', scenario, '--explain')
    expect(code).toBe(0)
    expect(out).toMatch(/^ {5}normalised by$/m)
    expect(out).toMatch(/^ {7}frame-id {2}3 changes, the first in stdout frame 1 id: 0 became 1$/m)
    expect(out).toMatch(/^ {7}header-identity {2}2 changes, the first in session\.jsonl header id: /m)
    expect(out).toMatch(
      /^ {7}request-header {2}2 changes, the first in session\.jsonl event 7 data\.header\.system: /m,
    )
  })

  it('counts one as one', async () => {
    const { out } = await call('run', path.join(bundledScenarios, 'bash-turn'), '--explain')
    expect(out).toMatch(
      /^ {7}cwd {2}1 change, the first in session\.jsonl header cwd: .* became "\{\{cwd\}\}"$/m,
    )
  })

  it('gives all of it as JSON', async () => {
    const { out } = await call('run', scenario, '--explain', '--json')
    const { scenarios } = JSON.parse(out) as { scenarios: [{ pinned: boolean; normalized: object[] }] }
    expect(scenarios[0].pinned).toBe(true)
    expect(scenarios[0].normalized).toContainEqual(
      expect.objectContaining({
        rule: 'cwd',
        surface: 'session.jsonl',
        index: -1,
        path: 'cwd',
        after: '{{cwd}}',
      }),
    )
  })
})

describe('acp-snapshot run --rules', () => {
  const withRules = async (text: string) => {
    const file = path.join(tempFolder(), 'rules.mjs')
    writeFileSync(file, text)
    return await call('run', scenario, '--explain', '--rules', file)
  }
  const rule =
    "{ name: 'greeting', why: 'It varies.', text: () => text => text.replace('welcome', '{{greeting}}') }"

  it.each([`export const rules = [${rule}]`, `export default [${rule}]`])(
    'applies those of %s',
    async text => {
      const { code, out } = await withRules(text)
      expect(code).toBe(0)
      expect(out).toContain('greeting')
      expect(out).toMatch(/greeting {2}\d+ changes/)
    },
  )

  it('refuses a module that has none, or can not be imported', async () => {
    expect(await withRules('export const rule = 1')).toMatchObject({
      code: 2,
      error: expect.stringContaining('exports no list of rules') as string,
    })
    expect(await withRules('export default [')).toMatchObject({
      code: 2,
      error: expect.stringContaining("can't be imported") as string,
    })
  })

  it('refuses rules that are none', async () => {
    const { code, out } = await withRules("export default [{ name: 'A b', why: 'x' }]")
    expect(code).toBe(1)
    expect(out).toContain('rules.0.name')
  })
})

describe('acp-snapshot run --max-lines', () => {
  it('bounds the report of a scenario', async () => {
    const folder = path.join(tempFolder(), 'text-turn')
    cpSync(path.join(bundledScenarios, 'text-turn'), folder, { recursive: true })
    writeFileSync(path.join(folder, 'stdout.expected.jsonl'), '{}\n')
    const report = async (...more: string[]): Promise<string[]> => {
      const { out } = await call('run', folder, '--composition', dshComposition, ...more)
      return out.split('\n').filter(line => line.startsWith('     '))
    }
    expect(await report('--max-lines', '3')).toHaveLength(3)
    expect((await report()).length).toBeGreaterThan(3)
  })

  it.each(['0', '-1', 'many', '1.5'])('is no %s', async lines => {
    expect(await call('run', scenario, `--max-lines=${lines}`)).toMatchObject({ code: 2 })
  })
})

describe('acp-snapshot run, at its end,', () => {
  it('says that --composition was not used where suite.json names one', async () => {
    const other = path.join(path.dirname(dshComposition), '../dsh-titled/cordis.yml')
    const { out } = await call('run', scenario, '--composition', other)
    expect(out).toMatch(/^--composition was not used in 1 scenario: suite\.json names one$/m)
    expect((await call('run', scenario, '--composition', dshComposition)).out).not.toContain('not used')
  })

  it('says where request headers are not pinned', async () => {
    const folder = tempFolder()
    for (const name of ['one', 'two']) cpSync(scenario, path.join(folder, name), { recursive: true })
    const { code, out } = await call('run', folder, '--composition', dshComposition)
    expect(code).toBe(0)
    expect(out).toMatch(/^request headers are not pinned in 2 scenarios: prompt and tools were not compared/m)
  })
})
