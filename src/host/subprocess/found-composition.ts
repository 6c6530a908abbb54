import type { FoundComposition } from '../../channel/messages.ts'
import { SnapshotError } from '../../errors.ts'
import { kernelPackages } from '../composition/choose-kernel.ts'
import type { Composition } from '../composition/composition.ts'
import { resolveFrom } from '../composition/modules.ts'

/**
 * A composition as it goes to another process.
 *
 * @throws SnapshotError `USAGE` for what only this process has: modules, and functions in patches
 */
export async function foundComposition(composition: Composition): Promise<FoundComposition> {
  const { file, folderUrl, patches, modules, imports } = composition
  if (Object.keys(modules).length > 0) {
    throw new SnapshotError(
      'USAGE',
      "composition.modules has values of this process, which a process of the agent's own can't be given. Let an entry " +
        'name a file, or use the in-process host.',
    )
  }
  const names = [
    ...Object.values(kernelPackages).flatMap(packages =>
      Object.values(packages).map(name => ({ name, from: folderUrl })),
    ),
    ...imports,
  ]
  return {
    file,
    folderUrl,
    imports,
    patches: Array.from(patches, ([of, list]) => [of, list.map(plain)] as const),
    resolved: (await Promise.all(names.map(({ name, from }) => resolution(name, from)))).flat(),
  }
}

/** What can't be found is told of by who imports it. */
async function resolution(name: string, from: string): Promise<(readonly [string, string, string])[]> {
  try {
    return [[name, from, await resolveFrom(name, from)]]
  } catch {
    return []
  }
}

function plain(patch: object): Record<string, never> {
  try {
    const text = JSON.stringify(patch, (key, value: unknown) => {
      if (typeof value === 'function') throw new TypeError(`"${key}" is a function`)
      return value
    })
    return JSON.parse(text) as Record<string, never>
  } catch (cause) {
    throw new SnapshotError(
      'USAGE',
      `composition.patches has a value that a process of the agent's own can't be given: ${(cause as Error).message}. ` +
        'Give JSON values, or use the in-process host.',
      { cause },
    )
  }
}
