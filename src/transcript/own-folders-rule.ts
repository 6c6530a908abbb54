import { commonPart } from './common-part.ts'
import { folderRule } from './folder-rule.ts'
import { rightBoundary, searchableFolders } from './path-pattern.ts'
import type { TextRule } from './text-rule.ts'
import { homeToken, projectToken, sessionsToken, tempToken } from './tokens.ts'

/** Folders that a run has of its own beside its working directory; each has a path that no other run has. */
export interface OwnFolders {
  readonly homes: readonly string[]
  readonly temps: readonly string[]
  readonly sessionRoots: readonly string[]
}

/** The folder below a session root that the JSONL persistence names after the working directory. */
const project = String.raw`(?:([/\\])--[A-Za-z0-9._~-]*--(?=$|[/\\]))?`

/**
 * Compiles the rule that puts `{{home}}`, `{{tmp}}` and `{{sessions}}` for a run's own folders, and `{{project}}` for the
 * folder of logs that is named after the working directory.
 */
export function ownFoldersRule({ homes, temps, sessionRoots }: OwnFolders): TextRule {
  const rules = [
    ...folderRules(homes, homeToken),
    ...folderRules(temps, tempToken),
    ...folderRules(sessionRoots, sessionsToken, project),
  ]
  // One search rules out most texts: a run's folders lie close together.
  const shared = commonPart(searchableFolders([...homes, ...temps, ...sessionRoots]))
  return text => {
    if (!text.includes(shared)) return text
    let current = text
    for (const rule of rules) current = rule(current)
    return current
  }
}

function folderRules(folders: readonly string[], token: string, below = '()'): TextRule[] {
  return searchableFolders(folders).map(folder => {
    const rule = folderRule([folder], below + rightBoundary, ([, separator]) =>
      separator === undefined || separator === '' ? token : `${token}/${projectToken}`,
    )
    return text => (text.includes(folder) ? rule(text) : text)
  })
}
