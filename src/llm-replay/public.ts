// What the package's two entries have in common; the plugin's own names belong to one of them alone.
export { parseSessionHeader, parseSessionLog } from '../session-log/index.ts'
export type { JsonObject, JsonValue, SessionEvent, SessionHeader, SessionLog } from '../session-log/index.ts'
export type {
  EventRule,
  FrameRule,
  HeaderRule,
  NormalizationRule,
  NormalizeContext,
  TextRule,
} from '../transcript/index.ts'
export type { ScriptBinding } from './choose-script.ts'
export type {
  ContentBlock,
  FinishReason,
  LlmFailure,
  StreamChunk,
  TokenUsage,
  UnknownContentBlock,
} from './chunk.ts'
export type {
  ReplayConfig,
  ReplayModelConfig,
  ReplayProviderConfig,
  ReplayRetryPolicyConfig,
} from './config.ts'
export { SnapshotError } from '../errors.ts'
export type { SnapshotErrorCode, SnapshotErrorOptions } from '../errors.ts'
export { deriveReplayScript } from './derive.ts'
export type { DeriveOptions } from './derive.ts'
export type { ModelCall, ModelRequest } from './engine.ts'
export type {
  ReplayChunksEntry,
  ReplayEntry,
  ReplayGate,
  ReplayHangEntry,
  ReplayThrowEntry,
} from './entry.ts'
export { ReplayedFailure } from './failure.ts'
export type { SessionLineage } from './lineage.ts'
export type { RequestDrift } from './request-check.ts'
export { installLlmReplay } from './install.ts'
export type { InstallOptions, ReplayHandle } from './install.ts'
export { loadReplayScript, loadSessionScripts, replayFiles } from './load-scripts.ts'
export type { ReplayFiles } from './load-scripts.ts'
export { applyOverride, parseOverride } from './override.ts'
export type { ReplayOverrideDoc, ReplayOverridePatch } from './override.ts'
export { escapePlaceholders, resolveScriptedEntry } from './placeholder.ts'
export { buildSessionScripts } from './script.ts'
export type { ScriptSource, SessionScript } from './script.ts'
