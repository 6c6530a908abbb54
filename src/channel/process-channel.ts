import { AgentEnd } from './agent-end.ts'

let taken: AgentEnd | undefined

/** The channel that this process was started with, whoever asks for it first; undefined where there is none. */
export function processChannel(): AgentEnd | undefined {
  return (taken ??= AgentEnd.take(process.env))
}
