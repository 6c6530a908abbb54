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
 * Serves the routes of a catalogue. A route or model that the catalogue lacks is served all the same, with the facts that
 * its recording has: a catalogue is advice, not a gate.
 *
 * @param recorded - what recordings tell of models: for what the catalogue leaves open
 */
export function replayAdapter(
  catalogue: readonly ReplayProviderConfig[],
  stream: (request: ModelRequest) => AsyncIterable<StreamChunk>,
  recorded: readonly ReplayProviderConfig[] = [],
): ReplayAdapter {
  const providers = new Map(catalogue.map(provider => [provider.id, provider]))
  const modelIn = (among: readonly ReplayProviderConfig[], id: string, name: string) =>
    among.find(provider => provider.id === id)?.models.find(model => model.id === name)
  return {
    providerInfo: id => ({ id, name: providers.get(id)?.name ?? id }),
    providerRetryPolicy: id => resolveRetryPolicy(providers.get(id)?.retryPolicy),
    listModels: id => Promise.resolve((providers.get(id)?.models ?? []).map(model => listedModel(id, model))),
    resolveModel: (id, name) => {
      const facts = {
        ...defined({ ...modelIn(recorded, id, name) }),
        ...defined({ ...modelIn(catalogue, id, name) }),
      }
      return Promise.resolve(resolvedModel(id, { id: name, ...facts }))
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
