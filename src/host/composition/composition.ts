import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { SnapshotError } from '../../errors.ts'
import { fileKind } from '../../file-kind.ts'
import { includeOf, type EntryPatch } from './entries.ts'
import { mountedRows } from './mounted-rows.ts'
import { PatchPost } from './patch-post.ts'
import { readRows } from './read-rows.ts'

/** A composition as a caller names it. @public */
export interface CompositionOptions {
  /** Path of the Loader's configuration file. */
  readonly config: string
  /** Mounted instead of it in replay; by default a sibling `*cordis.snapshot.yml` where there is one; false: none. */
  readonly overlay?: string | false
  /**
   * Changes to the rows of the mounted file, or of a file that it includes, as an include takes them. Each must fit a
   * row; rows without an `id` are inserted into the mounted file.
   */
  readonly patches?: readonly EntryPatch[]
  /** Modules by the name an entry gives, used instead of what that name would import. */
  readonly modules?: Readonly<Record<string, unknown>>
}

/** A composition that was found on disk. */
export interface Composition {
  /** Absolute path of the file that is mounted. */
  readonly file: string
  /** File URL of its folder, with a trailing slash. */
  readonly folderUrl: string
  /** The caller's patches, by the file whose rows they change. */
  readonly patches: ReadonlyMap<string, readonly EntryPatch[]>
  readonly modules: Readonly<Record<string, unknown>>
  /** Every module that the rows name, in list order, with the folder that names it. */
  readonly imports: readonly { readonly name: string; readonly from: string; readonly file: string }[]
}

/** Finds a composition's files and reads which modules they name. */
export async function loadComposition(
  options: CompositionOptions,
  mode: 'replay' | 'record',
): Promise<Composition> {
  const config = path.resolve(options.config)
  await requireFile(config, 'the composition')
  const file = mode === 'record' ? config : await overlayOf(config, options.overlay)
  const patches = new PatchPost(options.patches ?? [])
  const imports = await namedModules(file, [], patches, new Set())
  patches.checkDelivered(file)
  const { modules = {} } = options
  return { file, folderUrl: folderUrlOf(file), patches: patches.byFile, modules, imports }
}

function folderUrlOf(file: string): string {
  return pathToFileURL(path.dirname(file) + path.sep).href
}

async function overlayOf(config: string, overlay: string | false | undefined): Promise<string> {
  if (overlay === false) return config
  if (overlay !== undefined) {
    const named = path.resolve(overlay)
    await requireFile(named, 'the overlay of the composition')
    return named
  }
  const sibling = config.replace(/cordis\.(ya?ml|json)$/, 'cordis.snapshot.$1')
  if (sibling === config || (await lookAt(sibling)) === undefined) return config
  await requireFile(sibling, 'the overlay of the composition')
  return sibling
}

async function lookAt(file: string): Promise<Stats | undefined> {
  return await stat(file).catch(() => undefined)
}

async function requireFile(file: string, what: string): Promise<void> {
  const found = await lookAt(file)
  if (found?.isFile() === true) return
  throw new SnapshotError(
    'COMPOSITION_FAILED',
    found === undefined
      ? `${file}: this file, ${what}, does not exist. Name an existing Loader configuration, such as a cordis.yml.`
      : `${file}: this, ${what}, is not a file, but ${fileKind(found)}. Name a Loader configuration, such as a cordis.yml.`,
    { details: { file } },
  )
}

async function namedModules(
  file: string,
  own: readonly EntryPatch[],
  post: PatchPost,
  seen: Set<string>,
): Promise<Composition['imports']> {
  if (seen.has(file)) {
    throw new SnapshotError(
      'COMPOSITION_FAILED',
      `${file}: this file includes itself. Remove one of the includes.`,
    )
  }
  const from = folderUrlOf(file)
  const parsed = await readRows(file)
  const delivered = post.deliver(file, parsed, own)
  const rows = mountedRows(parsed, [...own, ...delivered], file)
  const named: Composition['imports'][number][] = []
  for (const row of rows) {
    const include = includeOf(row)
    if (include === undefined) {
      if (!row.name.startsWith('cordis:')) named.push({ name: row.name, from, file })
      continue
    }
    const included = includedFile(include.path, from, file)
    await requireFile(included, `included by ${file}`)
    named.push(...(await namedModules(included, include.patches ?? [], post, new Set([...seen, file]))))
  }
  return named
}

function includedFile(named: string, from: string, file: string): string {
  try {
    return fileURLToPath(new URL(named, from))
  } catch (cause) {
    throw new SnapshotError(
      'COMPOSITION_FAILED',
      `${file}: an include names ${JSON.stringify(named)}, which is no file. Name one by a path relative to this file.`,
      { cause },
    )
  }
}
