import type { RunFolders } from './folders/run-folders.ts'

/** What a run inherits from the real environment: what programs need to start, and nothing that identifies a user. */
const inherited = [
  'PATH',
  'Path',
  'PATHEXT',
  'SystemRoot',
  'windir',
  'ComSpec',
  'NUMBER_OF_PROCESSORS',
  'LD_LIBRARY_PATH',
]

/** The same on every machine, since programs that a tool runs print in them. */
const fixed = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC', TERM: 'dumb' }

/**
 * The environment that a run starts with: an allow-list of the real one, fixed locale and time zone, its own folders, then the
 * values given, which win.
 */
export function runEnvironment(
  real: Readonly<Record<string, string | undefined>>,
  folders: Pick<RunFolders, 'home' | 'temp'>,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of inherited) {
    const value = real[name]
    if (value !== undefined) kept[name] = value
  }
  return { ...kept, ...fixed, HOME: folders.home, TMPDIR: folders.temp, ...values }
}
