import { lazily } from '../lazily.ts'

/** Formats a day and a time of Romania. */
export const momentFormat = lazily(
  () =>
    new Intl.DateTimeFormat('ro-RO', {
      timeZone: 'Europe/Bucharest',
      dateStyle: 'short',
      timeStyle: 'short',
    }),
)

/** Formats an instant as dd.MM.yyyy, ora HH:mm, in the time of Romania, for mails and reports. */
export const formatMoment = (at: Date): string => momentFormat().format(at).replace(', ', ', ora ')
