import { z } from 'zod'

import type { StreamChunk } from '../llm-replay/chunk.ts'
import type { ReplayProviderConfig } from '../llm-replay/config.ts'
import type { ModelRequest } from '../llm-replay/engine.ts'
import type { JsonObject } from '../session-log/types.ts'

/** Names the setup file to the agent's process; whoever takes the channel takes it out of the environment. */
export const channelVariable = 'ACP_SNAPSHOT_CHANNEL'

/** Told apart by whoever reads: two versions of this library may meet in one run. */
export const channelVersion = 1

/** An object that was JSON a moment ago: there is nothing in it to check but that it is one. */
function jsonObject<T>(): z.ZodType<T> {
  return z.custom<T>(value => typeof value === 'object' && value !== null && !Array.isArray(value))
}

const lineage = z.object({
  parent: z.string().exactOptional(),
  label: z.string().exactOptional(),
  prompt: z.string().exactOptional(),
  cwd: z.string().exactOptional(),
})

const error = z.object({
  code: z.string().optional(),
  message: z.string(),
  details: jsonObject<JsonObject>().optional(),
})

const request: z.ZodType<Omit<ModelRequest, 'signal'>> = z.looseObject({
  provider: z.string(),
  model: z.string(),
  messages: z.custom<ModelRequest['messages']>(Array.isArray),
  sessionId: z.string().exactOptional(),
  purpose: z.string().exactOptional(),
})

/** Milliseconds. */
const ms = z.number().nonnegative()

/** What the agent's process says. */
export const fromAgent = z.discriminatedUnion('type', [
  /** The first message of each connection. */
  z.object({ type: z.literal('hello'), version: z.number(), pid: z.number() }),
  /** The composition is active. */
  z.object({ type: z.literal('ready'), importMs: ms, mountMs: ms }),
  /** It could not become so. */
  z.object({ type: z.literal('failed'), error }),
  /** What the replay's entry in the composition is configured with. */
  z.object({
    type: z.literal('replay'),
    paceMs: z.number().exactOptional(),
    drift: z.enum(['error', 'report']).exactOptional(),
  }),
  z.object({
    type: z.literal('event'),
    session: z.object({ id: z.string(), parentSession: z.string().exactOptional() }),
    event: z.object({ type: z.string(), seq: z.number(), data: jsonObject<JsonObject>() }),
  }),
  /** Asks for the first chunk of an answer. The id is the connection's own. */
  z.object({ type: z.literal('call'), id: z.number(), request, lineage: lineage.exactOptional() }),
  /** Asks for the next chunk. */
  z.object({ type: z.literal('pull'), id: z.number() }),
  /** Nobody reads the answer any more. */
  z.object({ type: z.literal('abort'), id: z.number() }),
  /** The composition is gone; what a plugin failed with meanwhile. */
  z.object({ type: z.literal('disposed'), problem: z.string().exactOptional() }),
])

/** One message of the agent's process. */
export type FromAgent = z.infer<typeof fromAgent>

/** What is answered to a `call` or a `pull`. */
const answers = [
  z.object({ type: z.literal('chunk'), id: z.number(), chunk: jsonObject<StreamChunk>() }),
  z.object({ type: z.literal('end'), id: z.number() }),
  z.object({ type: z.literal('throw'), id: z.number(), error }),
  /** The provider is to answer. */
  z.object({ type: z.literal('next'), id: z.number() }),
] as const

/** Not yet, and nobody is to wait for it in one turn: to be asked for by a `pull` over the socket. */
const later = z.object({ type: z.literal('later'), id: z.number() })

export const toAgent = z.discriminatedUnion('type', answers)

/** What is answered to who waits and does nothing else. */
export const toWaitingAgent = z.discriminatedUnion('type', [...answers, later])

/** One message to the agent's process. */
export type ToAgent = z.infer<typeof toAgent>
export type ToWaitingAgent = z.infer<typeof toWaitingAgent>

/** An error as it goes over the channel. */
export type SentError = z.infer<typeof error>

/** What the agent's process has to know before it mounts anything. */
export const channelSetup = z.object({
  version: z.number(),
  /** Path of the socket, or name of the pipe. */
  socket: z.string(),
  /** A descriptor of the process over which it can ask and wait. */
  syncFd: z.number().exactOptional(),
  mode: z.enum(['replay', 'record']),
  /** Where the run's own folders are, which plugins get by their configuration. */
  folders: z.object({ cwd: z.string(), sessions: z.string(), spill: z.string() }),
  /** Routes to answer where no adapter has them. */
  routes: z.array(z.string()),
  /** What the recording tells of models. */
  recorded: z.array(jsonObject<ReplayProviderConfig>()),
  /** Mounted instead of the composition; by default its sibling; false: none. */
  overlay: z.union([z.string(), z.literal(false)]).exactOptional(),
  /** Changes to the rows of the composition. */
  patches: z.array(jsonObject<JsonObject>()),
})

/** The content of the setup file. */
export type ChannelSetup = z.infer<typeof channelSetup>
