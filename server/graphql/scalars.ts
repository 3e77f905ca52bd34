import { queryError } from '../errors.ts'
import { builder } from './builder.ts'

/**
 * Whether the text is a day of the calendar. `Date` turns 31 February into March, so its output is compared
 * with the text.
 */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}

builder.scalarType('Date', {
  description: 'A day as yyyy-MM-dd; days that do not exist are rejected.',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value !== 'string' || !isDay(value)) throw queryError('a date must be yyyy-MM-dd')
    return value
  },
})

builder.scalarType('DateTime', {
  description: 'An instant as ISO 8601, returned in UTC.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    const date = typeof value === 'string' ? new Date(value) : new Date(Number.NaN)
    if (Number.isNaN(date.getTime())) {
      throw queryError('an instant must be ISO 8601')
    }
    return date
  },
})

builder.scalarType('JSON', { description: 'Any JSON value.', serialize: (value) => value })
