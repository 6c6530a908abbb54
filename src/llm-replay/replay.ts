import { setTimeout as sleep } from 'node:timers/promises'

import type { SnapshotError } from '../errors.ts'
import type { NormalizationRule, NormalizeContext } from '../transcript/index.ts'
import type { ScriptBinding } from './choose-script.ts'
import type { StreamChunk } from './chunk.ts'
import { ReplayEngine, type ModelCall, type ModelRequest } from './engine.ts'
import { Gates } from './gates.ts'
import type { SessionLineage } from './lineage.ts'
import type { RequestDrift } from './request-check.ts'
import type { SessionScript } from './script.ts'
import { writeReadyFile } from './write-ready-file.ts'

/** What a replay is made of, wherever the agent lives. */
export interface ReplayOptions {
  /** The primary first. */
  readonly scripts: readonly SessionScript[]
  /** Pause before each chunk, ms; default 0. */
  readonly paceMs?: number | undefined
  readonly drift?: 'error' | 'report' | undefined
  readonly rules?: readonly NormalizationRule[] | undefined
  readonly onCall?: ((call: ModelCall) => void) | undefined
  readonly onError?: ((error: SnapshotError) => void) | undefined
  readonly lineageOf: (sessionId: string) => SessionLineage | undefined
  readonly runContext: () => NormalizeContext
  /** The working directory of the run. */
  readonly cwd: () => string
}

/** Recorded streams with their gates, ready to answer whoever calls. */
export class Replay {
  readonly #gates = new Gates()
  readonly #engine: ReplayEngine

  constructor(options: ReplayOptions) {
    const { cwd, paceMs = 0, ...rest } = options
    this.#engine = new ReplayEngine({
      ...rest,
      paceMs,
      effects: {
        cwd,
        writeReadyFile: name => writeReadyFile(name, cwd()),
        gate: (name, signal) => this.#gates.wait(name, signal),
        sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
      },
    })
  }

  /** Streams the entry that is next for the calling session. */
  stream(request: ModelRequest): AsyncIterableIterator<StreamChunk, void, undefined> {
    return this.#engine.stream(request)
  }

  openGate(name: string): void {
    this.#gates.open(name)
  }

  gatesAwaited(): readonly string[] {
    return this.#gates.awaited
  }

  bindings(): readonly ScriptBinding[] {
    return this.#engine.bindings()
  }

  drifts(): readonly RequestDrift[] {
    return this.#engine.drifts()
  }

  assertConsumed(): void {
    this.#engine.assertConsumed()
  }
}
