import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FolderEntry, ScenarioFiles } from '../../src/scenario/index.ts'
import { inventory } from '../../src/scenario/index.ts'

function files(...names: string[]): FolderEntry[] {
  return names.map(name => ({ name, kind: 'file' }))
}

/** Every name that an inventory mentions. */
function mentioned(found: ScenarioFiles): string[] {
  const { input, primaryLog, expectedStdout, workspace, facts } = found
  const single = [input, primaryLog, expectedStdout, workspace, facts].filter(name => name !== undefined)
  const numbered = [found.childLogs, found.overrides, found.systemPrompts, found.toolSchemas]
  return [
    ...single,
    ...numbered.flatMap(names => [...names.values()]),
    ...found.doubledLogs.keys(),
    ...found.unknown,
  ]
}

describe('inventory', () => {
  it('sorts a full folder by role', () => {
    const entries = files(
      'tool-schemas.expected.json',
      'tool-schemas.2.expected.json',
      'system-prompt.expected.md',
      'system-prompt.1.expected.md',
      'stdout.expected.jsonl',
      'session.jsonl',
      ...[10, 2, 1, 3, 4, 5, 6, 7, 8, 9].map(number => `session.${number}.jsonl`),
      'replay.override.json',
      'replay.override.2.json',
      'input.json',
      'facts.json',
    )
    const found = inventory([{ name: 'workspace', kind: 'directory' }, ...entries], 'demo')
    expect(found).toEqual({
      folder: 'demo',
      input: 'input.json',
      primaryLog: 'session.jsonl',
      childLogs: new Map([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(number => [number, `session.${number}.jsonl`])),
      doubledLogs: new Map(),
      childLogGap: undefined,
      overrides: new Map([
        [0, 'replay.override.json'],
        [2, 'replay.override.2.json'],
      ]),
      expectedStdout: 'stdout.expected.jsonl',
      workspace: 'workspace',
      systemPrompts: new Map([
        [0, 'system-prompt.expected.md'],
        [1, 'system-prompt.1.expected.md'],
      ]),
      toolSchemas: new Map([
        [0, 'tool-schemas.expected.json'],
        [2, 'tool-schemas.2.expected.json'],
      ]),
      facts: 'facts.json',
      unknown: [],
    })
    expect([...found.childLogs.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('reports an empty folder without an error', () => {
    expect(mentioned(inventory([], 'demo'))).toEqual([])
  })

  it('takes compressed logs for logs', () => {
    const found = inventory(files('session.jsonl.zstd', 'session.1.jsonl', 'session.2.jsonl.zst'), 'demo')
    expect(found).toMatchObject({ primaryLog: 'session.jsonl.zstd', childLogGap: undefined, unknown: [] })
    expect([...found.childLogs]).toEqual([
      [1, 'session.1.jsonl'],
      [2, 'session.2.jsonl.zst'],
    ])
    expect(found.doubledLogs.size).toBe(0)
  })

  it('sets further logs of one session aside', () => {
    const found = inventory(
      files(
        'session.jsonl.zstd',
        'session.jsonl',
        'session.jsonl.zst',
        'session.1.jsonl.zstd',
        'session.1.jsonl.zst',
      ),
      'demo',
    )
    expect(found).toMatchObject({ primaryLog: 'session.jsonl', unknown: [] })
    expect([...found.childLogs]).toEqual([[1, 'session.1.jsonl.zst']])
    expect([...found.doubledLogs]).toEqual([
      ['session.1.jsonl.zstd', 'session.1.jsonl.zst'],
      ['session.jsonl.zst', 'session.jsonl'],
      ['session.jsonl.zstd', 'session.jsonl'],
    ])
  })

  it.each([
    [['session.2.jsonl'], 1],
    [['session.1.jsonl', 'session.3.jsonl', 'session.5.jsonl'], 2],
    [['session.999999999.jsonl', 'session.1.jsonl'], 2],
    [['session.2.jsonl', 'session.1.jsonl'], undefined],
    [['session.jsonl'], undefined],
  ])('finds the first gap in %j', (names, gap) => {
    expect(inventory(files(...names), 'demo').childLogGap).toBe(gap)
  })

  it.each([
    'session.0.jsonl',
    'session.01.jsonl',
    'session.-1.jsonl',
    'session.1234567890.jsonl',
    'session.1.json',
    'session..jsonl',
    'Session.jsonl',
    'session.jsonl.bak',
    'session.jsonl.gz',
    'session.zst',
    'input.json.zst',
    'input.1.json',
    'facts.1.json',
    'replay.override.x.json',
    'notes.txt',
    'constructor',
  ])('takes %s for unknown', name => {
    expect(inventory(files(name, 'input.json'), 'demo').unknown).toEqual([name])
  })

  it('takes an entry of the wrong kind for unknown', () => {
    const found = inventory(
      [
        { name: 'workspace', kind: 'file' },
        { name: 'session.jsonl', kind: 'directory' },
        { name: 'session.1.jsonl', kind: 'directory' },
        { name: 'input.json', kind: 'directory' },
      ],
      'demo',
    )
    expect(found.unknown).toEqual(['input.json', 'session.1.jsonl', 'session.jsonl', 'workspace'])
    expect(found.childLogs.size).toBe(0)
  })

  it('mentions every entry once, in whatever order they come', () => {
    const stem = fc.constantFrom(
      'input',
      'session',
      'replay.override',
      'system-prompt',
      'tool-schemas',
      'facts',
      'workspace',
    )
    const name = fc
      .tuple(
        stem,
        fc.constantFrom('', '.1', '.2', '.12', '.0'),
        fc.constantFrom('', '.json', '.jsonl', '.jsonl.zst', '.jsonl.zstd', '.expected.md', '.expected.json'),
      )
      .map(parts => parts.join(''))
    const entry = fc.record({ name, kind: fc.constantFrom('file' as const, 'directory' as const) })
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ({ name }) => name }), fc.nat(), (entries, turn) => {
        const found = inventory(entries, 'demo')
        expect(mentioned(found).sort()).toEqual(entries.map(({ name }) => name).sort())
        const at = turn % (entries.length + 1)
        expect(inventory([...entries.slice(at), ...entries.slice(0, at)], 'demo')).toEqual(found)
      }),
    )
  })
})
