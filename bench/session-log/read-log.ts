import { deriveReplayScript } from '../../src/llm-replay/index.ts'
import { parseSessionLog } from '../../src/session-log/index.ts'
import { normalizeSessionLog, type NormalizeContext } from '../../src/transcript/index.ts'
import { own } from './words.ts'

/** What a run knows of its folders and sessions. */
const context: NormalizeContext = {
  cwds: [own.cwd, `/private${own.cwd}`],
  sessionIds: [own.sessionId],
  spillRoots: [own.spill],
  homes: [own.home],
  temps: [own.temp, own.sharedTemp],
  sessionRoots: [own.sessions],
}

/** All that is done with a log: parse, derive, normalise. */
export function readLog(text: string): unknown {
  const log = parseSessionLog(text, 'session.jsonl')
  return [log, deriveReplayScript(log), normalizeSessionLog(log, context)]
}
