import { describe, expect, it } from 'vitest'

import { recordedRoutes } from '../../src/llm-replay/recorded-routes.ts'
import { logOf } from './logs.ts'

const context = (provider: unknown) =>
  ['request/context', { provider: provider as string, model: 'm-1' }] as const

describe('recordedRoutes', () => {
  it('has each provider that a request went to, once', () => {
    const log = logOf([context('acme'), context('other'), context('acme'), context(5)].map(row => [...row]))
    expect(recordedRoutes([{ log }, { log: logOf([[...context('third')]]) }, {}])).toEqual([
      'acme',
      'other',
      'third',
    ])
  })
})
