import type { Composition } from './composition.ts'
import { findKernel } from './find-kernel.ts'
import type { ImportEntry, Kernel } from './kernel.ts'
import { importNamed, resolveFrom } from './modules.ts'
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

/**
 * Has Node load all modules of a composition at once, and run them in list order: a module that imports them one after the
 * other does both. What fails is told of by who imports it alone.
 *
 * @param replaced - modules that entries get instead of what they name
 */
export async function importTogether(
  { imports }: Pick<Composition, 'imports'>,
  replaced: Readonly<Record<string, unknown>>,
): Promise<void> {
  try {
    const named = imports.filter(({ name }) => !Object.hasOwn(replaced, name))
    const source = named
      .map(({ name, from }) => `import ${JSON.stringify(resolveFrom(name, from))}`)
      .join('\n')
    await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`)
  } catch {
    // It is imported again.
  }
}
