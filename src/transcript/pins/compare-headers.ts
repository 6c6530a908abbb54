import { counted } from '../../counted.ts'
import type { Change, Difference } from '../difference.ts'
import { describe } from '../sequence-difference.ts'
import { firstDifference } from '../shorten.ts'
import { compareTools } from './compare-tools.ts'
import type { HeaderSequence, RequestHeader } from './header-sequence.ts'
import type { LogPin, PinnedPart } from './log-pin.ts'
import { sectionDifference, sidecarPlace } from './section-difference.ts'

/**
 * Compares the request headers of a log with their pin: a log may have fewer than the pin, but none besides. An absent
 * prompt equals an empty one, and absent tools an empty list.
 *
 * @param surface - what the differences are of, such as `request headers of session.jsonl`
 * @returns at most one difference for the prompt, one for each tool and one for the order of the tools, each at the first
 * header that has it, and one for the number of changes; `index` is the seq of the header's event
 */
export function compareHeaders(surface: string, pin: LogPin, { headers }: HeaderSequence): Difference[] {
  return [
    ...(pin.prompt === undefined ? [] : promptDifference(surface, pin.prompt, headers)),
    ...(pin.tools === undefined ? [] : compareTools(surface, pin.tools, headers)),
    ...(pin.changes === undefined ? [] : countDifference(surface, pin.changes, headers)),
  ]
}

function promptDifference(
  surface: string,
  { file, sequence }: PinnedPart<string>,
  headers: readonly RequestHeader[],
): Difference[] {
  for (const [at, { seq, system = '' }] of headers.entries()) {
    const expected = sequence[at]
    if (expected === system) continue
    const place = sidecarPlace(file, at, sequence.length)
    const what = `the system prompt ${describe(firstLine(expected, system))} (${place})`
    return [sectionDifference({ surface, seq, path: 'data.header.system', what, expected, actual: system })]
  }
  return []
}

/** The first line in which two prompts differ, as a change of its own. */
function firstLine(expected: string | undefined, actual: string): Change {
  if (expected === undefined) return { path: '', expected, actual }
  const was = expected.split('\n')
  const is = actual.split('\n')
  const at = firstDifference(was, is)
  return { path: `line ${at + 1}`, expected: was[at], actual: is[at] }
}

function countDifference(surface: string, expected: number, headers: readonly RequestHeader[]): Difference[] {
  const changes = headers.slice(1).map(({ seq }) => seq)
  if (changes.length === expected) return []
  const found =
    changes.length === 0 ? 'no changes' : `${counted(changes.length, 'change')} (seq ${changes.join(', ')})`
  return [
    {
      surface,
      index: changes[expected] ?? -1,
      path: '',
      expected,
      actual: changes.length,
      message: `${surface}: ${found}, expected ${counted(expected, 'change')} ("headerChanges" of suite.json)`,
    },
  ]
}
