/** Pseudo-random values, the same at every run, for demo data and pictures. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number, both ends included. */
  integer(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** One of `[item, weight]`, in proportion to the weights. */
  pickWeighted<T>(items: readonly (readonly [T, number])[]): T
}

/** mulberry32, seeded by an FNV-1a hash of the text. */
export function createRandom(seed: string): Random {
  let state = [...seed].reduce(
    (hash, character) => Math.imul(hash ^ character.codePointAt(0)!, 16_777_619),
    2_166_136_261,
  )
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => items[integer(0, items.length - 1)]!,
    pickWeighted: (items) => {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) {
        left -= weight
        if (left < 0) return item
      }
      return items.at(-1)![0]
    },
  }
}

/** Returns a function that draws a number of six digits, another one at each call. */
export function createNumberDraw(random: Random): () => number {
  const drawn = new Set<number>()
  return () => {
    let number = 0
    do number = random.integer(100_000, 999_999)
    while (drawn.has(number))
    drawn.add(number)
    return number
  }
}

/** Returns a UUIDv7 of that moment whose random part comes from `random`. */
export function drawId(random: Random, at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.integer(0, 15).toString(16)).join('')
  const variant = random.integer(8, 11).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(12)}`
}
