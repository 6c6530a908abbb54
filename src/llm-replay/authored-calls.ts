import type { ReplayEntry } from './entry.ts'
import type { ModelRequest } from './engine.ts'
import type { SessionLineage } from './lineage.ts'
import type { ReplayOverrideDoc } from './override.ts'
import { overrideFileOf } from './names.ts'
import type { SessionScript } from './script.ts'

/**
 * The calls that an override answers while the others go to their provider: those of the conversation of the first session
 * that a client has opened, by position.
 */
export class AuthoredCalls {
  /** The override's entries, in the order in which they are asked for. */
  readonly script: SessionScript
  readonly #positions: ReadonlySet<number>
  readonly #lineageOf: (sessionId: string) => SessionLineage | undefined
  #primary: string | undefined
  #next = 0

  /** @param lineageOf - what is known of a live session */
  constructor(
    lineageOf: (sessionId: string) => SessionLineage | undefined,
    override: ReplayOverrideDoc = [],
  ) {
    const entries = new Map<number, ReplayEntry>(
      'patches' in override
        ? [...override.patches].sort((a, b) => a.at - b.at).map(({ at, entry }) => [at, entry])
        : override.entries(),
    )
    this.#lineageOf = lineageOf
    this.#positions = new Set(entries.keys())
    this.script = {
      name: 'session.jsonl',
      number: 0,
      id: '',
      createdAt: 0,
      authored: true,
      authoredAt: new Set([...entries.keys()].keys()),
      entries: [...entries.values()],
      overrideFile: overrideFileOf(0),
    }
  }

  /** Whether the override answers this call. To be asked once for each call, in their order. */
  has({ sessionId, purpose }: ModelRequest): boolean {
    if (sessionId === undefined || (purpose !== undefined && purpose !== 'compaction')) return false
    if (this.#primary === undefined && this.#lineageOf(sessionId)?.parent === undefined) {
      this.#primary = sessionId
    }
    if (sessionId !== this.#primary) return false
    return this.#positions.has(this.#next++)
  }
}
