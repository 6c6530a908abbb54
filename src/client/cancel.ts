import { methods } from '@agentclientprotocol/sdk'
import { SnapshotError } from '../errors.ts'
import type { CancelStep, PromptAndCancelStep } from '../scenario/index.ts'
import { finishPrompt, refused, sendPrompt } from './ask.ts'
import type { Sent, StepPlace } from './ask.ts'
import { sessionOf, turnIsOpen } from './journal-looks.ts'
import { PROMPT_LIMIT, type ScriptRun } from './script-run.ts'

export async function cancel(run: ScriptRun, step: CancelStep): Promise<void> {
  const sessionId = run.needSession()
  if (step.waitForFile !== undefined) await run.file(step.waitForFile)
  await run.notify(methods.agent.session.cancel, { sessionId })
}

export async function promptAndCancel(
  run: ScriptRun,
  place: StepPlace,
  step: PromptAndCancelStep,
): Promise<void> {
  const sessionId = run.needSession()
  const sent = sendPrompt(run, place, [{ type: 'text', text: step.text }])
  const early = answeredEarly(sent)
  if (step.waitForFile !== undefined) await run.file(step.waitForFile, [early])
  else {
    const wait = { what: 'open turn', ms: run.parts.promptTimeoutMs, limit: PROMPT_LIMIT }
    await run.journal(wait, turnIsOpen(sessionOf(sessionId), 0), [early])
  }
  await run.notify(methods.agent.session.cancel, { sessionId })
  await finishPrompt(run, sent)
}

// A prompt that is over can't be cancelled: to wait on would only turn a clear fact into a deadline.
async function answeredEarly({ method, outcome }: Sent): Promise<never> {
  const answer = await outcome
  if (!answer.ok) throw refused(method, answer)
  throw new SnapshotError(
    'STEP_FAILED',
    `the agent answered ${method} with ${JSON.stringify(answer.result)} before there was something to cancel.`,
  )
}
