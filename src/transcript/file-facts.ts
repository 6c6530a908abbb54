import type { FileFact } from '../scenario/index.ts'
import { brokenFact } from './broken-fact.ts'
import type { Difference } from './difference.ts'
import { noText, textBreach, type TextBreach } from './text-fact.ts'

type Workspace = ReadonlyMap<string, Uint8Array>

// A byte order mark is content, and what is no UTF-8 is no text.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Files that are not as is said. Their paths may be written with `\` and `./`.
 *
 * @param workspace - content by path with `/`; undefined where nobody has looked at it
 */
export function brokenFiles(
  expected: Readonly<Record<string, FileFact>> = {},
  workspace: Workspace | undefined,
): Difference[] {
  if (workspace === undefined) return []
  return Object.entries(expected).flatMap(([path, fact]) => {
    const breach = fileBreach(fact, plainPath(path), workspace)
    return breach === undefined ? [] : [brokenFact(['files', path, breach.key], breach)]
  })
}

function fileBreach(fact: FileFact, path: string, workspace: Workspace): TextBreach | undefined {
  const bytes = workspace.get(path)
  const found = bytes === undefined ? withoutFile(path, workspace) : `a file of ${bytes.length} bytes`
  if ('absent' in fact) {
    if (found === 'no file') return undefined
    return { key: 'absent', expected: 'no file', actual: found, told: `expected no file, found ${found}` }
  }
  if (bytes === undefined) return noText(fact, found)
  const text = textOf(bytes)
  return text === undefined ? noText(fact, `${found} that are not UTF-8`) : textBreach(fact, text)
}

/** What there is in the place of a file. */
function withoutFile(path: string, workspace: Workspace): 'no file' | 'a folder' {
  return [...workspace.keys()].some(key => key.startsWith(`${path}/`)) ? 'a folder' : 'no file'
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

function plainPath(path: string): string {
  return path
    .split(/[/\\]/)
    .filter(part => part !== '' && part !== '.')
    .join('/')
}
