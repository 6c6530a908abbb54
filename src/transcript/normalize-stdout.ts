import { frameIds } from './built-in-rules.ts'
import { agentStdout, expectedStdout, mapFrames, type FrameSource } from './frames.ts'
import { furtherRule } from './further-rules.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { createFixtureNormalizer, createNormalizer, type Normalizer } from './normalizer.ts'
import type { FrameRule } from './rule.ts'

/**
 * Makes an agent's standard output the same in every run: NDJSON in, NDJSON out, one compact frame a line, each with its
 * LF. Frame ids become 1, 2, 3 … in order of first sight, requests and responses together; the strings follow the
 * rules of {@link createNormalizer}. Blank lines are dropped. Applied again, it changes nothing.
 *
 * @throws SnapshotError `STDOUT_INVALID` at a line that is not a JSON object; it names the line, from 1. `USAGE` where one
 * of the context's own rules changes what it has made
 * @public
 */
export function normalizeStdout(raw: string, context: NormalizeContext): string {
  return normalizeFrames(raw, agentStdout, context, createNormalizer(context))
}

/**
 * The same for what a scenario expects: normalised already, but its author may have left ids in. Jobs keep their numbers.
 *
 * @throws SnapshotError `SCENARIO_INVALID` at a line that is not a JSON object
 */
export function normalizeExpectedStdout(text: string, context: NormalizeContext): string {
  return normalizeFrames(text, expectedStdout, context, createFixtureNormalizer(context))
}

function normalizeFrames(
  raw: string,
  source: FrameSource,
  context: NormalizeContext,
  normalizer: Normalizer,
): string {
  const rule = frameRule(context)
  return mapFrames(raw, source, frame => `${JSON.stringify(normalizer.value(rule(frame)))}\n`).join('')
}

function frameRule(context: NormalizeContext): FrameRule {
  const builtIn = frameIds.frame(context)
  const further = furtherRule(context, 'frame')
  return further === undefined ? builtIn : frame => further(builtIn(frame))
}
