/** The same items with the one at `from` now at `to`; places count from 0. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = items.filter((_, place) => place !== from)
  moved.splice(to, 0, ...items.slice(from, from + 1))
  return moved
}

/**
 * Where the item at `from` would come to stand if it were let go at the height `y`: after every other item whose middle
 * lies above. `middles` are the heights of all, from the top.
 */
export function findDropPlace(middles: readonly number[], from: number, y: number): number {
  return middles.filter((middle, place) => place !== from && middle < y).length
}

/** Why so many items cannot be sent, or null where they can. */
export function findCountError(label: string, count: number, min: number, max: number): string | null {
  if (count < min) return `${label}: cel puțin ${min}.`
  if (count > max) return `${label}: cel mult ${max}.`
  return null
}
