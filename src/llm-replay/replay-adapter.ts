import type { StreamChunk } from './chunk.ts'
import type { ReplayModelConfig, ReplayProviderConfig, ReplayRetryPolicyConfig } from './config.ts'
import type { ModelRequest } from './engine.ts'

/** The harness's own defaults of a retry policy (dsh-llm 0.1.0-rc.8), which it fills in for adapters only. */
const retryDefaults = {
  maxRetries: 2,
  retryableCodes: ['EMPTY_RESPONSE', 'RATE_LIMIT', 'SERVER', 'TIMEOUT', 'TRANSPORT'],
  initialDelayMs: 500,
  maxDelayMs: 10_000,
  jitterRatio: 0.1,
} as const

/** The adapter of the harness's model runtime, by structure. */
export interface ReplayAdapter {
  providerInfo(provider: string): { id: string; name: string }
  providerRetryPolicy(provider: string): object | undefined
  listModels(provider: string): Promise<object[]>
  resolveModel(provider: string, model: string): Promise<object>
  stream(request: ModelRequest): AsyncIterable<StreamChunk>
}

/**
 * Serves the routes of a catalogue. A route or model that the catalogue lacks is served all the same, without facts
 * about it: a catalogue is advice, not a gate.
 */
export function replayAdapter(
  catalogue: readonly ReplayProviderConfig[],
  stream: (request: ModelRequest) => AsyncIterable<StreamChunk>,
): ReplayAdapter {
  const providers = new Map(catalogue.map(provider => [provider.id, provider]))
  return {
    providerInfo: id => ({ id, name: providers.get(id)?.name ?? id }),
    providerRetryPolicy: id => resolveRetryPolicy(providers.get(id)?.retryPolicy),
    listModels: id => Promise.resolve((providers.get(id)?.models ?? []).map(model => listedModel(id, model))),
    resolveModel: (id, name) => {
      const model = providers.get(id)?.models.find(candidate => candidate.id === name)
      return Promise.resolve(
        model === undefined ? { provider: id, id: name, name } : resolvedModel(id, model),
      )
    },
    stream,
  }
}

function listedModel(provider: string, model: ReplayModelConfig): object {
  const { id, name = id, description, inputModalities } = model
  return defined({ provider, id, name, description, inputModalities })
}

function resolvedModel(provider: string, model: ReplayModelConfig): object {
  const { contextWindow, maxTokens, reasoning } = model
  return {
    ...listedModel(provider, model),
    ...defined({
      context: contextWindow === undefined ? undefined : { contextWindow },
      defaultMaxTokens: maxTokens,
      reasoning,
    }),
  }
}

function resolveRetryPolicy(policy: ReplayRetryPolicyConfig | undefined): object | undefined {
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

function defined(object: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
