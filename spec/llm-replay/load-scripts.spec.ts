import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import {
  installLlmReplay,
  loadReplayScript,
  loadSessionScripts,
  replayFiles,
} from '../../src/llm-replay/index.ts'
import { oddFiles } from '../support/odd-file.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { logText, overrideText } from './files.ts'
import { harness, request } from './harness.ts'
import { answer } from './logs.ts'
import { textOf } from './scripts.ts'
import { thrown } from '../support/thrown.ts'

const texts = (entries: readonly unknown[]): unknown[] =>
  entries.map(
    entry => (entry as { chunks: { text?: string }[] }).chunks.find(({ text }) => text !== undefined)?.text,
  )

const scenario = () =>
  tempFolder({
    'session.jsonl': logText(['one', 'two'], { id: 'p', createdAt: 9 }),
    'session.1.jsonl': logText(['child'], { id: 'c', createdAt: 1 }),
    'replay.override.json': overrideText('instead'),
    'other.json': overrideText('by another name'),
  })

describe('loadSessionScripts', () => {
  it('reads the logs, the primary first', () => {
    const folder = scenario()
    const childFiles = [path.join(folder, 'session.1.jsonl')]
    const scripts = loadSessionScripts({ file: path.join(folder, 'session.jsonl'), childFiles })
    expect(scripts.map(script => [script.name, script.number, script.id, texts(script.entries)])).toEqual([
      ['session.jsonl', 0, 'p', ['one', 'two']],
      ['session.1.jsonl', 1, 'c', ['child']],
    ])
  })

  it('lets an override that is named change the script of the primary', () => {
    const folder = scenario()
    const overrideFile = path.join(folder, 'other.json')
    const [script] = loadSessionScripts({ file: path.join(folder, 'session.jsonl'), overrideFile })
    expect(script).toMatchObject({ authored: true, entries: [{ chunks: answer('by another name') }] })
  })

  it('takes the override that lies beside the log of a child, as that of a primary is named', () => {
    const folder = tempFolder({
      'session.jsonl': logText(['one'], { id: 'p' }),
      'replay.override.json': overrideText('not asked for'),
      'session.1.jsonl': logText(['first'], { id: 'c1' }),
      'session.2.jsonl': logText(['second'], { id: 'c2' }),
      'replay.override.2.json': overrideText('second instead'),
      'elsewhere/session.jsonl': logText(['third'], { id: 'c3' }),
      'elsewhere/replay.override.json': overrideText('not a child’s'),
      'named.jsonl': logText(['fourth'], { id: 'c4' }),
    })
    const at = (name: string): string => path.join(folder, name)
    const childFiles = ['session.1.jsonl', 'session.2.jsonl', 'elsewhere/session.jsonl', 'named.jsonl'].map(
      at,
    )
    const scripts = loadSessionScripts({ file: at('session.jsonl'), childFiles })
    expect(scripts.flatMap(({ entries }) => texts(entries))).toEqual([
      'one',
      'first',
      'second instead',
      'third',
      'fourth',
    ])
  })

  it.each(['zst', 'zstd'])('reads logs that are compressed and end in .%s', ending => {
    const folder = tempFolder({ 'replay.override.1.json': overrideText('child instead') })
    const write = (name: string, text: string): string => {
      const file = path.join(folder, `${name}.jsonl.${ending}`)
      writeFileSync(file, zstdCompressSync(text))
      return file
    }
    const file = write('session', logText(['one'], { id: 'p' }))
    const childFiles = [
      write('session.2', logText(['second'], { id: 'c2' })),
      write('session.1', logText(['first'], { id: 'c1' })),
    ]
    const scripts = loadSessionScripts({ file, childFiles })
    expect(scripts.map(script => [script.name, script.number, texts(script.entries)])).toEqual([
      ['session.jsonl', 0, ['one']],
      ['session.1.jsonl', 1, ['child instead']],
      ['session.2.jsonl', 2, ['second']],
    ])
  })

  it('asks for a log where none is named', () => {
    expect(thrown(() => loadSessionScripts({ childFiles: ['session.1.jsonl'] }))).toMatchObject({
      code: 'REPLAY_INVALID',
      message:
        'llm-replay: no session log to replay. Name one as "file" in the plugin\'s config, or set DSH_SNAPSHOT_FILE.',
    })
  })

  it.each([
    ['file', 'this session log', (gone: string) => ({ file: gone })],
    ['overrideFile', 'this override', (gone: string, there: string) => ({ file: there, overrideFile: gone })],
    [
      'childFiles',
      'this session log',
      (gone: string, there: string) => ({ file: there, childFiles: [gone] }),
    ],
  ])('names a missing %s', (_key, what, files) => {
    const folder = scenario()
    const gone = path.join(folder, 'gone.jsonl')
    const error = thrown(() => loadSessionScripts(files(gone, path.join(folder, 'session.jsonl'))))
    expect(error).toMatchObject({
      code: 'REPLAY_INVALID',
      details: { file: gone },
      cause: { code: 'ENOENT' },
    })
    expect(error.message).toContain(`${gone}: ${what} can't be read: Error: ENOENT`)
    expect(error.message).toMatch(
      /A file that is configured must exist: correct its name, or record the scenario\.$/,
    )
  })

  it.each(oddFiles)('does not read %s', (kind, make) => {
    const folder = scenario()
    const [log, odd, child, childOdd] = [
      'session.jsonl',
      'odd',
      'session.1.jsonl',
      'replay.override.1.json',
    ].map(name => path.join(folder, name))
    for (const at of [odd, childOdd]) make(String(at))
    for (const [files, file, what] of [
      [{ file: odd }, odd, 'session log'],
      [{ file: log, overrideFile: odd }, odd, 'override'],
      [{ file: log, childFiles: [String(child)] }, childOdd, 'override'],
    ] as const) {
      expect(thrown(() => loadSessionScripts(files))).toMatchObject({
        code: 'REPLAY_INVALID',
        message: `${String(file)}: this ${what} is not a file, but ${kind}. Name a file, or record the scenario.`,
        details: { file },
      })
    }
  })

  it('names the file and the place of what is wrong in it', () => {
    const folder = tempFolder({
      'session.jsonl': logText(['one']),
      'broken.jsonl': `${logText([])}nothing\n`,
      'broken.json': '[{"kind":"chunk"}]',
    })
    const [file, log, overrideFile] = ['session.jsonl', 'broken.jsonl', 'broken.json'].map(name =>
      path.join(folder, name),
    )
    expect(thrown(() => loadSessionScripts({ file: log })).message).toContain(`${String(log)}:2`)
    const { code, message } = thrown(() => loadSessionScripts({ file, overrideFile }))
    expect(code).toBe('REPLAY_INVALID')
    expect(message).toContain(`${String(overrideFile)}: at [0]`)
  })
})

