import { SnapshotError } from '../errors.ts'
import type { InspectedProblem } from './types.ts'

const position = /^(?::(\d+))?(?::(\d+))?(?:: | (?=\())/

/**
 * The problems that an error tells of: its message has a line for each, which begins with the place.
 *
 * @param file - what is at fault where the error doesn't say
 * @throws the error itself where it is none of ours
 */
export function problemsOf(error: unknown, file: string): InspectedProblem[] {
  if (!(error instanceof SnapshotError)) throw error
  const { details, message } = error
  const files = [details.file, file].filter(name => typeof name === 'string')
  const problems: InspectedProblem[] = []
  for (const text of message.split('\n')) {
    const placed = placedProblem(text, files)
    const last = problems.at(-1)
    if (placed !== undefined) problems.push(placed)
    else if (last !== undefined)
      problems[problems.length - 1] = { ...last, message: `${last.message}\n${text}` }
    else
      problems.push({
        file,
        ...(typeof details.line === 'number' ? { line: details.line } : {}),
        message: text,
      })
  }
  return problems
}

function placedProblem(text: string, files: readonly string[]): InspectedProblem | undefined {
  for (const file of files) {
    const match = text.startsWith(file) ? position.exec(text.slice(file.length)) : null
    if (match === null) continue
    const [prefix, line, column] = match
    return {
      file,
      ...(line === undefined ? {} : { line: Number(line) }),
      ...(column === undefined ? {} : { column: Number(column) }),
      message: text.slice(file.length + prefix.length),
    }
  }
  return undefined
}

/** What is wrong with a folder, as it comes up. */
export class Problems {
  readonly list: InspectedProblem[] = []

  /**
   * @param file - what is at fault where an error doesn't say
   * @returns the line that the error names first, if it names any
   * @throws the error itself where it is none of ours
   */
  note(error: unknown, file: string): number | undefined {
    const found = problemsOf(error, file)
    this.list.push(...found)
    return found[0]?.line
  }

  add(file: string, message: string, line?: number): void {
    this.list.push({ file, ...(line === undefined ? {} : { line }), message })
  }

  /** What the work gives, or undefined where it fails with an error of ours, which is noted. */
  attempt<T>(file: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      this.note(error, file)
      return undefined
    }
  }
}
