import type { NormalizationChange } from '../transcript/index.ts'
import { showPair } from '../transcript/shorten.ts'

const shown = 60

/** A line a rule: how often it changed something, and what it changed first. */
export function explanation(changes: readonly NormalizationChange[]): string {
  const byRule = Map.groupBy(changes, ({ rule }) => rule)
  const lines = [...byRule].map(([rule, found]) => {
    const places = found.slice(0, 1).map(first => `, the first in ${placeOf(first)}`)
    return `  ${rule}  ${counted(found.length)}${places.join('')}`
  })
  return ['normalised by', ...lines].join('\n')
}

function counted(changes: number): string {
  return changes === 1 ? '1 change' : `${changes} changes`
}

function placeOf({ surface, index, path, before, after }: NormalizationChange): string {
  const [was, is] = showPair(before, after, shown)
  const member = surface === 'stdout' ? `frame ${index + 1}` : index === -1 ? 'header' : `event ${index}`
  return `${surface} ${member} ${path}: ${was} became ${is}`
}
