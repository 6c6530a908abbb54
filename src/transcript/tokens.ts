/** What stands in a normalised transcript for the run's working directory. */
export const cwdToken = '{{cwd}}'

/** What stands for the run's home folder. */
export const homeToken = '{{home}}'

/** What stands for a run's temporary folder. */
export const tempToken = '{{tmp}}'

/** What stands for the folder that the run's logs go to, and for the project's folder in it. */
export const sessionsToken = '{{sessions}}'
export const projectToken = '{{project}}'

/** What stands for a session's id, and for any UUID. */
export const sessionIdToken = '{{sessionId}}'

/** What stands for the system prompt of a request header. */
export const systemToken = '{{system}}'

/** What stands for the tool schemas of a request header. */
export const toolsToken = '{{tools}}'

/** What stands for the path of a spilled output; `name` is the part of its file name that every run shares. */
export function spillToken(name: string): string {
  return `{{spillLocator:${name}}}`
}
