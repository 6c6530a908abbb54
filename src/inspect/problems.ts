import { problemsOf } from '../fixtures/placed-problems.ts'
import type { InspectedProblem } from './types.ts'

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
