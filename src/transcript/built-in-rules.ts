import { cwdRule } from './cwd-rule.ts'
import { hookDurationRule, requestHeaderRule } from './event-rules.ts'
import { frameIdRule } from './frame-id-rule.ts'
import { handlerIdRule } from './handler-id-rule.ts'
import { jobIdRule } from './job-id-rule.ts'
import { ownFoldersRule } from './own-folders-rule.ts'
import type { NormalizationRule } from './rule.ts'
import { sessionIdRule } from './session-id-rule.ts'
import { spillRule } from './spill-rule.ts'
import { subprocessOutputRule } from './subprocess-output-rule.ts'
import { sessionIdToken } from './tokens.ts'

/** The parts of one kind that the rule below is sure to have. */
type With<Part extends 'text' | 'event' | 'header' | 'frame'> = NormalizationRule &
  Required<Pick<NormalizationRule, Part>>

export const timeRule: With<'event'> = {
  name: 'time',
  why: 'Events carry the time of the run, and packed rows the gaps between them.',
  event: () => event => (event.time === 0 ? event : { ...event, time: 0 }),
}

export const headerIdentityRule: With<'header'> = {
  name: 'header-identity',
  why: 'A log begins with the id, the parent and the time of one session, whatever ids look like.',
  header: () => header => ({
    ...header,
    id: sessionIdToken,
    createdAt: 0,
    ...(header.parentSession !== undefined && { parentSession: sessionIdToken }),
  }),
}

export const frameIds: With<'frame'> = {
  name: 'frame-id',
  why: 'A connection may give its requests any ids; which answers which is what counts.',
  frame: frameIdRule,
}

/** What changes events of a few types alone. */
export const eventRules: readonly With<'event'>[] = [
  {
    name: 'request-header',
    why: 'A prompt and its tools are the same in most sessions of a suite: pins hold them once.',
    event: () => requestHeaderRule,
  },
  {
    name: 'hook-duration',
    why: 'How long a hook took differs from run to run.',
    event: () => hookDurationRule,
  },
  {
    name: 'hook-handler-id',
    why: 'A hooks plugin counts its handlers on from one mount to the next.',
    event: handlerIdRule,
  },
]

/** What changes only strings with a separator. They build on each other: the folders below a token are known by it. */
export const pathRules: readonly With<'text'>[] = [
  {
    name: 'cwd',
    why: 'Each run has its own working directory, and tools, prompts and systems spell it in several ways.',
    text: ({ cwds }) => cwdRule(cwds),
  },
  {
    name: 'spill',
    why: 'Long outputs are kept in files whose names hold a hash of the session and random digits.',
    text: ({ cwds, spillRoots = [] }) => spillRule(spillRoots.map(cwdRule(cwds))),
  },
  {
    name: 'subprocess-output',
    why: 'The output of a process is kept in a file whose name holds its number and random digits.',
    text: () => subprocessOutputRule,
  },
  {
    name: 'own-folders',
    why: 'Each run has its own home, temporary folder and folder of logs, which a shell shows with env.',
    text: ({ homes = [], temps = [], sessionRoots = [] }) => ownFoldersRule({ homes, temps, sessionRoots }),
  },
]

export const idRule: With<'text'> = {
  name: 'session-id',
  why: 'Sessions, messages and whatever else is known by a UUID get a new one in every run.',
  text: ({ sessionIds }) => sessionIdRule(sessionIds),
}

const jobIds: With<'text'> = {
  name: 'job-id',
  why: 'A registry of background jobs counts on for as long as it lives.',
  text: ({ jobIds: known }) => jobIdRule(known),
}

/**
 * The rules that every transcript is normalised with, in the order in which each kind of part is applied.
 *
 * @public
 */
export const normalizationRules: readonly NormalizationRule[] = [
  timeRule,
  headerIdentityRule,
  frameIds,
  ...eventRules,
  ...pathRules,
  idRule,
  jobIds,
]
