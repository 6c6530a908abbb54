import {
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { zstdCompressSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { inspectScenario } from '../../src/inspect/index.ts'
import { parseSessionLog, type JsonObject } from '../../src/session-log/index.ts'
import { oddFiles } from '../support/odd-file.ts'
import { bundledScenarios } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { problemOf } from '../support/thrown.ts'
import { call, cutCall, logText, turnOf } from './logs.ts'

const names = readdirSync(bundledScenarios, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)

const bundled = (name: string): string => path.join(bundledScenarios, name)

/** A copy of a bundled scenario, in a folder of that name, to be broken. */
function copyOf(name: string, suite?: unknown): string {
  const folder = path.join(tempFolder(), name)
  cpSync(bundled(name), folder, { recursive: true })
  if (suite !== undefined) writeFileSync(path.join(folder, '../suite.json'), JSON.stringify(suite))
  return folder
}

const steps = { steps: [{ op: 'initialize' }, { op: 'newSession' }, { op: 'prompt', text: 'Hi' }] }

/** A scenario with this primary log. */
function withLog(log: string, more: Readonly<Record<string, string>> = {}): string {
  return tempFolder({
    'input.json': JSON.stringify(steps),
    'session.jsonl': log,
    'stdout.expected.jsonl': '{"jsonrpc":"2.0","id":1,"result":{}}\n',
    ...more,
  })
}

describe.each(names)('the bundled scenario %s', name => {
  it('tells what its logs hold', async () => {
    const scenario = await inspectScenario(bundled(name))
    expect(scenario).toMatchObject({ name, folder: bundled(name), problems: [] })
    const logs = readdirSync(bundled(name)).filter(file => /^session.*\.jsonl$/.test(file))
    expect(scenario.sessions.map(({ file }) => file).sort()).toEqual(logs.sort())
    for (const session of scenario.sessions) {
      const text = readFileSync(path.join(bundled(name), session.file), 'utf8')
      const { header, events } = parseSessionLog(text, session.file)
      const own = events.slice(header.seedLength ?? 0)
      const count = (type: string): number => own.filter(event => event.type === type).length
      const chunks = own.map(({ data }) => (data.chunk ?? {}) as JsonObject)
      const streams = chunks.filter(({ type }) => type === 'finish').length
      const marked = own.filter(({ data }) => data.llmStreamCall === true)
      const cut = session.modelCalls.filter(({ unterminated }) => unterminated).length
      expect(session).toMatchObject({ id: header.id, partial: false, events: own.length })
      expect(session.rows).toBe(text.trimEnd().split('\n').length - 1)
      expect(session.turns).toHaveLength(count('turn/start'))
      expect(session.steps).toHaveLength(count('step/start'))
      expect(session.toolCalls).toHaveLength(count('tool/call'))
      expect(session.toolCalls.filter(({ result }) => result !== undefined)).toHaveLength(
        count('tool/result'),
      )
      expect(session.modelCalls).toHaveLength(streams + marked.length + cut)
      const usages = [
        ...chunks.filter(({ type }) => type === 'usage').map(({ usage }) => usage),
        ...marked.map(({ data }) => data.usage),
      ] as { inputTokens: number; outputTokens: number }[]
      const sum = (key: 'inputTokens' | 'outputTokens'): number =>
        usages.reduce((total, usage) => total + usage[key], 0)
      expect(session.usage).toMatchObject({
        inputTokens: sum('inputTokens'),
        outputTokens: sum('outputTokens'),
      })
    }
  })

  it('is plain data', async () => {
    const scenario = await inspectScenario(bundled(name))
    expect(JSON.parse(JSON.stringify(scenario))).toEqual(scenario)
  })
})

describe('inspectScenario', () => {
  it('tells who started whom, and leaves out what a fork has inherited', async () => {
    const { sessions, totals } = await inspectScenario(bundled('fork'))
    const [primary, child] = sessions
    expect(primary?.lineage).toEqual({ delegationDepth: 0 })
    expect(child?.lineage).toEqual({
      parent: 'session.jsonl',
      parentId: primary?.id,
      label: 'Reverse the password',
      delegationDepth: 1,
      origin: 'subagent',
      seedLength: 18,
    })
    expect(child?.turns.map(({ turn }) => turn)).toEqual([2])
    expect(child?.modelCalls.map(({ text, reasoning }) => [text, reasoning])).toEqual([
      ['noreh', 'Heron, from its end.'],
    ])
    expect(totals).toMatchObject({ sessions: 2, turns: 3, modelCalls: 4, toolCalls: 1, errors: 0 })
  })

  it('tells of tool calls, compactions, and what failed', async () => {
    const bash = await inspectScenario(bundled('bash-turn'))
    expect(bash.sessions[0]?.toolCalls).toMatchObject([
      { name: 'bash', turn: 1, step: 1, result: { isError: false } },
    ])
    const { sessions, flags, totals, settings } = await inspectScenario(bundled('overflow-recovery'))
    expect(sessions[0]?.compactions).toMatchObject([
      { kind: 'summary', ended: true, turn: 2, shadowedMessages: 3 },
    ])
    expect(sessions[0]?.errors).toMatchObject([
      { kind: 'finish', code: 'CONTEXT_WINDOW_EXCEEDED', turn: 2, step: 1 },
    ])
    expect(sessions[0]?.override).toEqual({ file: 'replay.override.json', kind: 'patch', entries: 1 })
    expect(flags).toMatchObject({ overridden: true, recorded: true, workspace: false })
    expect(totals).toMatchObject({ compactions: 1, errors: 1 })
    expect(settings).toMatchObject({ overridden: true, composition: '../compositions/dsh/cordis.yml' })
    const failed = await inspectScenario(bundled('provider-error'))
    expect(failed.sessions[0]?.turns[0]?.end).toMatchObject({ reason: 'error', error: { code: 'QUOTA' } })
  })

  it('tells of a tool that failed', async () => {
    const result = (isError: boolean): JsonObject => ({
      turn: 1,
      step: 1,
      message: {
        source: { kind: 'tool', callId: 'c1' },
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            content: [{ type: 'text', text: 'no such file' }],
            isError,
          },
        ],
      },
      error: { name: 'ToolError', code: 'NOT_FOUND' },
    })
    const rows = turnOf(1, [
      ['tool/call', { turn: 1, step: 1, callId: 'c1', name: 'read', arguments: '{}' }],
      ['tool/result', result(true), 'append'],
    ])
    const { sessions } = await inspectScenario(withLog(logText(rows)))
    expect(sessions[0]?.toolCalls).toMatchObject([{ seq: 2, line: 4, name: 'read', arguments: '{}' }])
    expect(sessions[0]?.errors).toEqual([
      { kind: 'tool', seq: 3, line: 5, turn: 1, step: 1, message: 'read: no such file', code: 'NOT_FOUND' },
    ])
    const [, , , row] = rows
    if (row === undefined) throw new Error('no result')
    const uncoded = { ...result(true), error: {} }
    const log = logText(rows.with(3, ['tool/result', uncoded, 'append']))
    expect((await inspectScenario(withLog(log))).sessions[0]?.errors[0]).not.toHaveProperty('code')
  })

  it('lists every file with its size, those of the workspace too', async () => {
    const folder = withLog(logText([]), {
      'workspace/a/b.txt': 'four',
      'workspace/c.txt': '',
      'system-prompt.expected.md': 'Be brief.',
      'facts.json': '{ "modelCalls": 0 }',
      'notes.txt': 'mine',
      'more/notes.txt': 'mine too',
    })
    symlinkSync('c.txt', path.join(folder, 'workspace/link'))
    symlinkSync('nowhere', path.join(folder, 'workspace/dangling'))
    const { files, flags } = await inspectScenario(folder)
    expect(files).toEqual([
      { name: 'facts.json', size: 19 },
      { name: 'input.json', size: JSON.stringify(steps).length },
      { name: 'notes.txt', size: 4 },
      { name: 'session.jsonl', size: logText([]).length },
      { name: 'stdout.expected.jsonl', size: 37 },
      { name: 'system-prompt.expected.md', size: 9 },
      { name: 'workspace/a/b.txt', size: 4 },
      { name: 'workspace/c.txt', size: 0 },
      { name: 'workspace/dangling', size: 0 },
      { name: 'workspace/link', size: 0 },
    ])
    expect(flags).toEqual({
      overridden: false,
      recorded: true,
      workspace: true,
      facts: true,
      compressed: false,
      pinned: true,
    })
  })

  it('reads compressed logs', async () => {
    const folder = copyOf('text-turn')
    const log = path.join(folder, 'session.jsonl')
    writeFileSync(`${log}.zst`, zstdCompressSync(readFileSync(log)))
    rmSync(log)
    const { sessions, flags, problems } = await inspectScenario(folder)
    expect(sessions).toMatchObject([{ name: 'session.jsonl', file: 'session.jsonl.zst', partial: false }])
    expect(flags.compressed).toBe(true)
    expect(problems).toEqual([])
  })

  it('heeds what suite.json says', async () => {
    const pin = { prompt: true, tools: true }
    const suite = { scenarios: { 'text-turn': { headerClass: 'small', pin, recorded: false } } }
    const scenario = await inspectScenario(copyOf('text-turn', suite))
    expect(scenario).toMatchObject({ headerClass: 'small', pin, flags: { recorded: false }, problems: [] })
    expect(await inspectScenario(copyOf('text-turn'))).toMatchObject({ headerClass: 'default' })
    expect((await inspectScenario(withLog(logText([], { id: '{{sessionId}}' })))).flags.recorded).toBe(false)
  })

  it.each([
    [true, 'missing', 'text-turn'],
    [false, 'there', 'provider-error'],
  ])(
    'has a problem with an override that suite.json knows otherwise (%j)',
    async (overridden, what, name) => {
      const folder = copyOf(name, { scenarios: { [name]: { overridden } } })
      const { problems } = await inspectScenario(folder)
      expect(problems).toMatchObject([{ file: folder }])
      expect(problems[0]?.message).toContain(
        `replay.override.json is ${what}, but ${path.dirname(folder)}/suite.json says`,
      )
    },
  )

  it('has a problem with a suite.json that is wrong, and reads the rest', async () => {
    const folder = copyOf('text-turn')
    const suite = path.join(folder, '../suite.json')
    writeFileSync(suite, '{')
    const { problems, sessions } = await inspectScenario(folder)
    expect(problems).toMatchObject([{ file: path.resolve(suite), line: 1, column: 2 }])
    expect(sessions).toHaveLength(1)
  })

  it('gives what comes before a line of a log that is wrong', async () => {
    const text = logText([...turnOf(1, call(1, 1, ['a'])), ...turnOf(2, cutCall(2, 1, 'b'))])
    const broken = text.split('\n').with(15, '{"type":').join('\n')
    const folder = withLog(broken)
    const { sessions, problems, totals } = await inspectScenario(folder)
    expect(problems).toMatchObject([{ file: path.join(folder, 'session.jsonl'), line: 16 }])
    expect(problems[0]?.message).toContain('not JSON')
    expect(sessions).toMatchObject([{ partial: true, events: 14 }])
    expect(totals).toMatchObject({ turns: 2, modelCalls: 2 })
  })

  it.each([
    ['', 'the log is empty'],
    ['\n\n', 'the log is empty'],
    ['{"type":"session"}\n', "the header's version"],
    ['\n{"type":"session"}\n', "the header's version"],
    ['\uFFFD\u0000', 'not JSON'],
  ])('leaves out a log without a header (%j)', async (text, message) => {
    const { sessions, problems, flags } = await inspectScenario(withLog(text))
    expect(sessions).toEqual([])
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain(message)
    expect(flags.recorded).toBe(false)
  })

  it('leaves out a log that is no text, and one that is cut off where it is compressed', async () => {
    const folder = withLog(logText([]))
    writeFileSync(path.join(folder, 'session.jsonl'), Buffer.from([0xff, 0xfe, 0x00]))
    writeFileSync(path.join(folder, 'session.1.jsonl.zst'), zstdCompressSync(logText([])).subarray(0, 20))
    const { sessions, problems } = await inspectScenario(folder)
    expect(sessions).toEqual([])
    expect(problems.map(({ file }) => path.basename(file))).toEqual(['session.1.jsonl.zst', 'session.jsonl'])
  })

  it('has a problem with every file that is wrong or missing', async () => {
    const folder = copyOf('subagents-in-parallel')
    const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text)
    write('input.json', '{ "steps": [{ "op": "dance" }, { "op": "sing" }] }')
    write('stdout.expected.jsonl', '{}\nhello\n')
    write('facts.json', '{ "modelCalls": "many" }')
    write('replay.override.1.json', '[{ "kind": "shrug" }]')
    write('sesion.jsonl', '')
    write('session-3.jsonl', '')
    renameSync(path.join(folder, 'session.2.jsonl'), path.join(folder, 'session.4.jsonl'))
    const { problems, sessions, steps } = await inspectScenario(folder)
    const seen = problems.map(({ file, line }) => [path.relative(folder, file), line])
    expect(seen).toEqual(
      expect.arrayContaining([
        ['', undefined],
        ['facts.json', 1],
        ['input.json', 1],
        ['replay.override.1.json', undefined],
        ['stdout.expected.jsonl', 2],
      ]),
    )
    const messages = problems.map(({ message }) => message).join('\n')
    expect(messages).toContain('session.2.jsonl is missing')
    expect(messages).toContain('session-3.jsonl is no file of a scenario')
    expect(messages).toContain('"dance"')
    expect(messages).toContain('"sing"')
    expect(steps).toEqual([])
    expect(sessions.map(({ name, override }) => [name, override])).toEqual([
      ['session.jsonl', undefined],
      ['session.1.jsonl', undefined],
      ['session.4.jsonl', undefined],
    ])
  })

  it('reads a scenario that has no primary log', async () => {
    const folder = copyOf('subagent-spawn')
    rmSync(path.join(folder, 'session.jsonl'))
    const { sessions, problems } = await inspectScenario(folder)
    expect(sessions).toMatchObject([{ name: 'session.1.jsonl', lineage: { delegationDepth: 1 } }])
    expect(sessions[0]?.lineage).not.toHaveProperty('parent')
    expect(problems).toMatchObject([{ file: folder }])
  })

  it('takes no session for its own parent', async () => {
    const header = { id: '{{sessionId}}', parentSession: '{{sessionId}}' }
    const folder = withLog(logText([], header), {
      'session.1.jsonl': logText([], { ...header, delegationDepth: 1 }),
    })
    const { sessions } = await inspectScenario(folder)
    expect(sessions.map(({ lineage }) => lineage.parent)).toEqual(['session.1.jsonl', 'session.jsonl'])
  })

  it('says which file is too large to be read', async () => {
    const folder = copyOf('text-turn')
    for (const name of ['input.json', 'session.jsonl']) truncateSync(path.join(folder, name), 3 * 2 ** 30)
    const { problems, sessions, files } = await inspectScenario(folder)
    expect(sessions).toEqual([])
    expect(problems.map(({ file }) => path.basename(file))).toEqual(['input.json', 'session.jsonl'])
    expect(problems[0]?.message).toContain("this file can't be read: RangeError")
    expect(files).toContainEqual({ name: 'input.json', size: 3 * 2 ** 30 })
  })

  it.each(oddFiles)('does not read %s in the place of a file', async (kind, make) => {
    const folder = copyOf('text-turn')
    for (const name of ['session.jsonl', 'facts.json', 'suite-notes', '../suite.json']) {
      rmSync(path.join(folder, name), { force: true })
      make(path.join(folder, name))
    }
    const { problems, sessions } = await inspectScenario(folder)
    const messages = problems.map(({ message }) => message).join('\n')
    expect(sessions).toEqual([])
    expect(messages).toContain('session.jsonl is missing')
    expect(messages).toContain(`a suite.json is a file, but this is ${kind}`)
  })

  it('names pipes and links that lead nowhere', async () => {
    const [, makePipe] = oddFiles[0] ?? []
    const folder = withLog(logText([]), { 'workspace/a.txt': '' })
    makePipe?.(path.join(folder, 'session.1.jsonl'))
    makePipe?.(path.join(folder, 'workspace/pipe'))
    symlinkSync('nowhere', path.join(folder, 'session.2.jsonl'))
    symlinkSync('workspace', path.join(folder, 'linked'))
    const { problems, files } = await inspectScenario(folder)
    expect(
      problems.map(({ file, message }) => [
        path.relative(folder, file),
        /^this is (.*?), where/.exec(message)?.[1],
      ]),
    ).toEqual([
      ['session.1.jsonl', 'a pipe'],
      ['session.2.jsonl', 'a link that leads nowhere'],
      ['workspace/pipe', 'a pipe'],
    ])
    expect(files.map(({ name }) => name)).not.toContain('workspace/pipe')
  })

  it('refuses a folder that is none, or that holds no scenario', async () => {
    const folder = tempFolder({ 'notes.txt': '' })
    for (const wrong of [path.join(folder, 'none'), path.join(folder, 'notes.txt'), folder]) {
      const { code, message } = await problemOf(() => inspectScenario(wrong))
      expect(code).toBe('USAGE')
      expect(message.startsWith(`${wrong}: `)).toBe(true)
    }
  })
})
