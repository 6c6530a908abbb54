import type { Random } from '../support/random.ts'

const root = '/tmp/acp-snapshot-4f2a/9c0d11ab-00001'
const virtual = '/acp-snapshot/9c0d11ab-00001'

/** What a run has of its own, as it shows in its log. */
export const own = {
  cwd: `${root}/cwd`,
  spill: `${root}/spill`,
  home: `${virtual}/home`,
  temp: `${root}/tmp`,
  sharedTemp: '/tmp/acp-snapshot-4f2a/tmp',
  sessions: `${virtual}/sessions`,
  sessionId: '7d3f0a52-64b1-4c8e-9a11-52d0c1e7b904',
}

/** As models cut them: most are a word with its space, some a part of one, some punctuation, some not ASCII. */
const tokens = [
  ...' the, a, to, of, and, is, in, that, it, for, on, with, this, file, test, line, value, error, need'.split(
    ',',
  ),
  ...' function, returns, should, check, first, then, because, module, config, import, type, string'.split(
    ',',
  ),
  ...' undefined, implementation, documentation, unfortunately, configuration,ing,ed,er,tion,ization'.split(
    ',',
  ),
  ...[
    '.',
    ',',
    ':',
    '\n',
    '\n\n',
    '`',
    '(',
    ')',
    '_id',
    'Path',
    ' I',
    'The',
    "'ll",
    ' run',
    '  ',
    '{',
    '}',
    '"',
  ],
  ...['\\', ' é', '…', ' →', '/', 'src', '.ts', '-', ' session', '{{'],
]

/** Prose of so many tokens. */
export function words(random: Random, count: number): string {
  let text = ''
  for (let left = count; left > 0; left -= 1) text += random.pick(tokens)
  return text
}

const names = ['parse', 'index', 'frame-tap', 'run-scenario', 'session', 'types', 'config.spec', 'decode']
const folders = ['src', 'src/client', 'src/session-log', 'spec', 'fixtures/scenarios', 'node_modules/pad/lib']

/** A file of the workspace: absolute now and then, as tools print it. */
function filePath(random: Random): string {
  const relative = `${random.pick(folders)}/${random.pick(names)}.ts`
  return random.integer(0, 2) === 0 ? `${own.cwd}/${relative}` : relative
}

/** The JSON of a tool call's arguments, in the pieces that a model streams it in. */
export function toolArguments(random: Random): string[] {
  const file = filePath(random)
  const command = random.pick([
    `grep -n "session" ${file}`,
    `sed -n '1,80p' ${file}`,
    `npx vitest run ${file}`,
  ])
  const text = JSON.stringify({ command, description: words(random, random.integer(4, 40)).trim() })
  const pieces: string[] = ['']
  for (let at = 0; at < text.length;) {
    const length = random.integer(1, 7)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

const code = [
  '  const value = await readFile(path, "utf8")\n',
  'export interface Options {\n  readonly timeoutMs?: number\n}\n',
  "    expect(result).toEqual({ kind: 'chunks', chunks: [] })\n",
  '  // The first row decides what all others must be.\n',
  '  if (typeof value !== "object" || value === null) return undefined\n',
  '\tat async Promise.all (index 0)\n',
  '  "devDependencies": { "typescript": "6.0.3" },\n',
  '\n',
]

/** What a tool prints, a few KB: lines of code, hits of a search, output of tests. */
export function toolOutput(random: Random): string {
  const length = random.integer(200, 6000)
  let text = ''
  for (let line = 1; text.length < length; line += 1) {
    const kind = random.integer(0, 19)
    if (kind < 3) text += `${filePath(random)}:${line}:${random.integer(1, 80)}\n`
    else if (kind < 5) text += ` ✓ ${random.pick(names)} > reads what there is ${random.integer(1, 90)}ms\n`
    else if (kind === 5 && line % 5 === 0) text += `request-id: ${random.uuid()}\n`
    else text += `${String(line).padStart(6)}\t${random.pick(code)}`
  }
  return text
}
