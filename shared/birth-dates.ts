/** Nobody has lived longer (122 years). */
const MAX_AGE_YEARS = 130

/** The first and the last birth date that may be written, as yyyy-MM-dd; `today` is the last. */
export const birthDateBounds = (today: string): { min: string; max: string } => ({
  min: `${Number(today.slice(0, 4)) - MAX_AGE_YEARS}-01-01`,
  max: today,
})

/** Why a birth date cannot be right; null where it may be. */
export function findBirthDateFault(day: string, today: string): string | null {
  const { min, max } = birthDateBounds(today)
  if (day > max) return 'Data nașterii nu poate fi în viitor.'
  return day < min ? `Data nașterii nu poate fi înainte de anul ${min.slice(0, 4)}.` : null
}
