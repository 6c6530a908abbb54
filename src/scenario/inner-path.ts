/**
 * Why a relative path can't be used inside a run's folder, or undefined where it can. Both separators count on every
 * platform: a scenario that is refused on one is refused on all.
 */
export function innerPathProblem(path: string): string | undefined {
  if (path.includes('\0')) return 'it holds a NUL'
  if (/^(?:[/\\]|[a-zA-Z]:)/.test(path)) return 'it is absolute'
  const segments = path.split(/[/\\]/)
  if (segments.includes('..')) return 'it has a ".." segment'
  if (segments.every(segment => segment === '' || segment === '.')) return 'it names no file'
  return undefined
}

/** Why a name can't be that of a folder entry, or undefined where it can. */
export function entryNameProblem(name: string): string | undefined {
  if (/[/\\]/.test(name)) return 'it has a path separator'
  return innerPathProblem(name)
}
