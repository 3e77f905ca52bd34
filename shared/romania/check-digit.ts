/** Returns the sum of each digit times the weight at its position; both texts have equal lengths. */
export function weightedSum(digits: string, weights: string): number {
  return [...digits].reduce((sum, digit, index) => sum + Number(digit) * Number(weights[index]), 0)
}
