import { PROTOCOL_VERSION, methods } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import { SnapshotError } from '../errors.ts'
import type { Step } from '../scenario/index.ts'
import type { Outcome } from './acp-client.ts'
import type { ScriptRun } from './script-run.ts'
import { quote } from './shorten.ts'

const { agent } = methods

const newSessionResult = z.looseObject({ sessionId: z.string().min(1) })
const promptResult = z.looseObject({ stopReason: z.string() })

/** A step's own place in the script. */
export interface StepPlace {
  /** From 1. */
  readonly index: number
  readonly op: Step['op']
}

/** A request that has been sent. */
export interface Sent {
  readonly place: StepPlace
  readonly method: string
  readonly outcome: Promise<Outcome>
}

/** Sends a request, without waiting. */
export function send(run: ScriptRun, place: StepPlace, method: string, params: object): Sent {
  return { place, method, outcome: run.parts.client.request(method, params) }
}

/** Sends a prompt to the primary session, without waiting. */
export function sendPrompt(run: ScriptRun, place: StepPlace, prompt: readonly object[]): Sent {
  return send(run, place, agent.session.prompt, { sessionId: run.needSession(), prompt })
}

/** Waits for the answer, whatever it is, and notes it. */
export async function answerTo(run: ScriptRun, { place, method, outcome }: Sent): Promise<Outcome> {
  const answer = await run.answer(method, outcome)
  run.responses.push({ step: place.index, op: place.op, method, outcome: answer })
  return answer
}

/** Waits for a result. */
export async function resultOf(run: ScriptRun, sent: Sent): Promise<unknown> {
  const answer = await answerTo(run, sent)
  if (answer.ok) return answer.result
  throw refused(sent.method, answer)
}

/** Waits for an error. */
export async function errorOf(run: ScriptRun, sent: Sent): Promise<void> {
  const answer = await answerTo(run, sent)
  if (!answer.ok) return
  throw new SnapshotError(
    'STEP_FAILED',
    `${sent.method} was expected to fail, and the agent answered ${quote(JSON.stringify(answer.result))}. ` +
      'If it may succeed now, change the op in input.json.',
  )
}

/** Waits for the end of a prompt. */
export async function finishPrompt(run: ScriptRun, sent: Sent): Promise<void> {
  const result = promptResult.safeParse(await resultOf(run, sent))
  if (!result.success) throw malformed(sent.method, 'a string stopReason', result.error)
  run.stopReason = result.data.stopReason
}

export async function initialize(run: ScriptRun, place: StepPlace): Promise<void> {
  const params = { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} }
  await resultOf(run, send(run, place, agent.initialize, params))
}

export async function newSession(run: ScriptRun, place: StepPlace): Promise<void> {
  const params = { cwd: run.parts.host.cwd, mcpServers: [] }
  const sent = send(run, place, agent.session.new, params)
  const result = newSessionResult.safeParse(await resultOf(run, sent))
  if (!result.success) throw malformed(sent.method, 'a string sessionId', result.error)
  run.openSession(result.data.sessionId)
}

export async function newSessionExpectError(
  run: ScriptRun,
  place: StepPlace,
  additionalDirectories: readonly string[] | undefined,
): Promise<void> {
  const params = {
    cwd: run.parts.host.cwd,
    mcpServers: [],
    ...(additionalDirectories && { additionalDirectories }),
  }
  await errorOf(run, send(run, place, agent.session.new, params))
}

/** The error for a request that should have been granted. */
export function refused(method: string, { error }: Extract<Outcome, { ok: false }>): SnapshotError {
  const data = error.data === undefined ? '' : ` with ${quote(JSON.stringify(error.data), 400)}`
  return new SnapshotError(
    'STEP_FAILED',
    `the agent answered ${method} with error ${error.code}: ${error.message}${data}.`,
    { details: { method, error } },
  )
}

function malformed(method: string, expected: string, cause: Error): SnapshotError {
  const message = `the agent's answer to ${method} lacks ${expected}. The answer is not what ACP says; mend the agent.`
  return new SnapshotError('STEP_FAILED', message, { cause })
}
