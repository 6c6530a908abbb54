import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { main } from '../../src/cli/main.ts'
import { compareRun, normalizationRules, runScenario } from '../../src/index.ts'
import { STEP_OPS } from '../../src/scenario/step-schema.ts'
import { bundledScenarios, root } from '../support/paths.ts'

const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(match => match[1] ?? '')

describe('the README', () => {
  it('shows no code that does not run here as a test', () => {
    const examples = readdirSync(import.meta.dirname)
      .filter(name => name !== path.basename(import.meta.filename))
      .map(name => readFileSync(path.join(import.meta.dirname, name), 'utf8'))
    expect(blocks('ts').toSorted()).toEqual(examples.toSorted())
  })

  it('shows a report as it is', async () => {
    const run = await runScenario({ scenario: path.join(bundledScenarios, 'text-turn') })
    const expectedStdout = run.scenario.expectedStdout?.replace('Reykjavik', 'Oslo') ?? ''
    const changed = { ...run, scenario: { ...run.scenario, expectedStdout } }
    expect(blocks('text')).toEqual([compareRun(changed).report() + '\n'])
  })

  it('shows commands that work', async () => {
    const commands = blocks('sh')
      .flatMap(block => block.split('\n'))
      .map(line => line.replace(/#.*/, '').trim())
      .filter(line => line.startsWith('npx acp-snapshot ') && !line.includes('path/to/'))
    expect(commands.length).toBeGreaterThan(1)
    for (const command of commands) {
      const lines: string[] = []
      const print = (line: string): void => void lines.push(line)
      expect(
        await main(command.split(' ').slice(2), { out: print, error: print, color: false }),
        lines.join('\n'),
      ).toBe(0)
    }
  })

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: object
    }
    const named = [...readme.matchAll(/(?<!p)npm (?:run )?([\w:]+)/g)].map(match => match[1] ?? '')
    const own = named.filter(name => !['ci', 'install', 'brings'].includes(name))
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(own))
  })

  it('names every rule of the normalisation', () => {
    for (const { name } of normalizationRules) expect(readme).toContain(`\`${name}\``)
  })

  it('names every step', () => {
    for (const op of STEP_OPS) expect(readme).toContain(`\`${op}\``)
  })
})
