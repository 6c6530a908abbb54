import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { SnapshotError } from '../errors.ts'
import type { NormalizationRule } from '../transcript/index.ts'

/**
 * Imports the module that `--rules` names: it exports a list of rules as `rules` or as its default.
 *
 * @throws SnapshotError `USAGE` where it can't be imported or has no such list; what is in the list is checked by the run
 */
export async function loadRules(file: string): Promise<readonly NormalizationRule[]> {
  const module = (await import(pathToFileURL(path.resolve(file)).href).catch((cause: unknown) => {
    throw new SnapshotError(
      'USAGE',
      `--rules names ${JSON.stringify(file)}, which can't be imported: ${String(cause)}.`,
      {
        cause,
      },
    )
  })) as { readonly rules?: unknown; readonly default?: unknown }
  const rules = module.rules ?? module.default
  if (Array.isArray(rules)) return rules as NormalizationRule[]
  throw new SnapshotError(
    'USAGE',
    `--rules names ${JSON.stringify(file)}, which exports no list of rules; expected "export const rules = [{ name, why, ` +
      'text }]" or a list as its default export.',
  )
}
