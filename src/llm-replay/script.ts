import type { SessionLog } from '../session-log/types.ts'
import { deriveReplayScript } from './derive.ts'
import type { ReplayEntry } from './entry.ts'
import { overrideFileOf, scriptNumberOf } from './names.ts'
import { applyOverride, patchedPositions, type ReplayOverrideDoc } from './override.ts'

/**
 * What answers the model calls of one session.
 *
 * @public
 */
export interface SessionScript {
  /** The log's name: `session.jsonl`, `session.1.jsonl`, … */
  readonly name: string
  /** 0 for the primary. */
  readonly number: number
  /** The recorded session's id. */
  readonly id: string
  /** Epoch, ms. */
  readonly createdAt: number
  readonly parentSession?: string
  /** Whether an override made the script, in whole or in part. */
  readonly authored: boolean
  /** The positions of entries that come from the override: only those have placeholders. */
  readonly authoredAt: ReadonlySet<number>
  readonly entries: readonly ReplayEntry[]
}

/**
 * A log, and the override that belongs to it.
 *
 * @public
 */
export interface ScriptSource {
  /** A path or a name. */
  readonly name: string
  readonly log: SessionLog
  readonly override?: ReplayOverrideDoc
  /** The override's name, for errors; by default the one that goes with the log's name. */
  readonly overrideFile?: string
}

/**
 * Makes the scripts of a scenario, the primary first, then by creation time, then by id.
 *
 * Names of the form `session.<n>.jsonl` number the scripts where all have it, differ, and one is `session.jsonl`;
 * otherwise the order of the sources does, and the first is the primary.
 *
 * @throws SnapshotError `REPLAY_INVALID` from a log or an override
 * @public
 */
export function buildSessionScripts(sources: readonly ScriptSource[]): SessionScript[] {
  const numbers = numbersOf(sources)
  return sources.map((source, index) => buildScript(source, numbers[index] ?? index)).sort(byOrder)
}

function numbersOf(sources: readonly ScriptSource[]): readonly (number | undefined)[] {
  const numbers = sources.map(source => scriptNumberOf(source.name))
  const distinct = new Set(numbers)
  const named = distinct.size === numbers.length && distinct.has(0) && !distinct.has(undefined)
  return named ? numbers : []
}

function buildScript(source: ScriptSource, number: number): SessionScript {
  const { name, log, override } = source
  const { id, createdAt, parentSession } = log.header
  const head = { name, number, id, createdAt, ...(parentSession === undefined ? {} : { parentSession }) }
  if (override === undefined) {
    return { ...head, authored: false, authoredAt: new Set(), entries: deriveReplayScript(log) }
  }
  const patched = patchedPositions(override)
  const derive = (): ReplayEntry[] => deriveReplayScript(log, { replaced: patched })
  const entries = applyOverride(derive, override, source.overrideFile ?? overrideFileOf(number))
  return { ...head, authored: true, authoredAt: patched ?? new Set(entries.keys()), entries }
}

function byOrder(a: SessionScript, b: SessionScript): number {
  const primaryFirst = Number(b.number === 0) - Number(a.number === 0)
  return primaryFirst || a.createdAt - b.createdAt || compareText(a.id, b.id) || a.number - b.number
}

/** By code unit: the same on every machine, whatever its locale. */
function compareText(a: string, b: string): number {
  return Number(a > b) - Number(a < b)
}
