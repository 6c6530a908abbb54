import { SnapshotError } from '../errors.ts'
import type { Step } from '../scenario/index.ts'
import { errorOf, finishPrompt, initialize, newSession, newSessionExpectError, sendPrompt } from './ask.ts'
import { cancel, promptAndCancel } from './cancel.ts'
import {
  childSession,
  eventFollowsTurnEnd,
  goalIsIn,
  inboxHasTaken,
  sessionOf,
  turnHasEnded,
  turnIsClosed,
  turnIsOpen,
} from './journal-looks.ts'
import type { ScriptRun } from './script-run.ts'

/**
 * Does one step and waits for what it waits for.
 *
 * @param index - the step's number, from 1
 */
export async function performStep(run: ScriptRun, step: Step, index: number): Promise<void> {
  const place = { index, op: step.op }
  const primary = sessionOf(run.sessionId ?? '')
  switch (step.op) {
    case 'initialize':
      return initialize(run, place)
    case 'newSession':
      return newSession(run, place)
    case 'newSessionExpectError':
      return newSessionExpectError(run, place, step.additionalDirectories)
    case 'prompt':
      return finishPrompt(run, sendPrompt(run, place, [text(step.text)]))
    case 'promptContent':
      return finishPrompt(run, sendPrompt(run, place, step.content))
    case 'promptAndWaitForAgentMessage': {
      const chunk = run.parts.client.messages.next(step.waitForText)
      await finishPrompt(run, sendPrompt(run, place, [text(step.text)]))
      return run.message(step.waitForText, chunk)
    }
    case 'promptExpectError':
      return errorOf(run, sendPrompt(run, place, [text(step.text)]))
    case 'promptAndCancel':
      return promptAndCancel(run, place, step)
    case 'cancel':
      return cancel(run, step)
    case 'waitForFile':
      return run.file(step)
    case 'waitForTurnStart': {
      const minimum = step.minimumTurn ?? 0
      const what = minimum === 0 ? 'open turn' : `open turn of number ${minimum} or later`
      return run.journal({ what, ms: step.timeoutMs }, turnIsOpen(primary, minimum))
    }
    case 'waitForTurnEnd':
      return run.journal(
        { what: 'turn/end as the latest turn boundary', ms: step.timeoutMs },
        turnIsClosed(primary),
      )
    case 'waitForSubagentTurnEnd': {
      const child = childSession(step.child)
      const what = `turn/end of turn ${step.minimumTurn} or later in child ${step.child}`
      return run.journal({ what, ms: step.timeoutMs, of: child }, turnHasEnded(child, step.minimumTurn))
    }
    case 'waitForGoalPhase': {
      const what = `goal/change to the phase ${JSON.stringify(step.phase)} as the latest one`
      return run.journal({ what, ms: step.timeoutMs }, goalIsIn(primary, step.phase))
    }
    case 'waitForInboxMessage': {
      const what = `message with ${JSON.stringify(step.text)} in the inbox`
      return run.journal({ what, ms: step.timeoutMs }, inboxHasTaken(primary, step.text))
    }
    case 'waitForTitleAfterTurnEnd':
      return eventAfterTurnEnd(run, 'session/title', step.timeoutMs)
    case 'waitForEventAfterTurnEnd':
      return eventAfterTurnEnd(run, step.type, step.timeoutMs)
    case 'signal':
      openGate(run, step.name)
      return
    default:
      throw new SnapshotError(
        'STEP_FAILED',
        `there is no op ${JSON.stringify((step satisfies never as Step).op)}.`,
      )
  }
}

function text(content: string): object {
  return { type: 'text', text: content }
}

function eventAfterTurnEnd(run: ScriptRun, type: string, ms: number): Promise<void> {
  const look = eventFollowsTurnEnd(sessionOf(run.needSession()), type)
  return run.journal({ what: `${type} after the latest turn/end`, ms }, look)
}

function openGate(run: ScriptRun, name: string): void {
  if (run.parts.openGate === undefined)
    throw new SnapshotError(
      'STEP_FAILED',
      `nothing in this run has gates, so ${JSON.stringify(name)} opens none.`,
    )
  run.parts.openGate(name)
}
