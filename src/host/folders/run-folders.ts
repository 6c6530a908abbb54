import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import { createFsFromVolume, Volume, type IFs } from 'memfs'

import { SnapshotError } from '../../errors.ts'
import { virtualRoot } from '../in-process/disk/virtual-path.ts'
import { asWritable, fillWorkspace, type WorkspaceSource } from './fill-workspace.ts'
import { holdRealRoot, releaseRealRoot } from './real-root.ts'
import { removeTree } from './remove-tree.ts'
import { slot } from '../in-process/scope.ts'

/** Which disk a run's working directory is on. */
export type WorkspaceKind = 'disk' | 'memory'

/** The folders of one run, made and removed with it. */
export interface RunFolders {
  readonly key: string
  readonly cwd: string
  /** The working directory in every spelling that the system may give it. */
  readonly cwdAliases: readonly string[]
  readonly home: string
  /** Where tools put output that is too long; on the same disk as the working directory. */
  readonly spill: string
  /** Where `$TMPDIR` points. */
  readonly temp: string
  /** Where the agent's logs go. */
  readonly sessions: string
  /** The disk that they are on: the virtual one, unless the agent has a process of its own. */
  readonly sessionsDisk: IFs | typeof fs
  readonly disk: IFs
  /** The real folder that holds all of the run that is on the real disk. */
  readonly real: string
  /** The parts of the run as memfs or the real disk serve them. */
  readonly fs: IFs | typeof fs
}

/**
 * Makes a run's folders. Their paths are of one length whatever the run and the scenario, because what a tool prints is
 * cut by length.
 *
 * @param name - keys the folders; two runs of one name still get folders of their own
 * @param options.parent - absolute path of an existing folder that the working directory is made in instead
 * @param options.source - what the working directory starts with
 * @param options.logs - which disk the agent's logs are on
 */
export async function makeRunFolders(
  name: string,
  options: {
    readonly kind: WorkspaceKind
    readonly source?: WorkspaceSource
    readonly parent?: string
    readonly logs?: WorkspaceKind
  },
): Promise<RunFolders> {
  slot.runs += 1
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  const key = `${hash}-${slot.runs.toString(36).padStart(5, '0')}`
  if (options.parent !== undefined) checkParent(options.parent, options.kind)
  const disk = createFsFromVolume(new Volume())
  const virtual = path.join(virtualRoot, key)
  const root = holdRealRoot()
  const real = path.join(root, key)
  const base = options.kind === 'memory' ? virtual : real
  // Other processes count their runs as well: what tells them apart is the end of the root's name.
  const cwd =
    options.parent === undefined
      ? path.join(base, 'workspace')
      : path.join(options.parent, `${key}-${root.slice(-6)}`)
  const folders = {
    key,
    cwd,
    cwdAliases: [cwd],
    home: path.join(base, 'home'),
    spill: path.join(base, 'spill'),
    temp: path.join(base, 'tmp'),
    sessions: path.join(options.logs === 'disk' ? real : virtual, 'sessions'),
    sessionsDisk: options.logs === 'disk' ? fs : disk,
    disk,
    real,
    fs: options.kind === 'memory' ? disk : fs,
  }
  try {
    const writable = asWritable(folders.fs)
    asWritable(folders.sessionsDisk).mkdirSync(folders.sessions, { recursive: true })
    for (const folder of [folders.cwd, folders.home, folders.temp]) {
      writable.mkdirSync(folder, { recursive: true })
    }
    if (options.kind === 'disk') folders.cwdAliases = [...new Set([cwd, fs.realpathSync.native(cwd)])]
    if (options.source !== undefined) await fillWorkspace(options.source, writable, folders.cwd)
  } catch (error) {
    await removeRunFolders(folders)
    throw error
  }
  return folders
}

function checkParent(parent: string, kind: WorkspaceKind): void {
  const problem =
    kind === 'memory'
      ? `is on the real disk, but the working directory is to be in memory. Use workspace "disk", or leave it out`
      : `is no folder. Make it, or correct the path`
  if (kind === 'disk' && fs.statSync(parent, { throwIfNoEntry: false })?.isDirectory() === true) return
  throw new SnapshotError('SCENARIO_INVALID', `workspaceParent: ${parent} ${problem}.`, {
    details: { parent },
  })
}

/**
 * Removes what a run has put on the real disk; to be called once.
 *
 * @throws the first error, after all that can be removed is gone
 */
export async function removeRunFolders(folders: RunFolders): Promise<void> {
  const places = [folders.real, ...(folders.fs === fs ? [folders.cwd] : [])]
  const failures: unknown[] = []
  for (const place of places) await removeTree(place).catch((error: unknown) => failures.push(error))
  try {
    releaseRealRoot()
  } catch (error) {
    failures.push(error)
  }
  if (failures.length > 0) throw failures[0]
}
