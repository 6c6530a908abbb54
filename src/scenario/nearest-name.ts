/**
 * The known name that a mistyped one most likely stands for, if one is close: the same but for case, `-`, `_` and
 * spaces, or at most a third of its letters away (and always one letter).
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = Infinity
  for (const candidate of known) {
    const limit = Math.max(1, Math.floor(candidate.length / 3))
    const distance = editDistance(bare(name), bare(candidate), limit)
    if (distance <= limit && distance < least) {
      least = distance
      nearest = candidate
    }
  }
  return nearest
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, '')
}

/** Letters to add, drop or replace on the way from one to the other; Infinity where the lengths alone pass `limit`. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return Infinity
  const row = Array.from(to, (letter, index) => ({ letter, distance: index + 1 }))
  let distance = row.length
  for (const [index, letter] of Array.from(from).entries()) {
    let diagonal = index
    distance = index + 1
    for (const cell of row) {
      const above = cell.distance
      distance = Math.min(distance + 1, above + 1, diagonal + (letter === cell.letter ? 0 : 1))
      cell.distance = distance
      diagonal = above
    }
  }
  return distance
}
