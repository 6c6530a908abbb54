import { asText } from '../session-log/json-parts.ts'
import type { SessionLog } from '../session-log/types.ts'

/** The provider routes that recorded requests went to. */
export function recordedRoutes(recordings: readonly { readonly log?: SessionLog | undefined }[]): string[] {
  const routes = new Set<string>()
  for (const { type, data } of recordings.flatMap(({ log }) => log?.events ?? [])) {
    const provider = type === 'request/context' ? asText(data.provider) : undefined
    if (provider !== undefined) routes.add(provider)
  }
  return [...routes]
}
