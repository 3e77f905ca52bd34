import { formatDate } from '../../../shared/romania/romanian.ts'

/** Returns the value of a fact as a person reads it. */
export const showValue = (what: string, value: string): string =>
  what === 'birth-date' ? formatDate(value) : value
