/** No upload's number has more. */
export const MAX_DIGITS = 10

/**
 * The ranges, both ends included, of the numbers of at most `most` digits that begin with these: 1001 is 1001 itself, 10010
 * to 10019, 100100 to 100199 … No range where none can: a number does not begin with 0.
 */
export function numbersBeginningWith(digits: string, most: number): [number, number][] {
  if (digits.startsWith('0')) return []
  return Array.from({ length: Math.max(most - digits.length + 1, 0) }, (_, more) => {
    const from = Number(digits) * 10 ** more
    return [from, from + 10 ** more - 1]
  })
}
