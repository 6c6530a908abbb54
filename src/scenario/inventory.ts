/** An entry of a folder. @public */
export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'directory'
}

/**
 * What a scenario folder holds, by role. Every name is that of an entry of the folder; the keys of the maps are session
 * numbers: 0 is the primary session, n the one of `session.<n>.jsonl`.
 *
 * @public
 */
export interface ScenarioFiles {
  /** What the folder is called in messages. */
  readonly folder: string
  /** `input.json` */
  readonly input: string | undefined
  /** `session.jsonl`, or that name with `.zst` or `.zstd` after it */
  readonly primaryLog: string | undefined
  /** `session.<n>.jsonl`, with the same endings, in order of n */
  readonly childLogs: ReadonlyMap<number, string>
  /** Further logs of a session that has one above, sorted, each with the name of that one. */
  readonly doubledLogs: ReadonlyMap<string, string>
  /** The first number from 1 that the child logs leave out. */
  readonly childLogGap: number | undefined
  /** `replay.override.json` and `replay.override.<n>.json` */
  readonly overrides: ReadonlyMap<number, string>
  /** `stdout.expected.jsonl` */
  readonly expectedStdout: string | undefined
  /** `workspace/` */
  readonly workspace: string | undefined
  /** `system-prompt.expected.md` and `system-prompt.<n>.expected.md` */
  readonly systemPrompts: ReadonlyMap<number, string>
  /** `tool-schemas.expected.json` and `tool-schemas.<n>.expected.json` */
  readonly toolSchemas: ReadonlyMap<number, string>
  /** `facts.json` */
  readonly facts: string | undefined
  /** Whatever has no role here, sorted; a directory by a file's name, and the other way about, is among them. */
  readonly unknown: readonly string[]
}

// A number has no leading zero, so that no two names stand for one; nine digits are always a safe integer.
const LOG = /^session(?:\.([1-9]\d{0,8}))?\.jsonl(?:\.zstd?)?$/
const OVERRIDE = /^replay\.override(?:\.([1-9]\d{0,8}))?\.json$/
const SYSTEM_PROMPT = /^system-prompt(?:\.([1-9]\d{0,8}))?\.expected\.md$/
const TOOL_SCHEMAS = /^tool-schemas(?:\.([1-9]\d{0,8}))?\.expected\.json$/

/**
 * Sorts the entries of a scenario folder by role. Nothing is required here, since a scenario that is yet to be recorded
 * has an `input.json` alone: see `requireReplayable`.
 *
 * @param entries - what is directly in the folder, in any order
 * @param folder - what the folder is called in messages, such as its path
 * @public
 */
export function inventory(entries: readonly FolderEntry[], folder: string): ScenarioFiles {
  // Of two names that are alike but for an ending, the shorter one comes first.
  const sorted = [...entries].sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
  const roles = new Set<string>()
  const the = (name: string, kind: FolderEntry['kind'] = 'file'): string | undefined => {
    if (!entries.some(entry => entry.name === name && entry.kind === kind)) return undefined
    roles.add(name)
    return name
  }
  const bySession = (pattern: RegExp, doubled?: Map<string, string>): Map<number, string> => {
    const found = new Map<number, string>()
    for (const { name, kind } of sorted) {
      const match = kind === 'file' ? pattern.exec(name) : null
      if (match === null) continue
      roles.add(name)
      const session = Number(match[1] ?? 0)
      const other = found.get(session)
      if (other === undefined) found.set(session, name)
      else doubled?.set(name, other)
    }
    return new Map([...found].sort(([a], [b]) => a - b))
  }
  const doubledLogs = new Map<string, string>()
  const logs = bySession(LOG, doubledLogs)
  const primaryLog = logs.get(0)
  logs.delete(0)
  const files = {
    folder,
    input: the('input.json'),
    primaryLog,
    childLogs: logs,
    doubledLogs,
    childLogGap: firstGap([...logs.keys()]),
    overrides: bySession(OVERRIDE),
    expectedStdout: the('stdout.expected.jsonl'),
    workspace: the('workspace', 'directory'),
    systemPrompts: bySession(SYSTEM_PROMPT),
    toolSchemas: bySession(TOOL_SCHEMAS),
    facts: the('facts.json'),
  }
  const unknown = sorted.map(entry => entry.name).filter(name => !roles.has(name))
  return { ...files, unknown }
}

function firstGap(ascending: readonly number[]): number | undefined {
  const at = ascending.findIndex((number, index) => number !== index + 1)
  return at === -1 ? undefined : at + 1
}
