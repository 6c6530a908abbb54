export { decodeRow, decodeRows } from './decode.ts'
export { firstLineOf, zstdEnding } from './decompress.ts'
export { parseSessionHeader } from './header.ts'
export { packEvents } from './pack.ts'
export { parseSessionLog } from './parse.ts'
export { projectSessionLog, serializeSessionLog } from './serialize.ts'
export type { ToolCallRecord } from './tool-calls.ts'
export { toolCallsOf } from './tool-calls.ts'
export type {
  JsonObject,
  JsonValue,
  LogPlace,
  PackedRow,
  SessionEvent,
  SessionHeader,
  SessionLog,
  StorageRow,
  TextChunksRow,
  ToolCallChunksRow,
} from './types.ts'
