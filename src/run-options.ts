import type { InlineScenario, Scenario } from './fixtures/index.ts'
import type { CompositionOptions } from './host/in-process/composition.ts'

/**
 * What {@link runScenario} takes.
 *
 * @public
 */
export interface RunScenarioOptions {
  /** A scenario's folder, one that was loaded, or an object with its parts. */
  readonly scenario: string | Scenario | InlineScenario
  /** Path of the composition, or more about it; found from the scenario's folder where absent. */
  readonly composition?: string | CompositionOptions
  /** `replay` (the default) answers model calls from the recording; `record` lets them reach the provider. */
  readonly mode?: 'replay' | 'record'
  /** Which disk the working directory is on; `disk` by default, or what `suite.json` says. */
  readonly workspace?: 'disk' | 'memory'
  /** Values of the agent's environment beside the fixed ones. */
  readonly env?: Readonly<Record<string, string>>
  /** Pause before each replayed chunk, ms; 0 by default. */
  readonly paceMs?: number
  /** Ends the run; its reason is thrown. */
  readonly signal?: AbortSignal
  /** Deadlines in ms. */
  readonly timeouts?: {
    /** For the composition to become active; 30000 by default. */
    readonly mount?: number
    /** For an answer to a request of the script; 30000 by default. */
    readonly prompt?: number
    /** For the composition to be disposed; 15000 by default. */
    readonly dispose?: number
  }
}
