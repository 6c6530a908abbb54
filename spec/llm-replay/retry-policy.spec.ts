import { resolveRetryPolicy as harnessPolicy, type RetryPolicyConfig } from '@deepseek-ai/dsh-llm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Config, type ReplayRetryPolicyConfig } from '../../src/llm-replay/index.ts'
import { resolveRetryPolicy } from '../../src/llm-replay/retry-policy.ts'
import { replayAdapter } from '../../src/llm-replay/replay-adapter.ts'
import { harness } from './harness.ts'

const delayMs = fc.oneof(
  fc.constantFrom(0, 0.5, 499, 500, 501, 9_999, 10_000, 10_001, 2 ** 31 - 1, 2 ** 31, Infinity, NaN, -1),
  fc.double(),
)
const policies = fc.record(
  {
    mode: fc.constantFrom<('normal' | 'always')[]>('normal', 'always'),
    maxRetries: fc.constantFrom(0, 1, 7, -1, 0.5, 2 ** 53),
    retryableCodes: fc.array(fc.constantFrom('SERVER', 'BUSY', ''), { maxLength: 3 }),
    backoff: fc.record(
      {
        initialDelayMs: delayMs,
        maxDelayMs: delayMs,
        jitterRatio: fc.constantFrom(0, 0.25, 1, 1.5, -0.1, NaN),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['mode'] },
)

function accepts(retryPolicy: unknown): boolean {
  return Config.safeParse({ providers: [{ id: 'p', models: [], retryPolicy }] }).success
}

/** What the harness makes of a policy; undefined where it refuses it. */
function byHarness(policy: ReplayRetryPolicyConfig): object | undefined {
  try {
    return harnessPolicy(policy as RetryPolicyConfig, 'p')
  } catch {
    return undefined
  }
}

describe('resolveRetryPolicy', () => {
  it.each([
    { mode: 'normal' },
    { mode: 'always' },
    { mode: 'normal', maxRetries: 0, retryableCodes: ['BUSY'], backoff: { initialDelayMs: 1 } },
    { mode: 'always', maxRetries: 3, backoff: { maxDelayMs: 600, jitterRatio: 0 } },
  ] as const)('fills in what the harness would: %j', policy => {
    expect(resolveRetryPolicy(policy)).toEqual(harnessPolicy(policy as RetryPolicyConfig, 'p'))
  })

  it('leaves the defaults to the harness where there is no policy', async () => {
    expect(resolveRetryPolicy(undefined)).toBeUndefined()
    const ctx = await harness()
    const stream = (): never => {
      throw new Error('not called')
    }
    ctx.llm.registerAdapter(['p'], replayAdapter([{ id: 'p', models: [] }], stream) as never)
    expect(ctx.llm.providerRetryPolicy('p')).toEqual(harnessPolicy(undefined, 'p'))
  })

  it('agrees with the harness on every policy, and the config refuses what the harness does', () => {
    fc.assert(
      fc.property(policies, policy => {
        const expected = byHarness(policy)
        // The harness does not look at what a mode has no use for.
        fc.pre(
          policy.mode === 'normal' ||
            (policy.maxRetries === undefined && policy.retryableCodes === undefined),
        )
        expect(accepts(policy)).toBe(expected !== undefined)
        if (expected !== undefined) expect(resolveRetryPolicy(policy)).toEqual(expected)
      }),
      { numRuns: 2_000 },
    )
  })
})
