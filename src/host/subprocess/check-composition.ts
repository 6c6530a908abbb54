import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { SnapshotError } from '../../errors.ts'
import { chooseKernel, kernelPackages } from '../composition/choose-kernel.ts'
import { loadComposition } from '../composition/composition.ts'
import { findKernel } from '../composition/find-kernel.ts'
import { importFrom, importNamed } from '../composition/modules.ts'
import { describeLoss, keptKeys } from '../composition/plugin-shape.ts'
import { withDeadline } from '../deadline.ts'
import {
  foundModules,
  foundVariable,
  type CheckedComposition,
  type CheckedPlugin,
  type FoundModules,
} from './checked-composition.ts'

/** What {@link checkComposition} takes. */
export interface CheckOptions {
  /** Path of the composition; the environment may name what was found of it, which is then looked at. */
  readonly config: string
  /** How long one module may take to be imported, ms. */
  readonly importMs?: number
  readonly signal?: AbortSignal | undefined
}

/** How long one module may take, ms: the others are still to be looked at. */
const IMPORT_WITHIN = 10_000

/**
 * Imports every module that a live composition names, in list order, and looks at what the real Loader takes of each.
 * Nothing is mounted.
 *
 * @throws SnapshotError `COMPOSITION_FAILED` where the composition can't be read or has no kernel
 */
export async function checkComposition({
  config,
  importMs = IMPORT_WITHIN,
  signal,
}: CheckOptions): Promise<CheckedComposition> {
  const { file, folderUrl, imports } = await modulesToCheck(config)
  const unwrap = await loaderUnwrap(folderUrl)
  const giveBack = keepProcess()
  try {
    const plugins: CheckedPlugin[] = []
    for (const named of eachOnce(imports)) plugins.push(await look(named, { unwrap, importMs, signal }))
    return { ok: plugins.every(({ problem }) => problem === undefined), file, plugins }
  } finally {
    giveBack()
  }
}

async function modulesToCheck(config: string): Promise<FoundModules> {
  const found = process.env[foundVariable]
  // The file that is named, and not its overlay.
  if (found === undefined) return await loadComposition({ config, overlay: false }, 'replay')
  // It is for this process alone.
  Reflect.deleteProperty(process.env, foundVariable)
  return foundModules.parse(JSON.parse(readFileSync(found, 'utf8')))
}

type Unwrap = (module: unknown) => unknown

/** How the Loader takes a plugin of a module. */
async function loaderUnwrap(folderUrl: string): Promise<Unwrap> {
  // Says what is missing.
  await findKernel(folderUrl)
  const choice = await chooseKernel(fileURLToPath(folderUrl), folderUrl)
  const { loader } = choice?.kind === 'plain' ? kernelPackages.plain : kernelPackages.deepseek
  // The package is typed by whoever installs it; here only its structure counts.
  const { Loader } = (await importFrom(loader, folderUrl)) as {
    readonly Loader: { readonly prototype: { unwrapExports(module: unknown): unknown } }
  }
  return module => Loader.prototype.unwrapExports(module)
}

interface Look {
  readonly unwrap: Unwrap
  readonly importMs: number
  readonly signal: AbortSignal | undefined
}

/** Whatever is wrong with a module is told of it: the others are looked at all the same. */
async function look(
  { name, from, file }: FoundModules['imports'][number],
  { unwrap, importMs, signal }: Look,
): Promise<CheckedPlugin> {
  const named = `${file} names the module ${JSON.stringify(name)}`
  const late = (): string =>
    `${named}, whose import has not ended. Look for a top-level await that never settles`
  try {
    const module = await withDeadline(importNamed(name, from, file), importMs, late, signal)
    const taken = unwrap(module)
    const { exports, keeps, lost } = keptKeys(module, taken)
    const problem = lost.length === 0 ? {} : { problem: `${named}, which ${describeLoss(lost, taken)}` }
    return { entry: name, file, exports, keeps, ...problem }
  } catch (error) {
    signal?.throwIfAborted()
    return { entry: name, file, exports: [], keeps: [], problem: describeFailure(named, error) }
  }
}

function describeFailure(named: string, error: unknown): string {
  if (error instanceof SnapshotError) return error.message
  return `${named}, whose exports can't be read: ${String(error)}. Look for a getter that throws.`
}

/** Several entries may be of one plugin. */
function eachOnce(imports: FoundModules['imports']): FoundModules['imports'] {
  return [...new Map(imports.map(named => [JSON.stringify([named.name, named.file]), named])).values()]
}

/**
 * Keeps modules from ending the process and from writing to its standard output, which is for what has been found.
 *
 * @returns to be called when all are there
 */
function keepProcess(): () => void {
  const exit: unknown = Reflect.get(process, 'exit')
  const write: unknown = Reflect.get(process.stdout, 'write')
  process.exit = code => {
    throw new Error(`it calls process.exit(${String(code ?? '')}) while it is imported`)
  }
  process.stdout.write = process.stderr.write.bind(process.stderr)
  return () => {
    Reflect.set(process, 'exit', exit)
    Reflect.set(process.stdout, 'write', write)
  }
}
