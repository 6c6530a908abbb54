import type { SessionLog } from '../session-log/types.ts'
import { standsForAnyId } from '../transcript/any-id.ts'
import { createNormalizer, fixtureContext, type NormalizationRule } from '../transcript/index.ts'
import { deriveCalls, type DerivedCall } from './derive.ts'
import { deriveTitleCalls, titlePurpose } from './derive-titles.ts'
import type { ReplayEntry } from './entry.ts'
import { lineageOf, normalizeLineage, type SessionLineage } from './lineage.ts'
import { overrideFileOf, scriptNumberOf } from './names.ts'
import { applyOverride, patchedPositions, type ReplayOverrideDoc } from './override.ts'
import { tellsOfRequests } from './recorded-requests.ts'

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
  /** The positions of entries that somebody wrote, rather than a model: only those have placeholders. */
  readonly authoredAt: ReadonlySet<number>
  readonly entries: readonly ReplayEntry[]
  /** What answers auxiliary calls, in order, by their purpose: calls with one have their own lane. */
  readonly auxiliary?: Readonly<Record<string, readonly ReplayEntry[]>>
  /** What tells the session from its siblings; paths and ids as tokens. */
  readonly lineage?: SessionLineage
  /**
   * Whether the script is only for a session with that prompt and that label, as far as the lineage has them: so it is
   * where somebody wrote the log and it tells of no request that could be compared instead.
   */
  readonly lineageIsCondition?: boolean
  /** What the script's own answers are in, or would be: an override's name, for errors. */
  readonly overrideFile?: string
  /** The recording, which live requests are compared with. */
  readonly log?: SessionLog
  /** By entry, the seq of the event with which its call begins in the log; undefined where the log has none for it. */
  readonly places?: readonly (number | undefined)[]
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
  /**
   * Whether somebody wrote the log, rather than recorded it: then it may have placeholders. By default it is so where
   * the id in its header is `{{sessionId}}` or a UUID of zeros.
   */
  readonly authored?: boolean
}

/**
 * Makes the scripts of a scenario, the primary first, then by creation time, then by id.
 *
 * Names of the form `session.<n>.jsonl` number the scripts where all have it, differ, and one is `session.jsonl`;
 * otherwise the order of the sources does, and the first is the primary.
 *
 * @param rules - further rules of normalisation, for what tells one session from another
 * @throws SnapshotError `REPLAY_INVALID` from a log or an override
 * @public
 */
export function buildSessionScripts(
  sources: readonly ScriptSource[],
  rules: readonly NormalizationRule[] = [],
): SessionScript[] {
  const numbers = numbersOf(sources)
  return sources.map((source, index) => buildScript(source, numbers[index] ?? index, rules)).sort(byOrder)
}

function numbersOf(sources: readonly ScriptSource[]): readonly (number | undefined)[] {
  const numbers = sources.map(source => scriptNumberOf(source.name))
  const distinct = new Set(numbers)
  const named = distinct.size === numbers.length && distinct.has(0) && !distinct.has(undefined)
  return named ? numbers : []
}

function buildScript(
  source: ScriptSource,
  number: number,
  rules: readonly NormalizationRule[],
): SessionScript {
  const { name, log, override, authored = standsForAnyId(log.header.id) } = source
  const { overrideFile = overrideFileOf(number) } = source
  const { id, createdAt, parentSession } = log.header
  const titles = deriveTitleCalls(log).map(({ entry }) => entry)
  const common = {
    name,
    number,
    id,
    createdAt,
    ...(parentSession === undefined ? {} : { parentSession }),
    auxiliary: { [titlePurpose]: titles },
    lineage: normalizeLineage(lineageOf(log), createNormalizer({ ...fixtureContext(log), rules })),
    lineageIsCondition: authored && !tellsOfRequests(log),
    overrideFile,
    log,
  }
  if (override === undefined) {
    const calls = deriveCalls(log)
    const entries = calls.map(({ entry }) => entry)
    return {
      ...common,
      authored: false,
      authoredAt: new Set(authored ? entries.keys() : []),
      entries,
      places: calls.map(({ seq }) => seq),
    }
  }
  const patched = patchedPositions(override)
  let calls: readonly DerivedCall[] = []
  const derive = (): ReplayEntry[] => {
    calls = deriveCalls(log, { replaced: patched })
    return calls.map(({ entry }) => entry)
  }
  const entries = applyOverride(derive, override, overrideFile)
  return {
    ...common,
    authored: true,
    authoredAt: new Set(authored ? entries.keys() : (patched ?? entries.keys())),
    entries,
    places: entries.map((_, index) => calls[index]?.seq),
  }
}

function byOrder(a: SessionScript, b: SessionScript): number {
  const primaryFirst = Number(b.number === 0) - Number(a.number === 0)
  return primaryFirst || a.createdAt - b.createdAt || compareText(a.id, b.id) || a.number - b.number
}

/** By code unit: the same on every machine, whatever its locale. */
function compareText(a: string, b: string): number {
  return Number(a > b) - Number(a < b)
}
