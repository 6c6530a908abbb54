import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { SnapshotError } from '../../errors.ts'
import { includeOf, parseEntries, type EntryPatch } from './entries.ts'
import { mountedRows } from './mounted-rows.ts'

/** A composition as a caller names it. @public */
export interface CompositionOptions {
  /** Path of the Loader's configuration file. */
  readonly config: string
  /** Mounted instead of it in replay; by default a sibling `*cordis.snapshot.yml` where there is one; false: none. */
  readonly overlay?: string | false
  /** Changes to the mounted file's rows, as an include takes them. */
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
  readonly patches: readonly EntryPatch[]
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
  const patches = options.patches ?? []
  return {
    file,
    folderUrl: folderUrlOf(file),
    patches,
    modules: options.modules ?? {},
    imports: await namedModules(file, patches, new Set()),
  }
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
  return sibling !== config && (await isFile(sibling)) ? sibling : config
}

async function isFile(file: string): Promise<boolean> {
  return await stat(file).then(
    found => found.isFile(),
    () => false,
  )
}

async function requireFile(file: string, what: string): Promise<void> {
  if (await isFile(file)) return
  throw new SnapshotError(
    'COMPOSITION_FAILED',
    `${file}: this file, ${what}, does not exist. Name an existing Loader configuration, such as a cordis.yml.`,
    { details: { file } },
  )
}

async function namedModules(
  file: string,
  patches: readonly EntryPatch[],
  seen: Set<string>,
): Promise<Composition['imports']> {
  if (seen.has(file)) {
    throw new SnapshotError(
      'COMPOSITION_FAILED',
      `${file}: this file includes itself. Remove one of the includes.`,
    )
  }
  const from = folderUrlOf(file)
  const rows = mountedRows(parseEntries(await readFile(file, 'utf8'), file), patches, file)
  const named: Composition['imports'][number][] = []
  for (const row of rows) {
    const include = includeOf(row)
    if (include === undefined) {
      if (!row.name.startsWith('cordis:')) named.push({ name: row.name, from, file })
      continue
    }
    const included = includedFile(include.path, from, file)
    await requireFile(included, `included by ${file}`)
    named.push(...(await namedModules(included, include.patches ?? [], new Set([...seen, file]))))
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
