import { defineSnapshotSuite } from 'acp-snapshot/vitest'

import { bundledScenarios } from '../support/paths.ts'

defineSnapshotSuite({ scenarios: bundledScenarios, name: 'bundled scenarios' })
