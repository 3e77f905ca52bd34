/** The most digits that an upload's number has. */
export const MAX_DIGITS = 10

/**
 * Returns the ranges, both ends included, of the numbers of at most `maxDigits` digits that begin with
 * `digits`: for 1001 these are 1001, 10010 to 10019, 100100 to 100199 … No number begins with 0.
 */
export function numbersBeginningWith(digits: string, maxDigits: number): [number, number][] {
  if (digits.startsWith('0')) return []
  return Array.from({ length: Math.max(maxDigits - digits.length + 1, 0) }, (_, more) => {
    const from = Number(digits) * 10 ** more
    return [from, from + 10 ** more - 1]
  })
}
