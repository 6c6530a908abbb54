import type { Composition } from './composition.ts'
import { kernelPackages } from './choose-kernel.ts'
import { findKernel } from './find-kernel.ts'
import type { ImportEntry, Kernel } from './kernel.ts'
import { importNamed, knownModule, takeModule } from './modules.ts'
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
  { imports, folderUrl }: Pick<Composition, 'imports' | 'folderUrl'>,
  replaced: Readonly<Record<string, unknown>>,
): Promise<void> {
  const named = imports.filter(({ name }) => !Object.hasOwn(replaced, name))
  const { core, loader, include } = kernelPackages.deepseek
  const kernel = [core, loader, include].map(name => ({ name, from: folderUrl }))
  const found = [...kernel, ...named].flatMap(({ name, from }) => knownModule(name, from) ?? [])
  const urls = [...new Set(found)]
  const source = urls.map((url, index) => `export * as m${index} from ${JSON.stringify(url)}`).join('\n')
  const all = (await import(`data:text/javascript,${encodeURIComponent(source)}`).catch(() => undefined)) as
    Readonly<Record<string, unknown>> | undefined
  if (all !== undefined) for (const [index, url] of urls.entries()) takeModule(url, all[`m${index}`])
}
