import { fileURLToPath } from 'node:url'

import { SnapshotError } from '../../errors.ts'
import { chooseKernel, kernelPackages, type KernelChoice } from './choose-kernel.ts'
import { deepSeekKernel, type DeepSeekPackages } from './deepseek-kernel.ts'
import type { Kernel } from './kernel.ts'
import { importFrom } from './modules.ts'
import { plainKernel, type PlainPackages } from './plain-kernel.ts'

const found = new Map<string, Promise<Kernel>>()

/**
 * The kernel that a composition runs on, resolved from the composition's own folder.
 *
 * @param folderUrl - file URL of the folder, with a trailing slash
 */
export function findKernel(folderUrl: string): Promise<Kernel> {
  let kernel = found.get(folderUrl)
  if (kernel === undefined) {
    kernel = importKernel(folderUrl)
    found.set(folderUrl, kernel)
    // What is not there yet may be installed later.
    kernel.catch(() => found.delete(folderUrl))
  }
  return kernel
}

async function importKernel(folderUrl: string): Promise<Kernel> {
  const folder = fileURLToPath(folderUrl)
  const choice = await chooseKernel(folder, folderUrl)
  if (choice === undefined) throw noKernel(folder)
  const exported = await importParts(choice, folder, folderUrl)
  // The packages are typed by whoever installs them; here only their structure counts.
  return choice.kind === 'plain'
    ? plainKernel(exported as unknown as PlainPackages)
    : deepSeekKernel(exported as unknown as DeepSeekPackages)
}

/** All that a kernel's packages export, in one object. */
async function importParts(
  { kind, why }: KernelChoice,
  folder: string,
  folderUrl: string,
): Promise<Record<string, unknown>> {
  const exported: Record<string, unknown> = {}
  const names = Object.values(kernelPackages[kind])
  for (const name of names) {
    try {
      Object.assign(exported, await importFrom(name, folderUrl))
    } catch (cause) {
      throw new SnapshotError(
        'COMPOSITION_FAILED',
        `no Cordis kernel for the composition in ${folder}: importing ${name} from there failed ` +
          `(${cause instanceof Error ? cause.message : String(cause)}). It is meant because ${why}. ` +
          `Install ${names.join(', ')} where the composition can reach them.`,
        { cause, details: { folder: folderUrl, package: name } },
      )
    }
  }
  return exported
}

function noKernel(folder: string): SnapshotError {
  const { deepseek, plain } = kernelPackages
  return new SnapshotError(
    'COMPOSITION_FAILED',
    `no Cordis kernel for the composition in ${folder}: no package.json upwards from there names ${deepseek.core} or ` +
      `${plain.core}, and neither can be found from there. Install ${Object.values(deepseek).join(', ')}, or ` +
      `${Object.values(plain).join(', ')}, where the composition can reach them.`,
    { details: { folder, package: deepseek.core } },
  )
}
