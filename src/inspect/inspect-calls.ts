import { SnapshotError } from '../errors.ts'
import type { StreamChunk } from '../llm-replay/chunk.ts'
import { deriveCalls, type DerivedCall } from '../llm-replay/derive.ts'
import { applyOverride, patchedPositions } from '../llm-replay/override.ts'
import type { SessionLog } from '../session-log/types.ts'
import { overrideFileOf, scriptNumberOf } from '../llm-replay/names.ts'
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
  const derived = derive(log, problems)
  const replaced = override === undefined ? new Set<number>() : patchedPositions(override.doc)
  if (override !== undefined && !partial) {
    // The beginning of a log says nothing of where its script ends.
    problems.attempt(log.file, () =>
      applyOverride(
        () => derived.map(({ entry }) => entry),
        override.doc,
        log.file.replace(session.file, override.file),
      ),
    )
  }
  const times = new StreamTimes(log)
  return derived.map((call, position) => {
    const chunks = chunksOf(call)
    const overridden = replaced?.has(position) ?? true
    const facts = streamFacts(chunks)
    const place = placeIn(log, call.seq)
    if (facts.unterminated && !overridden && !(partial && position === derived.length - 1)) {
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
    const from = problems.list.length
    problems.note(error, log.file)
    const line = problems.list[from]?.line
    const seq = line === undefined ? -1 : (log.lines?.indexOf(line) ?? -1)
    if (seq < 0 || !(error instanceof SnapshotError)) return []
    return deriveCalls({ ...log, events: log.events.slice(0, seq) }, { replaced: everyPosition })
  }
}

function chunksOf({ entry }: DerivedCall): readonly StreamChunk[] {
  return entry.kind === 'hang' ? [] : entry.chunks
}

function unterminated(file: string, position: number, { seq, turn, step }: InspectedPlace): string {
  const override = overrideFileOf(scriptNumberOf(file) ?? 0)
  return (
    `model call ${position} (turn ${turn}, step ${step}), which begins at event ${seq}, has no finish, and no override ` +
    `replaces it. Its stream threw or was aborted when it was recorded. Say in ${override} what answers it.`
  )
}
