/**
 * Snapshot suites for Vitest.
 *
 * @packageDocumentation
 */
export { defineSnapshotSuite } from './define-snapshot-suite.ts'
export type { CountRange, SnapshotMatchers } from './matchers.ts'
import './matchers.ts'
export type { PathOrUrl } from './paths.ts'
export type { SnapshotSuiteOptions } from './suite-options.ts'
export { test } from './test.ts'
export type { AgentUnderTest, SnapshotFixtures } from './test.ts'
