import type { NormalizationRule } from './rule.ts'

/**
 * What a run has of its own and no other run has: the values that normalisation replaces by tokens.
 *
 * @public
 */
export interface NormalizeContext {
  /**
   * The run's working directory and its resolved aliases, absolute, in any order. Each is also matched with `/private`
   * before it and as a file URI. Relative paths, file system roots and paths that hold a token are not matched.
   */
  readonly cwds: readonly string[]
  /** The ids of the run's sessions. UUIDs are replaced whether they are listed or not. */
  readonly sessionIds: readonly string[]
  /** Absolute folders, other than `.spill` in the working directory, that the run spills long outputs to. */
  readonly spillRoots?: readonly string[]
  /** The run's home folders, absolute: `{{home}}`. */
  readonly homes?: readonly string[]
  /** The run's temporary folders, absolute: `{{tmp}}`. */
  readonly temps?: readonly string[]
  /** The folders that the run's logs go to, absolute: `{{sessions}}`. */
  readonly sessionRoots?: readonly string[]
  /**
   * Ids of background jobs that were announced elsewhere, in that order, such as `bash-7`: numbered by first sight. They are
   * those of a raw document: what is normalised already has numbers, which these would give once more.
   */
  readonly jobIds?: readonly string[]
  /** Rules of one's own, applied after the built-in ones in the order given. */
  readonly rules?: readonly NormalizationRule[]
}
