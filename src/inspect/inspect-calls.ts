import { deriveCalls, type DerivedCall } from '../llm-replay/derive.ts'
import { overrideFileOf, scriptNumberOf } from '../llm-replay/names.ts'
import { applyOverride, patchedPositions } from '../llm-replay/override.ts'
import type { SessionLog } from '../session-log/types.ts'
import { placeIn } from './place.ts'
import type { Problems } from './problems.ts'
import type { FoundSession } from './read-folder.ts'
import { streamFacts } from './stream-facts.ts'
import { StreamTimes } from './stream-times.ts'
import type { InspectedCall, InspectedPlace } from './types.ts'

/** Any call may lack its finish here: whether it should is said of each. */
const everyPosition: ReadonlySet<number> = Object.assign(new Set<number>(), { has: () => true })

/** The model calls of a session. What is wrong with them, or with the patches of the script they make, is a problem. */
export function inspectCalls(session: FoundSession, problems: Problems): InspectedCall[] {
  const { log, override, partial } = session
  const before = problems.list.length
  const derived = derive(log, problems)
  // What comes after a flaw is not known: not how its last call ends, nor where the script does.
  const cut = partial || problems.list.length > before
  const replaced = override === undefined ? new Set<number>() : patchedPositions(override.doc)
  if (override !== undefined && !cut) {
    const entries = derived.map(({ entry }) => entry)
    problems.attempt(override.path, () => applyOverride(() => entries, override.doc, override.path))
  }
  const times = new StreamTimes(log)
  return derived.map((call, position) => {
    const { chunks = [] } = call.entry
    const overridden = replaced?.has(position) ?? true
    const facts = streamFacts(chunks)
    const place = placeIn(log, call.seq)
    if (facts.unterminated && !overridden && !(cut && position === derived.length - 1)) {
      problems.add(log.file, unterminated(log.file, position, place), place.line)
    }
    const kind = log.events[call.seq]?.type === 'compaction/summary' ? 'compaction' : 'conversation'
    const ms = kind === 'compaction' ? undefined : times.of(call.seq, chunks.length)
    const inspected = {
      kind,
      ...place,
      overridden,
      ...facts,
      ...(ms === undefined ? {} : { streamMs: ms }),
    } as const
    return Object.defineProperty(inspected, 'chunks', { value: chunks }) as InspectedCall
  })
}

/** The calls that come before what is wrong, if anything is. */
function derive(log: SessionLog, problems: Problems): DerivedCall[] {
  try {
    return deriveCalls(log, { replaced: everyPosition })
  } catch (error) {
    const line = problems.note(error, log.file)
    if (line === undefined) return []
    const seq = log.events.findIndex((_, at) => log.lines?.[at] === line)
    return deriveCalls({ ...log, events: log.events.slice(0, Math.max(0, seq)) }, { replaced: everyPosition })
  }
}

function unterminated(file: string, position: number, { seq, turn, step }: InspectedPlace): string {
  const override = overrideFileOf(scriptNumberOf(file) ?? 0)
  return (
    `model call ${position} (turn ${turn}, step ${step}), which begins at event ${seq}, has no finish, and no override ` +
    `replaces it. Its stream threw or was aborted when it was recorded. Say in ${override} what answers it.`
  )
}
