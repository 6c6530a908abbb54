import type { PinKind } from '../../scenario/suite.ts'

const names: Readonly<Record<PinKind, readonly [stem: string, ending: string]>> = {
  prompt: ['system-prompt', 'expected.md'],
  tools: ['tool-schemas', 'expected.json'],
}

/** The file in a scenario's folder that holds what a session is expected to send; 0 is the primary one, n its nth child. */
export function sidecarName(kind: PinKind, session: number): string {
  const [stem, ending] = names[kind]
  return session === 0 ? `${stem}.${ending}` : `${stem}.${session}.${ending}`
}
