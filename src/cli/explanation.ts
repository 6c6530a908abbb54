import type { NormalizationChange } from '../transcript/index.ts'
import { counted } from '../counted.ts'
import { showPair } from '../transcript/shorten.ts'

const shown = 60

/** A line a rule: how often it changed something, and what it changed first. */
export function explanation(changes: readonly NormalizationChange[]): string {
  const byRule = new Map<string, { readonly first: NormalizationChange; count: number }>()
  for (const change of changes) {
    const known = byRule.get(change.rule)
    if (known === undefined) byRule.set(change.rule, { first: change, count: 1 })
    else known.count += 1
  }
  const lines = Array.from(
    byRule,
    ([rule, { first, count }]) => `  ${rule}  ${counted(count, 'change')}, the first in ${placeOf(first)}`,
  )
  return ['normalised by', ...lines].join('\n')
}

function placeOf({ surface, index, path, before, after }: NormalizationChange): string {
  const [was, is] = showPair(before, after, shown)
  const member = surface === 'stdout' ? `frame ${index + 1}` : index === -1 ? 'header' : `event ${index}`
  return `${surface} ${member} ${path}: ${was} became ${is}`
}
