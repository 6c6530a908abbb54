import { describe, expect, it } from 'vitest'
import {
  inventory,
  requireRecordable,
  requireRefreshable,
  requireReplayable,
} from '../../src/scenario/index.ts'
import { thrown } from '../support/thrown.ts'

function folder(...names: string[]) {
  return inventory(
    names.map(name => ({ name, kind: name.includes('.') ? 'file' : 'directory' })),
    'scenarios/demo',
  )
}

const INPUT =
  'scenarios/demo: input.json is missing. It holds the steps that the client takes. Write it, for example '
const LOG =
  'scenarios/demo: session.jsonl is missing. It holds the recorded log of the primary session, which the model calls ' +
  'are replayed from. Record the scenario: acp-snapshot record.'
const STDOUT =
  'scenarios/demo: stdout.expected.jsonl is missing. It holds what the agent is expected to write. ' +
  'Write it from its recording: acp-snapshot refresh (or record, where there is none).'

describe('requireReplayable', () => {
  it('gives back a whole scenario', () => {
    const files = folder(
      'input.json',
      'session.jsonl',
      'session.1.jsonl',
      'stdout.expected.jsonl',
      'replay.override.1.json',
    )
    expect(requireReplayable(files)).toEqual(files)
  })

  it('names each missing file, its folder, its purpose and what to do', () => {
    const error = thrown(() => requireReplayable(folder('workspace')))
    expect(error.code).toBe('SCENARIO_INVALID')
    const [input, ...others] = error.message.split('\n')
    expect(input).toContain(INPUT)
    expect(others).toEqual([LOG, STDOUT])
    expect(error.details).toEqual({
      folder: 'scenarios/demo',
      missing: ['input.json', 'session.jsonl', 'stdout.expected.jsonl'],
    })
  })

  it.each([
    ['session.jsonl', LOG],
    ['stdout.expected.jsonl', STDOUT],
  ])('names %s alone where that is all that is missing', (name, message) => {
    const whole = ['input.json', 'session.jsonl', 'stdout.expected.jsonl']
    expect(thrown(() => requireReplayable(folder(...whole.filter(other => other !== name)))).message).toBe(
      message,
    )
  })

  it('says so where a directory has the name of a missing file', () => {
    const entries = ['input.json', 'session.jsonl', 'stdout.expected.jsonl'].map(
      name => ({ name, kind: name === 'session.jsonl' ? 'directory' : 'file' }) as const,
    )
    expect(thrown(() => requireReplayable(inventory(entries, 'demo'))).message).toContain(
      'demo: session.jsonl is missing (what has that name is a directory). It holds',
    )
  })

  it('names a gap in the child logs', () => {
    const files = folder(
      'input.json',
      'session.jsonl',
      'stdout.expected.jsonl',
      'session.1.jsonl',
      'session.3.jsonl',
    )
    expect(thrown(() => requireReplayable(files)).message).toBe(
      'scenarios/demo: session.2.jsonl is missing, though there is session.1.jsonl, session.3.jsonl. ' +
        'Child logs are numbered from 1 without a gap. Renumber them, or record the scenario anew.',
    )
  })

  it('names two logs of one session', () => {
    const files = folder(
      ...[
        'input.json',
        'session.jsonl',
        'session.jsonl.zstd',
        'session.1.jsonl.zst',
        'stdout.expected.jsonl',
      ],
    )
    expect(thrown(() => requireReplayable(files)).message).toBe(
      'scenarios/demo: session.jsonl and session.jsonl.zstd are both the log of one session. ' +
        'Keep the one that holds the recording, and remove the other.',
    )
  })

  it('names an override without its log', () => {
    const files = folder(
      ...['input.json', 'session.jsonl', 'session.1.jsonl', 'stdout.expected.jsonl'],
      ...['replay.override.json', 'replay.override.1.json', 'replay.override.2.json'],
    )
    expect(thrown(() => requireReplayable(files)).message).toBe(
      'scenarios/demo: replay.override.2.json stands for the script of session.2.jsonl, which is missing. ' +
        'Renumber or remove the override, or record the scenario anew.',
    )
  })
})

describe('requireRefreshable', () => {
  it('needs no expected stdout', () => {
    const files = folder('input.json', 'session.jsonl')
    expect(requireRefreshable(files)).toEqual(files)
  })

  it('needs whole logs', () => {
    expect(
      thrown(() => requireRefreshable(folder('input.json', 'session.2.jsonl'))).message.split('\n'),
    ).toEqual([LOG, expect.stringContaining('session.1.jsonl is missing, though there is session.2.jsonl.')])
  })
})

describe('requireRecordable', () => {
  it('needs the input alone, whatever state the logs are in', () => {
    const files = folder('input.json', 'session.4.jsonl', 'replay.override.9.json')
    expect(requireRecordable(files)).toEqual(files)
    expect(thrown(() => requireRecordable(folder('session.jsonl'))).message).toContain(INPUT)
  })
})
