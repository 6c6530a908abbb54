import { z } from 'zod'

/** What is looked at of a request to the chat completions of the DeepSeek API. */
export interface WireRequest {
  readonly model: string
  readonly messages: readonly WireMessage[]
  /** Names of the tools that it offers. */
  readonly tools: readonly string[]
  /** Whether the harness marks it as the summary for a compaction. */
  readonly compaction: boolean
  /** What the bearer's key is, if one is given. */
  readonly key: string | undefined
}

interface WireMessage {
  readonly role: string
  readonly text: string
}

const part = z.looseObject({ text: z.string().optional() })

const schema = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['system', 'user', 'assistant', 'tool']),
        content: z.union([z.string(), z.array(part)]).nullish(),
      }),
    )
    .min(1),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
})

/** Reads a request; throws where it is none that the API takes. */
export function wireRequest(
  body: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): WireRequest {
  const { model, messages, tools = [] } = schema.parse(JSON.parse(body))
  const [, key] = /^Bearer (.+)$/.exec(String(headers.authorization)) ?? []
  return {
    model,
    messages: messages.map(({ role, content }) => ({ role, text: textOf(content) })),
    tools: tools.map(tool => tool.function.name),
    compaction: headers['x-deepseek-harness-compact'] === '1',
    key,
  }
}

function textOf(content: string | readonly z.infer<typeof part>[] | null | undefined): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text = '' }) => text).join('')
}
