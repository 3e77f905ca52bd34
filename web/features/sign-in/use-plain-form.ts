import { type FocusEvent, type FormEvent, useState } from 'react'
import { INVALID_EMAIL_MESSAGE, parseEmail } from '../../../shared/email.ts'
import { deferUntilPointerUp } from '../../forms/core/defer-until-pointer-up.ts'

/** Returns the sentence for an invalid value; null for a valid one. */
export type PlainRule = (value: string) => string | null

/** FormKit's rules `required` and `email`, with its sentences [5.5]. */
export const required =
  (label: string): PlainRule =>
  (value) =>
    value === '' ? `${label} este necesar.` : null
export const validEmail: PlainRule = (value) => (parseEmail(value) ? null : INVALID_EMAIL_MESSAGE)

const INCOMPLETE_MESSAGE = 'Pare rău, unele câmpuri nu sunt corect completate.'

/**
 * The behaviour of a FormKit form for the pages before the sign-in, which are too small for FormKit: a field
 * shows its error once it has lost the focus [5.3]; a submission shows all errors and the sentence of [5.4],
 * and focuses the first invalid field. `rules`: of each field, by its name.
 */
export function usePlainForm(rules: Readonly<Record<string, readonly PlainRule[]>>) {
  const [errors, setErrors] = useState<Readonly<Record<string, string | null>>>({})
  const [isSubmitted, setSubmitted] = useState(false)

  const setError = (name: string, error: string | null) => setErrors((shown) => ({ ...shown, [name]: error }))
  const check = ({ name, value }: HTMLInputElement) => {
    const error = rules[name]?.map((rule) => rule(value)).find((sentence) => sentence !== null) ?? null
    setError(name, error)
    return error === null
  }
  const isRuled = (target: unknown): target is HTMLInputElement =>
    target instanceof HTMLInputElement && Object.hasOwn(rules, target.name)

  return {
    errors,
    /** Shows the server's error of a field until its value changes. */
    setError,
    /** The sentence above the form; null unless a submission has failed and an error is left. */
    incomplete: isSubmitted && Object.values(errors).some(Boolean) ? INCOMPLETE_MESSAGE : null,
    /** The props of the form. */
    handlers: {
      noValidate: true,
      onBlur: ({ target }: FocusEvent) => {
        if (isRuled(target)) deferUntilPointerUp(() => check(target))
      },
      onInput: ({ target }: FormEvent) => {
        if (isRuled(target) && Object.hasOwn(errors, target.name)) check(target)
      },
    },
    /** Shows the errors of all fields; returns whether there is none. */
    validate: (form: HTMLFormElement): boolean => {
      const invalid = [...form.elements].filter(isRuled).filter((field) => !check(field))
      setSubmitted(invalid.length > 0)
      invalid[0]?.focus()
      return invalid.length === 0
    },
  }
}
