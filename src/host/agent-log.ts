import { inspect } from 'node:util'

/** How much of the log is shown: lines, and characters of each. */
const LINES = 20
const WIDTH = 400

/**
 * The end of what an agent logged, to be put behind an error; empty where it logged nothing. An agent logs what ended its
 * turn, and there is nothing new in that.
 *
 * @param message - of the error
 */
export function agentLog(log: string, message: string): string {
  const text = [message, inspect(message).slice(1, -1)].reduce(
    (rest, repeated) => rest.replaceAll(repeated, '(the error above)'),
    log.trim(),
  )
  if (text === '') return ''
  const lines = text.split('\n').slice(-LINES)
  return `\nThe agent logged:\n${lines.map(line => `  ${line.slice(0, WIDTH)}`).join('\n')}`
}
