import type { CompositionOptions } from '../host/composition/composition.ts'
import type { RunScenarioOptions } from '../run-options.ts'
import type { PathOrUrl } from './paths.ts'

/**
 * What {@link defineSnapshotSuite} takes.
 *
 * @public
 */
export interface SnapshotSuiteOptions extends Pick<
  RunScenarioOptions,
  'env' | 'host' | 'rules' | 'timeouts' | 'workspace'
> {
  /** A folder with scenarios, at any depth. */
  readonly scenarios: PathOrUrl
  /** For scenarios whose `suite.json` names none; by default the nearest `cordis.yml` upwards. */
  readonly composition?: PathOrUrl | CompositionOptions
  /** Names of the only scenarios to register. */
  readonly only?: readonly string[]
  /** What the suite is called; by default the name of the folder. */
  readonly name?: string
  /** Whether scenarios run side by side, as many as the runner's `maxConcurrency` says; by default they do. */
  readonly concurrent?: boolean
  /** Whether a test looks through the files of all scenarios, as `verifyFixtures` does; by default one does. */
  readonly guards?: boolean
  /** Of each test, ms; 60000 by default. The parts of a run have deadlines of their own. */
  readonly timeoutMs?: number
}
