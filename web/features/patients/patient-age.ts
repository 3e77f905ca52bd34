import { counted } from '../../../shared/romania/romanian.ts'

/**
 * Returns the age on a day; both days are yyyy-MM-dd. In years, before the second birthday in months, before
 * the first month in days.
 */
export function describeAge(birthDate: string, today: string): string {
  const [birthYear, birthMonth, birthDay] = birthDate.split('-').map(Number) as [number, number, number]
  const [year, month, day] = today.split('-').map(Number) as [number, number, number]
  const months = (year - birthYear) * 12 + (month - birthMonth) - (day < birthDay ? 1 : 0)
  if (months >= 24) return counted(Math.floor(months / 12), 'an', 'ani')
  if (months >= 1) return counted(months, 'lună', 'luni')
  const days = (Date.parse(today) - Date.parse(birthDate)) / 86_400_000
  return counted(Math.max(0, days), 'zi', 'zile')
}
