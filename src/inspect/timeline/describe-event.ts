import { asArray, asObject, asText, blockTexts } from '../../session-log/json-parts.ts'
import { sourceKind } from '../../session-log/source-kind.ts'
import type { JsonObject, JsonValue, SessionEvent } from '../../session-log/types.ts'
import { describeChunk } from './describe-chunk.ts'
import { describeFailure, describeUsage } from './describe-parts.ts'
import { quoted } from './fit.ts'
import { counted } from '../../counted.ts'
import { words } from './words.ts'

/** What matters of an event, in a line; of a type that is not known, its data as JSON. */
export function describeEvent({ type, data }: SessionEvent): string {
  return (describers.get(type) ?? json)(data)
}

const describers = new Map<string, (data: JsonObject) => string>([
  ['turn/start', place],
  ['turn/end', data => words(place(data), describeEnd(asObject(data.reason)))],
  ['step/start', place],
  ['step/end', place],
  ['user/message', data => words(asText(sourceKind(data.source)), textOf(data.content))],
  ['assistant/chunk', data => describeChunk(asObject(data.chunk) ?? {})],
  [
    'assistant/message',
    data =>
      words(
        textOf(asObject(data.message)?.content),
        describeUsage(data.usage),
        data.interrupted === true && 'interrupted',
      ),
  ],
  ['tool/call', data => words(asText(data.name), asText(data.callId), quoted(asText(data.arguments) ?? ''))],
  ['tool/result', describeResult],
  [
    'request/header',
    data => words(asText(data.reason), describeRoute(asObject(asObject(data.header)?.config))),
  ],
  ['request/context', describeRoute],
  ['session/title', data => words(asText(sourceKind(data.source)), quoted(asText(data.title) ?? ''))],
  ['compaction/start', place],
  [
    'compaction/summary',
    data => words(describeShadowed(data), describeUsage(data.usage), textOf(data.summary)),
  ],
  ['compaction/end', data => words(place(data), asText(data.error))],
  ['compaction/prune', describeShadowed],
  ['llm/retry', data => words(place(data), number('retry', data.retry), describeFailure(data.failure))],
  ['llm/retry-started', data => words(place(data), number('retry', data.retry))],
  [
    'subagent/descriptor',
    data => words(asText(data.mode), asText(data.provider), quoted(asText(data.label) ?? '')),
  ],
])

function json(data: JsonObject): string {
  return JSON.stringify(data)
}

function place({ turn, step }: JsonObject): string {
  return words(number('turn', turn), number('step', step))
}

function number(name: string, value: JsonValue | undefined): string | undefined {
  return typeof value === 'number' ? `${name} ${value}` : undefined
}

function describeEnd(reason: JsonObject | undefined): string {
  const by = asText(asObject(reason?.reason)?.kind)
  return words(asText(reason?.kind), by !== undefined && `by ${by}`, describeFailure(reason?.error))
}

function describeResult(data: JsonObject): string {
  const message = asObject(data.message)
  const block = asObject(asArray(message?.content)[0])
  const error = asObject(data.error)
  return words(
    asText(asObject(message?.source)?.callId),
    block?.isError === true ? words('error', asText(error?.name), asText(error?.code)) : 'ok',
    textOf(block?.content),
  )
}

function describeRoute(config: JsonObject | undefined): string {
  return [config?.provider, config?.model].filter(part => typeof part === 'string').join('/')
}

function describeShadowed(data: JsonObject): string {
  return `${counted(asArray(data.shadowedSeqs).length, 'message')} replaced`
}

/** All texts of a message's content; what is none is named by its type. */
function textOf(content: JsonValue | undefined): string {
  const others = asArray(content).flatMap(block => {
    const { type, name } = asObject(block) ?? {}
    return typeof type === 'string' && type !== 'text' ? [words(type, asText(name))] : []
  })
  const text = blockTexts(content).join('\n')
  return words(text !== '' && quoted(text), others.length > 0 && `(${others.join(', ')})`)
}
