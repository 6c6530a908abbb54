import { asText } from '../session-log/json-parts.ts'
import type { SessionLog } from '../session-log/types.ts'

/** The provider routes that recorded requests went to. */
export function recordedRoutes(logs: readonly SessionLog[]): string[] {
  const routes = new Set<string>()
  for (const { type, data } of logs.flatMap(({ events }) => events)) {
    const provider = type === 'request/context' ? asText(data.provider) : undefined
    if (provider !== undefined) routes.add(provider)
  }
  return [...routes]
}
