import { SnapshotError } from '../errors.ts'
import { formatReport, type Difference, type ReportOptions } from '../transcript/index.ts'

/**
 * How a run stands to its recording.
 *
 * @public
 */
export interface RunComparison {
  readonly scenario: string
  readonly equal: boolean
  /**
   * The first difference of each surface: model requests, request headers, each log, ids, standard output, facts, and what
   * was left unused. What came about first is first.
   */
  readonly differences: readonly Difference[]
  /** Whether the request headers of each log were compared with a pin; otherwise their prompt and tools were not looked at. */
  readonly pinned: boolean
  /** Whether the agent's model calls were seen; otherwise its requests were not compared with the recording. */
  readonly observed: boolean
  /** The differences laid out for a reader; empty where there are none. */
  report(options?: ReportOptions): string
  /** The same as plain data, with the name of the scenario. */
  toJSON(): RunComparisonJson
  /**
   * Does nothing where the run is equal.
   *
   * @throws SnapshotError `RUN_DIFFERS`, with the report as its message, and with `expected` and `actual`, by place, for the
   * diff that a test runner draws
   */
  assertEqual(): void
}

/** @public */
export type RunComparisonJson = Pick<
  RunComparison,
  'scenario' | 'equal' | 'pinned' | 'observed' | 'differences'
>

/** Puts the differences of a run together; they come in the order in which they are told. */
export function runComparison(
  scenario: string,
  differences: readonly Difference[],
  { pinned, observed }: Pick<RunComparison, 'pinned' | 'observed'>,
): RunComparison {
  const equal = differences.length === 0
  const notes = [...(pinned ? [] : [notPinned]), ...(observed ? [] : [notObserved])]
  const report = (options?: ReportOptions): string =>
    formatReport(differences, { ...(notes.length === 0 ? {} : { note: notes.join('; ') }), ...options })
  return {
    scenario,
    equal,
    differences,
    pinned,
    observed,
    report,
    toJSON: () => ({ scenario, equal, pinned, observed, differences }),
    assertEqual() {
      const error = differenceError(this)
      if (error !== undefined) throw error
    },
  }
}

/**
 * What `assertEqual` throws.
 *
 * @param hint - a line that its message ends with
 */
export function differenceError(comparison: RunComparison, hint?: string): SnapshotError | undefined {
  const { scenario, equal, differences } = comparison
  if (equal) return undefined
  const [expected, actual] = (['expected', 'actual'] as const).map(side =>
    Object.fromEntries(
      differences.map(difference => [placeOf(difference), (difference.whole ?? difference)[side]]),
    ),
  )
  const lines = [
    `${scenario} differs from its recording.`,
    comparison.report(),
    ...(hint === undefined ? [] : [hint]),
  ]
  return new SnapshotError('RUN_DIFFERS', lines.join('\n'), {
    details: { scenario, differences },
    compared: { expected, actual },
  })
}

const notPinned = 'request headers are not pinned: prompt and tools were not compared'

/** What is said of a run whose agent has kept its model calls to itself. */
export const notObserved =
  'model calls were not seen: requests were not compared, nor whether all of the recording was used'

/** What a difference is called among the others. */
function placeOf({ surface, index, path, whole, counts, message }: Difference): string {
  if (whole !== undefined && counts !== undefined)
    return counts.unit === 'frames' ? `${surface} frame ${index + 1}` : `${surface} event ${index}`
  return path === '' ? message : `${surface} ${path}`
}
