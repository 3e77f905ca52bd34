/** Sum of each digit times the weight at its place; both texts hold as many digits. */
export function weightedSum(digits: string, weights: string): number {
  return [...digits].reduce((sum, digit, place) => sum + Number(digit) * Number(weights[place]), 0)
}
