import { lazily } from '../lazily.ts'

const plurals = lazily(() => new Intl.PluralRules('ro'))

/**
 * Returns a number with its noun in the right form: 1 pacient, 2 pacienți, 20 de pacienți. The forms are
 * those of CLDR for `ro`: one, few (0, 2–19, 101–119 …), other (with `de`).
 */
export function counted(count: number, one: string, many: string): string {
  const number = count.toLocaleString('ro-RO')
  const form = plurals().select(count)
  if (form === 'one') return `${number} ${one}`
  return form === 'few' ? `${number} ${many}` : `${number} de ${many}`
}

/** Returns a count that was read up to `limit`: `99+` for one that reached 100. */
export const boundedCount = (count: number, limit: number): string =>
  count < limit ? String(count) : `${limit - 1}+`

/** Formats an ISO date or timestamp as dd.MM.yyyy, in the reader's time zone. */
export function formatDate(iso: string): string {
  // A plain date has no time zone: read as UTC, it would be the day before west of Greenwich.
  const plain = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso)
  return plain
    ? `${plain[3]}.${plain[2]}.${plain[1]}`
    : new Date(iso).toLocaleDateString('ro-RO', { day: '2-digit', month: '2-digit', year: 'numeric' })
}

/** Formats a timestamp as dd.MM.yyyy, HH:mm. */
export function formatDateTime(iso: string): string {
  return new Date(iso).toLocaleString('ro-RO', { dateStyle: 'short', timeStyle: 'short' })
}

/** Formats a size in bytes with a unit: 1,4 MB. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const value = bytes / 1024 ** step
  return `${value.toLocaleString('ro-RO', { maximumFractionDigits: step === 0 || value >= 100 ? 0 : 1 })} ${units[step]}`
}
