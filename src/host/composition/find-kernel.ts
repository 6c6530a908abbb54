import { fileURLToPath } from 'node:url'

import { SnapshotError } from '../../errors.ts'
import { kernelPackages, type Kernel } from './kernel.ts'
import { importFrom } from './modules.ts'

const found = new Map<string, Promise<Kernel>>()

/**
 * The kernel that a composition runs on, resolved from the composition's own folder.
 *
 * @param folderUrl - file URL of the folder, with a trailing slash
 */
export function findKernel(folderUrl: string): Promise<Kernel> {
  let kernel = found.get(folderUrl)
  if (kernel === undefined) found.set(folderUrl, (kernel = importKernel(folderUrl)))
  return kernel
}

async function importKernel(folderUrl: string): Promise<Kernel> {
  const importPart = async (name: string): Promise<Record<string, unknown>> => {
    try {
      return (await importFrom(name, folderUrl)) as Record<string, unknown>
    } catch (cause) {
      found.delete(folderUrl)
      throw new SnapshotError(
        'COMPOSITION_FAILED',
        `no Cordis kernel for the composition in ${fileURLToPath(folderUrl)}: importing ${name} from there failed ` +
          `(${cause instanceof Error ? cause.message : String(cause)}). ` +
          `Install ${Object.values(kernelPackages).join(', ')} where the composition can reach them.`,
        { cause, details: { folder: folderUrl, package: name } },
      )
    }
  }
  const core = await importPart(kernelPackages.core)
  const loader = await importPart(kernelPackages.loader)
  const include = await importPart(kernelPackages.include)
  // The packages are typed by whoever installs them; here only their structure counts.
  return {
    Context: core.Context,
    Loader: loader.Loader,
    Group: loader.Group,
    Include: include.Include,
  } as Kernel
}
