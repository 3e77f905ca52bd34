/** Returns a copy of the items with the item at `from` moved to `to`; indexes from 0. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = items.filter((_, index) => index !== from)
  moved.splice(to, 0, ...items.slice(from, from + 1))
  return moved
}

/**
 * Returns the index that the item at `from` would get if it were dropped at the height `y`: after every other
 * item whose middle is above. `middles` are the vertical middles of all items, in px.
 */
export function findDropIndex(middles: readonly number[], from: number, y: number): number {
  return middles.filter((middle, index) => index !== from && middle < y).length
}

/** Returns the error of too few or too many items, or null. */
export function findCountError(label: string, count: number, min: number, max: number): string | null {
  if (count < min) return `${label}: cel puțin ${min}.`
  if (count > max) return `${label}: cel mult ${max}.`
  return null
}
