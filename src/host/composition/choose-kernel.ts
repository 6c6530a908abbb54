import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { SnapshotError } from '../../errors.ts'
import { resolveFrom } from './modules.ts'

/** The packages that make each kernel. */
export const kernelPackages = {
  deepseek: {
    core: '@deepseek-ai/cordis',
    loader: '@deepseek-ai/cordis-plugin-loader',
    include: '@deepseek-ai/cordis-plugin-include',
  },
  plain: { core: 'cordis', loader: '@cordisjs/plugin-loader' },
} as const

/** Which kernel a composition runs on. */
export interface KernelChoice {
  readonly kind: keyof typeof kernelPackages
  /** Why it is this one, for errors. */
  readonly why: string
}

const order = ['deepseek', 'plain'] as const
const dependencyKeys = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
] as const

/**
 * Chooses a composition's kernel: the one that the nearest package.json upwards names, where one names any; else the one
 * that can be resolved. The one of `@deepseek-ai/cordis` goes first in both.
 *
 * @param folder - absolute path of the composition's folder
 * @returns undefined where no package.json names a kernel and none can be resolved
 */
export async function chooseKernel(folder: string, folderUrl: string): Promise<KernelChoice | undefined> {
  for (let at = folder; ; at = path.dirname(at)) {
    const file = path.join(at, 'package.json')
    const named = await dependenciesIn(file)
    const kind = order.find(key => named.has(kernelPackages[key].core))
    if (kind !== undefined) return { kind, why: `${file} names ${kernelPackages[kind].core}` }
    if (at === path.dirname(at)) break
  }
  for (const kind of order) {
    if (canResolve(kernelPackages[kind].core, folderUrl))
      return { kind, why: 'no package.json upwards from there names a kernel, and this one can be resolved' }
  }
  return undefined
}

async function dependenciesIn(file: string): Promise<ReadonlySet<string>> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    return new Set()
  }
  const parsed = parsePackage(text, file)
  if (typeof parsed !== 'object' || parsed === null) return new Set()
  return new Set(dependencyKeys.flatMap(key => keysOf(Reflect.get(parsed, key))))
}

function parsePackage(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SnapshotError(
      'COMPOSITION_FAILED',
      `${file}: this file, which may name the composition's Cordis kernel, is not valid JSON: ${String(cause)}. Correct it.`,
      { cause, details: { file } },
    )
  }
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

function canResolve(name: string, folderUrl: string): boolean {
  try {
    resolveFrom(name, folderUrl)
    return true
  } catch {
    return false
  }
}
