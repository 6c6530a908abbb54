import type { ReplayRetryPolicyConfig } from './config.ts'

/** The harness's own defaults (dsh-llm 0.1.0-rc.8), which it leaves to each adapter to fill in. */
export const retryDefaults = {
  maxRetries: 5,
  retryableCodes: ['EMPTY_RESPONSE', 'RATE_LIMIT', 'SERVER', 'TIMEOUT', 'TRANSPORT'],
  initialDelayMs: 500,
  maxDelayMs: 10_000,
  jitterRatio: 0.1,
} as const

/** A policy as the harness wants it of an adapter: whole and flat. Without one, the harness has its own. */
export function resolveRetryPolicy(policy: ReplayRetryPolicyConfig | undefined): object | undefined {
  if (policy === undefined) return undefined
  const { mode, backoff = {} } = policy
  const delays = {
    initialDelayMs: backoff.initialDelayMs ?? retryDefaults.initialDelayMs,
    maxDelayMs: backoff.maxDelayMs ?? retryDefaults.maxDelayMs,
    jitterRatio: backoff.jitterRatio ?? retryDefaults.jitterRatio,
  }
  if (mode === 'always') return { mode, ...delays }
  const { maxRetries = retryDefaults.maxRetries, retryableCodes = retryDefaults.retryableCodes } = policy
  return { mode, maxRetries, retryableCodes: [...retryableCodes], ...delays }
}
