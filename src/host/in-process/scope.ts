import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'

import type { IFs } from 'memfs'

import type { RealRoot } from '../folders/real-root.ts'

/** Standard streams as code inside a run sees them. */
export interface ScopeStdio {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
}

/**
 * What is a run's own where the rest of the process has the real thing. Code that was started inside a run finds it
 * through the async context; everything else finds none and sees the real process.
 */
export interface RunScope {
  /** Unique among the runs of this process; part of the run's folder names, so always of one length. */
  readonly key: string
  readonly cwd: string
  readonly home: string
  /** The environment; code inside the run may change it. */
  readonly env: Record<string, string | undefined>
  /** The virtual disk: serves every path below `virtualRoot`. */
  readonly disk: IFs
  readonly stdio: ScopeStdio
  /** Whether code inside the run may open connections. */
  readonly network: 'open' | 'refused'
  /** Stands in for the process where a plugin listens for process events. */
  readonly processEvents: EventEmitter
  /** Called when code inside the run asks the process to end. */
  exit(code: number | undefined): void
  /** Called with an error of code inside the run that nothing handled, and the event by which Node tells of it. */
  crash(event: string, error: unknown): void
}

/** Process-wide state. Two copies of this library may meet in a process (sources under a runner, `lib` from a plugin). */
export interface ProcessSlot {
  readonly scopes: AsyncLocalStorage<RunScope>
  /** Set while the process-wide functions are wrapped. */
  installed: boolean
  /** The folder that holds what runs of this process put on the real disk; absent before the first. */
  realRoot: RealRoot | undefined
  /** Counts runs, for their keys. */
  runs: number
  /** The last mount admitted by the gate. */
  gate: Promise<void>
  /** Runs whose `exit` listeners are called when the process ends. */
  readonly live: Set<RunScope>
}

const slotKey = Symbol.for('acp-snapshot.process.1')

function createSlot(): ProcessSlot {
  return {
    scopes: new AsyncLocalStorage<RunScope>(),
    installed: false,
    realRoot: undefined,
    runs: 0,
    gate: Promise.resolve(),
    live: new Set(),
  }
}

/** The one slot of this process. */
export const slot: ProcessSlot = findSlot()

function findSlot(): ProcessSlot {
  const found: unknown = Reflect.get(globalThis, slotKey)
  if (found !== undefined) return found as ProcessSlot
  const made = createSlot()
  Reflect.set(globalThis, slotKey, made)
  return made
}

/** The run that the calling code belongs to, if any. */
export function currentScope(): RunScope | undefined {
  return slot.scopes.getStore()
}
