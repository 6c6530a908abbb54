import { SnapshotError } from '../../errors.ts'
import { positionAt } from '../../scenario/json-position.ts'
import { nothingToPin } from './nothing-to-pin.ts'

// In this mode `$` matches before a CR as well, so that a file whose line ends were converted is noticed.
const anyMarker = /^<!-- request\/header change \d+ -->$/m

/**
 * Writes the prompts of a session as its `system-prompt.expected.md` holds them: the first, then each change under its
 * marker, and a LF that belongs to none of them. Reading gives back every prompt to the letter, with the LFs at its ends.
 *
 * @throws SnapshotError `SCENARIO_INVALID` where there is no prompt, or where one holds a line that reads as a marker
 */
export function formatSystemPrompts(prompts: readonly string[]): string {
  if (prompts.length === 0) throw nothingToPin('prompt')
  const parts = prompts.map((prompt, at) => {
    const [line] = anyMarker.exec(prompt) ?? []
    if (line === undefined) return at === 0 ? prompt : separator(at) + prompt
    throw new SnapshotError(
      'SCENARIO_INVALID',
      `the system prompt of ${at === 0 ? 'the first request header' : `request/header change ${at}`} holds the line ` +
        `${JSON.stringify(line)}, which separates the prompts of a system-prompt.expected.md: it can't be written there. ` +
        'Reword that line of the prompt, or pin none with it.',
      { details: { header: at, line } },
    )
  })
  return `${parts.join('')}\n`
}

/**
 * Reads a `system-prompt.expected.md`: the first prompt, then each change.
 *
 * @param file - what the text is called in messages
 * @throws SnapshotError `SCENARIO_INVALID` with file, line and column at a marker that is not the next one, or that has no
 * blank line on each side
 */
export function parseSystemPrompts(text: string, file: string): string[] {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  const prompts: string[] = []
  for (let start = 0; ;) {
    const next = separator(prompts.length + 1)
    const found = body.indexOf(next, start)
    const prompt = body.slice(start, found === -1 ? undefined : found)
    const stray = anyMarker.exec(prompt)
    if (stray !== null) throw misplaced(text, start + stray.index, prompts.length + 1, file)
    prompts.push(prompt)
    if (found === -1) return prompts
    start = found + next.length
  }
}

function separator(change: number): string {
  return `\n\n<!-- request/header change ${change} -->\n\n`
}

function misplaced(text: string, offset: number, expected: number, file: string): SnapshotError {
  const { line, column } = positionAt(text, offset)
  return new SnapshotError(
    'SCENARIO_INVALID',
    `${file}:${line}:${column}: this marker of a change is out of place; expected that of change ${expected} next, with ` +
      'a blank line before and after it (lines end with LF). Correct its number and what is around it.',
    { details: { file, line, column } },
  )
}
