import { isDeepStrictEqual } from 'node:util'

import type { ChannelSetup } from '../../channel/messages.ts'
import { SnapshotError } from '../../errors.ts'
import type { JsonObject } from '../../session-log/types.ts'
import type { CompositionOptions } from '../composition/composition.ts'

/**
 * What of a composition goes to a process of the agent's own, beside its path.
 *
 * @throws SnapshotError `USAGE` for what only this process has: modules, and functions in patches
 */
export function sentComposition({
  overlay,
  patches = [],
  modules = {},
}: CompositionOptions): Pick<ChannelSetup, 'overlay' | 'patches'> {
  if (Object.keys(modules).length > 0) {
    throw new SnapshotError(
      'USAGE',
      "composition.modules has values of this process, which a process of the agent's own can't be given. Let an entry " +
        'name a file, or use the in-process host.',
    )
  }
  return { patches: patches.map(plain), ...(overlay === undefined ? {} : { overlay }) }
}

function plain(patch: object): JsonObject {
  try {
    const text = JSON.stringify(patch, (key, value: unknown) => {
      if (typeof value === 'function') throw new TypeError(`"${key}" is a function`)
      return value
    })
    const sent: unknown = JSON.parse(text)
    if (isDeepStrictEqual(sent, patch)) return sent as JsonObject
    throw new TypeError('it is no JSON value')
  } catch (cause) {
    throw new SnapshotError(
      'USAGE',
      `composition.patches has a value that a process of the agent's own can't be given: ${(cause as Error).message}. ` +
        'Give JSON values, or use the in-process host.',
      { cause },
    )
  }
}
