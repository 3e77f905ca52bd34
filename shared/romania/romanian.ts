const plurals = new Intl.PluralRules('ro')

/**
 * A number with its noun in the right form: 1 pacient, 2 pacienți, 20 de pacienți.
 * Forms as CLDR has them for `ro`: one, few (0, 2–19, 101–119 …), other (takes `de`).
 */
export function counted(count: number, one: string, many: string): string {
  const number = count.toLocaleString('ro-RO')
  const form = plurals.select(count)
  if (form === 'one') return `${number} ${one}`
  return form === 'few' ? `${number} ${many}` : `${number} de ${many}`
}

/** dd.MM.yyyy of an ISO date or timestamp, in the reader's time zone. */
export function formatDate(iso: string): string {
  // A plain date has no time zone: reading it as UTC would show the day before west of Greenwich.
  const date = /^\d{4}-\d{2}-\d{2}$/.test(iso) ? new Date(`${iso}T12:00:00`) : new Date(iso)
  return date.toLocaleDateString('ro-RO', { day: '2-digit', month: '2-digit', year: 'numeric' })
}

/** dd.MM.yyyy, HH:mm. */
export function formatDateTime(iso: string): string {
  return new Date(iso).toLocaleString('ro-RO', { dateStyle: 'short', timeStyle: 'short' })
}

/** A size in bytes as people read it: 1,4 MB. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const value = bytes / 1024 ** step
  return `${value.toLocaleString('ro-RO', { maximumFractionDigits: step === 0 || value >= 100 ? 0 : 1 })} ${units[step]}`
}
