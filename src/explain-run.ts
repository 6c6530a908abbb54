import type { ScenarioRun } from './run-scenario.ts'
import {
  announcedJobs,
  explainSessionLog,
  explainStdout,
  type NormalizationChange,
} from './transcript/index.ts'

/**
 * Which rule of the normalisation changed what in a run: in standard output, then in each log, the primary's first.
 *
 * @public
 */
export function explainRun({ transcript }: ScenarioRun): NormalizationChange[] {
  const { context, rawStdout, sessions } = transcript
  const jobIds = announcedJobs(sessions.map(({ raw }) => raw))
  return [
    ...explainStdout(rawStdout, { ...context, jobIds }),
    ...sessions.flatMap(({ name, raw }) => explainSessionLog({ ...raw, file: name }, context)),
  ]
}
