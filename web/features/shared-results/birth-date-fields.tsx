import type { InputEvent } from 'react'
import { readDate } from '../../../shared/romania/read-date.ts'
import { splitDateText } from '../../../shared/romania/split-date-text.ts'
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

const PARTS = [
  // With room for the whole date.
  { name: 'day', label: 'Ziua', autoComplete: 'bday-day', onInput: spreadWholeDate },
  { name: 'month', label: 'Luna', autoComplete: 'bday-month', maxLength: 2 },
  { name: 'year', label: 'Anul', autoComplete: 'bday-year', maxLength: 4 },
] as const

/** Returns the date as yyyy-mm-dd; null if there is no such day. */
export function readBirthDate(fields: FormData): string | null {
  const [day, month, year] = PARTS.map(({ name }) => String(fields.get(name)).trim())
  return readDate(`${day}.${month}.${year}`, 0)?.date ?? null
}

/** Fills the three fields when the whole date is typed or pasted into that of the day. */
function spreadWholeDate({ currentTarget }: InputEvent<HTMLInputElement>): void {
  for (const [place, part] of (splitDateText(currentTarget.value) ?? []).entries()) {
    const field = currentTarget.form?.elements.namedItem(PARTS[place]!.name)
    if (!(field instanceof HTMLInputElement)) continue
    field.value = part
    // For the errors of the form.
    if (field !== currentTarget) field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** A birth date in three fields, which need no calendar and no separators on a phone. */
export function BirthDateFields({ errors }: { errors: Readonly<Record<string, string | null>> }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium">Data nașterii pacientului</legend>
      <div className="grid grid-cols-[1fr_1fr_1.4fr] gap-3">
        {PARTS.map((part) => (
          <PlainField
            {...part}
            key={part.name}
            error={errors[part.name]}
            inputMode="numeric"
            // The only purpose of the page.
            autoFocus={part.name === 'day'}
          />
        ))}
      </div>
    </fieldset>
  )
}
