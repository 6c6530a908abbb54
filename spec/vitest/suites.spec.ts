import { describe } from 'vitest'

import { defineSnapshotSuite } from 'acp-snapshot/vitest'

import { bundledScenarios } from '../support/paths.ts'

defineSnapshotSuite({ scenarios: bundledScenarios, only: ['handshake'], concurrent: false, guards: false })

describe('a suite that finds nothing', { fails: true }, () => {
  defineSnapshotSuite({ scenarios: 'no/such/folder' })
})
