import { asObject, asText } from '../session-log/json-parts.ts'
import type { SessionLog } from '../session-log/types.ts'
import type { ReplayModelConfig, ReplayProviderConfig } from './config.ts'

/** What logs tell of one model. */
interface RecordedModel {
  contextWindow?: number
  maxTokens?: number
  readonly efforts: Set<string>
  defaultEffort?: string
}

/**
 * The catalogue that logs were recorded with, as far as they tell of it: the room of each model, and what its adapter chose
 * where the agent chose nothing. It goes into every request's header, so that a replay has to know it.
 */
export function recordedCatalogue(logs: readonly SessionLog[]): ReplayProviderConfig[] {
  const providers = new Map<string, Map<string, RecordedModel>>()
  const modelOf = (provider: string, model: string): RecordedModel => {
    const models = providers.get(provider) ?? new Map<string, RecordedModel>()
    providers.set(provider, models)
    const known = models.get(model) ?? { efforts: new Set() }
    models.set(model, known)
    return known
  }
  for (const { type, data } of logs.flatMap(({ events }) => events)) {
    const header = type === 'request/header' ? asObject(data.header) : undefined
    const about = type === 'request/context' ? data : asObject(header?.config)
    const [provider, model] = [asText(about?.provider), asText(about?.model)]
    if (about === undefined || provider === undefined || model === undefined) continue
    const recorded = modelOf(provider, model)
    const { contextWindow, maxTokens } = about
    if (typeof contextWindow === 'number') recorded.contextWindow ??= contextWindow
    const chosen = asObject(header?.adapterDefaults)
    if (typeof maxTokens === 'number' && chosen?.maxTokens === true) recorded.maxTokens ??= maxTokens
    const effort = asText(about.reasoningEffort)
    if (effort === undefined) continue
    recorded.efforts.add(effort)
    if (chosen?.reasoningEffort === true) recorded.defaultEffort ??= effort
  }
  return Array.from(providers, ([id, models]) => ({ id, models: Array.from(models, configOf) }))
}

function configOf([id, { contextWindow, maxTokens, efforts, defaultEffort }]: [
  string,
  RecordedModel,
]): ReplayModelConfig {
  const known = Array.from(efforts, effort => ({ id: effort, name: effort }))
  const reasoning = known.length === 0 ? undefined : { efforts: known, defaultEffort }
  return { id, contextWindow, maxTokens, reasoning }
}
