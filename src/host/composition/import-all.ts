import type { Composition } from './composition.ts'
import { findKernel } from './find-kernel.ts'
import type { ImportEntry, Kernel } from './kernel.ts'
import { importNamed } from './modules.ts'
import { checkPluginShape } from './plugin-shape.ts'

/** Imports what entries name: the host's own modules where it has some, else those that are found from their file. */
export function entryImporter(composition: Pick<Composition, 'file' | 'imports' | 'modules'>): ImportEntry {
  return async (name, from) => {
    const named = composition.imports.find(entry => entry.name === name && entry.from === from)
    const module = Object.hasOwn(composition.modules, name)
      ? composition.modules[name]
      : await importNamed(name, from, named?.file ?? composition.file)
    checkPluginShape(module, name)
    return module
  }
}

/** Imports the kernel, then every module in list order, so that module state never depends on which run came first. */
export async function importAll(composition: Composition, importEntry: ImportEntry): Promise<Kernel> {
  const kernel = await findKernel(composition.folderUrl)
  for (const { name, from } of composition.imports) await importEntry(name, from)
  return kernel
}
