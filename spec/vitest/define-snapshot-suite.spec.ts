import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { bundledScenarios, dshComposition } from '../support/paths.ts'
import { projectWith, runProject, type TestOutcome } from './run-project.ts'

const suite = (more = ''): string => `
  import { defineSnapshotSuite } from 'acp-snapshot/vitest'
  defineSnapshotSuite({
    scenarios: new URL('./scenarios', import.meta.url),
    composition: ${JSON.stringify(dshComposition)},
    ${more}
  })`

const statuses = (outcomes: readonly TestOutcome[]) =>
  Object.fromEntries(outcomes.map(({ name, status }) => [name, status]))

const messageOf = (outcomes: readonly TestOutcome[], name: string): string =>
  outcomes.find(outcome => outcome.name === name)?.message ?? expect.fail(`there is no test ${name}`)

/** The text of a project's file, and how to change it. */
function fileOf(folder: string, name: string) {
  const file = path.join(folder, 'scenarios', name)
  return {
    text: () => readFileSync(file, 'utf8'),
    replace: (from: string, to: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to)),
    remove: () => rmSync(file),
  }
}

describe('a suite', () => {
  it('has a test for each scenario, one for their files, and fails with the report', async () => {
    const folder = projectWith(suite(), ['text-turn', 'todo-list', 'handshake'])
    fileOf(folder, 'text-turn/stdout.expected.jsonl').replace('Reykjavik', 'Oslo')
    fileOf(folder, 'todo-list/session.jsonl').replace('{', ' {')
    const outcomes = await runProject(folder)
    expect(statuses(outcomes)).toEqual({
      fixtures: 'failed',
      handshake: 'passed',
      'text-turn': 'failed',
      'todo-list': 'passed',
    })
    const report = messageOf(outcomes, 'text-turn')
    expect(report).toContain('text-turn differs from its recording')
    expect(report).toContain('params.update.content.text: expected "Oslo", found "Reykjavik"')
    expect(messageOf(outcomes, 'fixtures')).toMatch(/todo-list\/session\.jsonl:1: .*\[canonical-log/)
  })

  it('runs the scenarios that the runner’s filter names', async () => {
    const folder = projectWith(suite(), ['text-turn', 'todo-list'])
    const outcomes = await runProject(folder, '-t', 'todo-list')
    expect(statuses(outcomes)).toEqual({ fixtures: 'skipped', 'text-turn': 'skipped', 'todo-list': 'passed' })
  })

  it('registers only those that are named, one after the other, without guards', async () => {
    const folder = projectWith(suite('only: ["todo-list"], guards: false, concurrent: false'), [
      'text-turn',
      'todo-list',
    ])
    expect(statuses(await runProject(folder, '--pool', 'threads', '--no-isolate'))).toEqual({
      'todo-list': 'passed',
    })
  })

  it('is red where there is no scenario', async () => {
    const outcomes = await runProject(projectWith(suite(), []))
    expect(statuses(outcomes)).toEqual({ 'finds its scenarios': 'failed' })
    expect(messageOf(outcomes, 'finds its scenarios')).toContain('there is no such folder')
  })
})

describe('the runner’s update flag', () => {
  it('writes expected output alone, also where there is none, and the next run is green', async () => {
    const folder = projectWith(suite(), ['text-turn', 'todo-list', 'handshake'])
    fileOf(folder, 'text-turn/stdout.expected.jsonl').replace('Reykjavik', 'Oslo')
    fileOf(folder, 'handshake/stdout.expected.jsonl').remove()
    const kept = fileOf(folder, 'todo-list/stdout.expected.jsonl').text()
    expect(statuses(await runProject(folder, '-u'))).toMatchObject({
      handshake: 'passed',
      'text-turn': 'passed',
      'todo-list': 'passed',
    })
    const bundled = readFileSync(path.join(bundledScenarios, 'text-turn/stdout.expected.jsonl'), 'utf8')
    expect(fileOf(folder, 'text-turn/stdout.expected.jsonl').text()).toBe(bundled)
    expect(fileOf(folder, 'todo-list/stdout.expected.jsonl').text()).toBe(kept)
    const again = await runProject(folder)
    expect(again.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed'])
  })

  it('writes nothing where facts are broken, and no log', async () => {
    const folder = projectWith(suite('guards: false'), ['text-turn', 'todo-list'])
    fileOf(folder, 'text-turn/facts.json').replace('Reykjavik', 'Oslo')
    fileOf(folder, 'text-turn/stdout.expected.jsonl').replace('Reykjavik', 'Oslo')
    fileOf(folder, 'todo-list/stdout.expected.jsonl').replace('end_turn', 'start_turn')
    fileOf(folder, 'todo-list/session.jsonl').replace('"kind":"completed"', '"kind":"finished"')
    const log = fileOf(folder, 'todo-list/session.jsonl').text()
    const outcomes = await runProject(folder, '-u')
    expect(statuses(outcomes)).toEqual({ 'text-turn': 'failed', 'todo-list': 'failed' })
    expect(messageOf(outcomes, 'text-turn')).toContain('Nothing was written.')
    expect(fileOf(folder, 'text-turn/stdout.expected.jsonl').text()).toContain('Oslo')
    expect(messageOf(outcomes, 'todo-list')).toMatch(
      /stdout\.expected\.jsonl was written\. .*acp-snapshot refresh/,
    )
    expect(fileOf(folder, 'todo-list/stdout.expected.jsonl').text()).toContain('end_turn')
    expect(fileOf(folder, 'todo-list/session.jsonl').text()).toBe(log)
  })
})