describe('loadReplayScript', () => {
  it('reads the script of one session, whatever its name', () => {
    const folder = scenario()
    const at = (name: string): string => path.join(folder, name)
    expect(texts(loadReplayScript(at('session.jsonl')))).toEqual(['one', 'two'])
    expect(texts(loadReplayScript(at('session.1.jsonl')))).toEqual(['child'])
    expect(texts(loadReplayScript(at('session.1.jsonl'), at('other.json')))).toEqual(['by another name'])
  })
})

describe('replayFiles', () => {
  const env = {
    DSH_SNAPSHOT_FILE: '/env/session.jsonl',
    DSH_SNAPSHOT_OVERRIDE: '/env/replay.override.json',
    DSH_SNAPSHOT_CHILD_FILES: ['/env/session.1.jsonl', '', '/env/session.2.jsonl'].join(path.delimiter),
  }

  it('takes from the environment what the config leaves out', () => {
    expect(replayFiles({}, env)).toEqual({
      file: '/env/session.jsonl',
      overrideFile: '/env/replay.override.json',
      childFiles: ['/env/session.1.jsonl', '/env/session.2.jsonl'],
    })
    const config = { file: 'a', overrideFile: 'b', childFiles: [] }
    expect(replayFiles(config, env)).toEqual(config)
  })

  it('takes an empty variable for one that is not set', () => {
    const empty = { DSH_SNAPSHOT_FILE: '', DSH_SNAPSHOT_OVERRIDE: '', DSH_SNAPSHOT_CHILD_FILES: '' }
    const nothing = { file: undefined, overrideFile: undefined, childFiles: undefined }
    expect(replayFiles({}, empty)).toEqual(nothing)
    expect(replayFiles({}, {})).toEqual(nothing)
  })

  it('gives an installed replay its files', async () => {
    const folder = scenario()
    vi.stubEnv('DSH_SNAPSHOT_FILE', path.join(folder, 'session.jsonl'))
    vi.stubEnv('DSH_SNAPSHOT_OVERRIDE', path.join(folder, 'replay.override.json'))
    vi.stubEnv('DSH_SNAPSHOT_CHILD_FILES', path.join(folder, 'session.1.jsonl'))
    const ctx = await harness()
    const replay = installLlmReplay(ctx)
    vi.unstubAllEnvs()
    expect(await textOf(ctx.llm.stream(request({ session: 'a' })))).toBe('instead')
    expect(await textOf(ctx.llm.stream(request({ session: 'b' })))).toBe('child')
    replay.assertConsumed()
  })
})
