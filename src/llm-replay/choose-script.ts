import { standsForAnyId } from '../transcript/any-id.ts'
import type { SessionLineage } from './lineage.ts'
import type { SessionScript } from './script.ts'

/**
 * A live session and the script that answers it. Calls without a session id make up one session, whose id is undefined.
 *
 * @public
 */
export interface ScriptBinding {
  readonly sessionId: string | undefined
  readonly script: SessionScript
}

/** A session that calls for the first time, and what there is to choose from. */
export interface ScriptChoice {
  readonly sessionId: string | undefined
  /** Undefined where nothing is known of the session. */
  readonly lineage: SessionLineage | undefined
  /** Every script, the primary first. */
  readonly scripts: readonly SessionScript[]
  /** Those that no session has, in the same order. */
  readonly unbound: readonly SessionScript[]
  readonly bindings: readonly ScriptBinding[]
}

/**
 * Says which script answers a session that calls for the first time: by its parent, then by its first prompt and its
 * descriptor's label; among equals, and where nothing is known, the next in order. A script whose lineage is a condition
 * is for no other session. A script without entries is passed over while another is left, since the session that it
 * records made no call. Calls without an id get the primary or nothing.
 *
 * @returns undefined where no script is for this session
 */
export function chooseScript(choice: ScriptChoice): SessionScript | undefined {
  const { sessionId, lineage, scripts, unbound } = choice
  if (sessionId === undefined) return unbound.find(script => script === scripts[0])
  if (lineage === undefined) return firstWithCalls(unbound)
  const fitting = unbound
    .map(script => ({ script, rank: rankOf(script, lineage, choice) }))
    .filter(({ rank }) => rank > no)
  const called = fitting.filter(({ script }) => script.entries.length > 0)
  const candidates = called.length > 0 ? called : fitting
  const best = Math.max(...candidates.map(({ rank }) => rank))
  return candidates.find(({ rank }) => rank === best)?.script
}

function firstWithCalls(scripts: readonly SessionScript[]): SessionScript | undefined {
  return scripts.find(script => script.entries.length > 0) ?? scripts[0]
}

const no = -1
/** How much each weighs: one more than all that follow it together. */
const weights = { parent: 9, prompt: 3, label: 1 }

/** How well a script fits a session: the parent outweighs the prompt, the prompt the label. */
function rankOf(script: SessionScript, lineage: SessionLineage, choice: ScriptChoice): number {
  const parent = parentRank(script, lineage, choice)
  if (parent === no || isForAnother(script, lineage)) return no
  const { prompt, label } = script.lineage ?? {}
  return (
    parent * weights.parent +
    likeness(prompt, lineage.prompt) * weights.prompt +
    likeness(label, lineage.label) * weights.label
  )
}

/** Where no request was recorded, no comparison would tell of a prompt or a label that is not the one that was meant. */
function isForAnother(
  { lineage: wanted, lineageIsCondition }: SessionScript,
  { prompt, label }: SessionLineage,
): boolean {
  if (wanted === undefined || lineageIsCondition !== true) return false
  return [
    [wanted.prompt, prompt],
    [wanted.label, label],
  ].some(([written, live]) => written !== undefined && written !== live)
}

/** A recording that does not say may be of anything: it is nearer than one that says something else. */
function likeness(recorded: string | undefined, live: string | undefined): number {
  if (recorded === live) return 2
  return recorded === undefined ? 1 : 0
}

/**
 * A session that was started by another never gets the primary's script, nor one that a client opened the script of one
 * whose parent is known. A log without a parent, or whose parent is any session, may have been written by hand: it is
 * for whoever is left.
 */
function parentRank(script: SessionScript, lineage: SessionLineage, choice: ScriptChoice): number {
  const recorded = recordedParent(script, choice.scripts)
  const isRoot = script === choice.scripts[0] || script.parentSession === undefined
  if (lineage.parent === undefined) return isRoot ? 1 : recorded === undefined ? 0 : no
  if (script === choice.scripts[0]) return no
  const live = choice.bindings.find(({ sessionId }) => sessionId === lineage.parent)?.script
  if (recorded === undefined || live === undefined) return 0
  return recorded === live ? 1 : no
}

/** Undefined where the log says nothing of it, or has a token that stands for any id. */
function recordedParent(
  { parentSession }: SessionScript,
  scripts: readonly SessionScript[],
): SessionScript | undefined {
  if (parentSession === undefined || standsForAnyId(parentSession)) return undefined
  return scripts.find(({ id }) => id === parentSession)
}
