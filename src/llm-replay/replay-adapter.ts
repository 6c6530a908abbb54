import type { StreamChunk } from './chunk.ts'
import type { ReplayModelConfig, ReplayProviderConfig } from './config.ts'
import type { ModelRequest } from './engine.ts'
import { resolveRetryPolicy } from './retry-policy.ts'

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

function defined(object: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
