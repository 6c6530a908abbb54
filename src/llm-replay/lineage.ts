import { sourceKind } from '../session-log/source-kind.ts'
import type { JsonObject, JsonValue, SessionEvent } from '../session-log/types.ts'
import type { Normalizer } from '../transcript/index.ts'

/**
 * What tells a session from its siblings before it has called the model.
 *
 * @public
 */
export interface SessionLineage {
  /** Id of the session that started it; absent at one that a client opened. */
  readonly parent?: string
  /** The label of its descriptor, which a delegating agent gives. */
  readonly label?: string
  /** The text of its own first prompt: a fork's comes after what it has inherited. */
  readonly prompt?: string
  /** Its working directory, absolute: it tells nobody from a sibling, but what it says has this in it. */
  readonly cwd?: string
}

/** A session, recorded or live, as far as its lineage goes. */
export interface LineageSource {
  readonly header: {
    readonly parentSession?: string | undefined
    readonly seedLength?: number | undefined
    readonly cwd?: string | undefined
  }
  readonly events: readonly Pick<SessionEvent, 'type' | 'data'>[]
}

/** Reads the lineage out of a session's header and its own events. */
export function lineageOf({ header, events }: LineageSource): SessionLineage {
  const { parentSession: parent, seedLength = 0, cwd } = header
  let label: string | undefined
  let prompt: string | undefined
  let injected: string | undefined
  for (const [index, { type, data }] of events.entries()) {
    // The last one: a fork inherits its parent's, and one that was there when the session began is part of the seed.
    if (type === 'subagent/descriptor') label = textOf(data.label)
    if (index < seedLength) continue
    // A live session is looked at when it first calls: what a recording has after that is not what told it apart.
    if (type === 'assistant/chunk' || type === 'step/end') break
    if (type !== 'user/message') continue
    // What a plugin puts in front of a prompt, such as the rules of a project, is the same for all siblings.
    if (sourceKind(data.source) === 'user') prompt ??= promptOf(data)
    else injected ??= promptOf(data)
    if (prompt !== undefined) break
  }
  prompt ??= injected
  return {
    ...(parent === undefined ? {} : { parent }),
    ...(label === undefined ? {} : { label }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(cwd === undefined ? {} : { cwd }),
  }
}

/** What is compared of it, with paths and ids as tokens, so that what was recorded and what is live are alike. */
export function normalizeLineage(lineage: SessionLineage, normalizer: Normalizer): SessionLineage {
  const { parent, label, prompt } = lineage
  return {
    ...(parent === undefined ? {} : { parent }),
    ...(label === undefined ? {} : { label: normalizer.text(label) }),
    ...(prompt === undefined ? {} : { prompt: normalizer.text(prompt) }),
  }
}

function promptOf({ content }: JsonObject): string | undefined {
  if (!Array.isArray(content)) return undefined
  const blocks: readonly JsonValue[] = content
  return blocks.flatMap(block => textIn(block)).join('\n')
}

function textIn(block: JsonValue): readonly string[] {
  if (typeof block !== 'object' || block === null || !('text' in block)) return []
  return typeof block.text === 'string' ? [block.text] : []
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
