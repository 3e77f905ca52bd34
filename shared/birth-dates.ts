/** Nobody alive was born before: an earlier date is a typing error. */
const FIRST_BIRTH_DATE = '1900-01-01'

/** Of a date and a CNP that contradict each other. */
export const NOT_BIRTH_DATE_OF_CNP = 'Data nașterii nu este cea din CNP.'

/** Returns the first and the last accepted birth date as yyyy-MM-dd; `today` is the last. */
export const birthDateBounds = (today: string): { min: string; max: string } => ({
  min: FIRST_BIRTH_DATE,
  max: today,
})

/** Returns why a birth date cannot be right; null if it can. */
export function findBirthDateError(day: string, today: string): string | null {
  const { min, max } = birthDateBounds(today)
  if (day > max) return 'Data nașterii nu poate fi în viitor.'
  return day < min ? `Data nașterii nu poate fi înainte de anul ${min.slice(0, 4)}.` : null
}
