import { cwdToken } from '../transcript/tokens.ts'
import type { ReplayEntry } from './entry.ts'
import { mapStrings } from './strings.ts'

/** Behind two more braces it is the literal that a placeholder's escape makes. */
const token = new RegExp(String.raw`(?<!\{\{)${cwdToken.replace(/[{}]/g, String.raw`\$&`)}`, 'g')

/**
 * Puts the run's working directory where a recording has its token: a model that has named a file by its whole path
 * means the file of this run. Separators are forward ones, which need no escape in the arguments of a tool call.
 *
 * @returns the same object where there is none
 */
export function inWorkingDirectory(entry: ReplayEntry, cwd: string): ReplayEntry {
  const path = cwd.replaceAll('\\', '/')
  return mapStrings(entry, text =>
    text.includes(cwdToken) ? text.replace(token, () => path) : text,
  ) as ReplayEntry
}
