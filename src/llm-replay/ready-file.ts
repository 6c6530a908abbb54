import { innerPathProblem } from '../scenario/inner-path.ts'

/** What a ready file may be. */
export const READY_FILE_ALLOWED =
  'a relative path of a file inside the working directory: not absolute, no ".." segment, no NUL'

/** Whether the path names a file below the working directory, on any platform's reading of it. */
export function isReadyFile(path: string): boolean {
  return innerPathProblem(path) === undefined && !/(?:^|[/\\])\.?$/.test(path)
}
