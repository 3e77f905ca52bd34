import type { InputEvent } from 'react'
import { readDate } from '../../../shared/romania/read-date.ts'
import { PlainField } from '../../ui/plain/plain-field.tsx'
import type { PlainRule } from '../sign-in/use-plain-form.ts'

const between =
  (min: number, max: number, sentence: string): PlainRule =>
  (value) =>
    /^\d+$/.test(value.trim()) && Number(value) >= min && Number(value) <= max ? null : sentence

export const birthDateRules: Readonly<Record<string, readonly PlainRule[]>> = {
  day: [between(1, 31, 'De la 1 la 31.')],
  month: [between(1, 12, 'De la 1 la 12.')],
  year: [between(1900, 2999, 'Patru cifre.')],
}

/** Returns the date as yyyy-mm-dd; null if there is no such day. */
export function readBirthDate(fields: FormData): string | null {
  const [day, month, year] = NAMES.map((name) => String(fields.get(name)).trim())
  return readDate(`${day}.${month}.${year}`, 0)?.date ?? null
}

const NAMES = ['day', 'month', 'year'] as const

/** Fills the three fields when the whole date is typed or pasted into that of the day. */
function spreadWholeDate({ currentTarget }: InputEvent<HTMLInputElement>): void {
  const text = currentTarget.value.trim().replace(/^(\d\d)(\d\d)(\d{4})$/, '$1.$2.$3')
  const [, ...parts] = /^(\d{1,2})\D+(\d{1,2})\D+(\d{4})$/.exec(text) ?? []
  for (const [place, part] of parts.entries()) {
    const field = currentTarget.form?.elements.namedItem(NAMES[place]!)
    if (!(field instanceof HTMLInputElement)) continue
    field.value = part
    // For the errors of the form.
    if (field !== currentTarget) field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

const PARTS = [
  { name: 'day', label: 'Ziua', digits: 2, autoComplete: 'bday-day' },
  { name: 'month', label: 'Luna', digits: 2, autoComplete: 'bday-month' },
  { name: 'year', label: 'Anul', digits: 4, autoComplete: 'bday-year' },
] as const

/** A birth date in three fields, which need no calendar and no separators on a phone. */
export function BirthDateFields({ errors }: { errors: Readonly<Record<string, string | null>> }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium">Data nașterii pacientului</legend>
      <div className="grid grid-cols-[1fr_1fr_1.4fr] gap-3">
        {PARTS.map(({ name, label, digits, autoComplete }) => (
          <PlainField
            key={name}
            name={name}
            label={label}
            error={errors[name]}
            inputMode="numeric"
            autoComplete={autoComplete}
            // Of the day there is room for the whole date.
            {...(name === 'day' ? { onInput: spreadWholeDate } : { maxLength: digits })}
            // The only purpose of the page.
            autoFocus={name === 'day'}
          />
        ))}
      </div>
    </fieldset>
  )
}
