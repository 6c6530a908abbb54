import { defineSnapshotSuite } from 'acp-snapshot/vitest'

defineSnapshotSuite({
  scenarios: './fixtures/scenarios',
  composition: './fixtures/compositions/dsh/cordis.yml', // for scenarios whose suite.json names none
})
