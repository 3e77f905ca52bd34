import { z } from 'zod'
import { INVALID_EMAIL_MESSAGE, parseEmail } from '../shared/email.ts'
import { LIMITS } from '../shared/limits.ts'
import { parseCnp } from '../shared/romania/cnp.ts'
import { parseCui } from '../shared/romania/cui.ts'
import { todayInRomania } from '../shared/romania/day.ts'
import { normaliseText } from '../shared/romania/names.ts'
import { parsePhone } from '../shared/romania/phone.ts'
import { invalid } from './errors.ts'

/**
 * Parses an input by its schema; throws BAD_USER_INPUT with the name and the Romanian sentence of every
 * invalid field.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })))
}

const blankAsNull = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? null : (value ?? null)

/** A required line of text, normalised. */
export const requiredText = (label: string, max: number = LIMITS.shortText) =>
  z
    .string({ error: `${label} este necesar.` })
    .transform(normaliseText)
    .pipe(
      z
        .string()
        .min(1, `${label} este necesar.`)
        .max(max, `${label} poate avea cel mult ${max} de caractere.`),
    )

/** A line of text, normalised; null when blank. */
export const optionalText = (label: string, max: number = LIMITS.shortText) =>
  z.preprocess(blankAsNull, requiredText(label, max).nullable())

/** Text of several lines, kept as written except for NUL characters; null when blank. */
export const optionalNote = (label: string) =>
  z.preprocess(
    (value) => blankAsNull(typeof value === 'string' ? value.replaceAll('\0', '') : value),
    z
      .string()
      .max(LIMITS.longText, `${label} poate avea cel mult ${LIMITS.longText} de caractere.`)
      .nullable(),
  )

/** A required text of several lines, kept as written except for NUL characters and the blanks around it. */
export const requiredNote = (label: string, max: number) =>
  z
    .string({ error: `${label} este necesar.` })
    .transform((text) => text.replaceAll('\0', '').trim())
    .pipe(
      z
        .string()
        .min(1, `${label} este necesar.`)
        .max(max, `${label} poate avea cel mult ${max} de caractere.`),
    )

export const optionalOneOf = <const T extends readonly [string, ...string[]]>(label: string, values: T) =>
  z.preprocess(blankAsNull, z.enum(values, { error: `${label} nu are o valoare cunoscută.` }).nullable())

/** A day as yyyy-MM-dd from 1850 to today; null when blank. */
export const optionalPastDay = (label: string) =>
  z.preprocess(
    blankAsNull,
    z.iso
      .date(`${label} nu este o dată validă.`)
      .refine((day) => day >= '1850-01-01' && day <= todayInRomania(), {
        error: `${label} nu poate fi în viitor.`,
      })
      .nullable(),
  )

const checked = (read: (text: string) => string | { error: string }) =>
  z.preprocess(
    blankAsNull,
    z
      .string()
      .transform((text, ctx) => {
        const value = read(text)
        if (typeof value === 'string') return value
        ctx.addIssue({ code: 'custom', message: value.error })
        return z.NEVER
      })
      .nullable(),
  )

export const optionalCnp = checked((text) => {
  const cnp = parseCnp(text)
  return cnp.ok ? cnp.cnp : { error: cnp.message }
})

export const optionalCui = checked((text) => {
  const cui = parseCui(text)
  return cui.ok ? cui.cui : { error: cui.message }
})

export const optionalPhone = checked((text) => {
  const phone = parsePhone(text)
  return phone.ok ? phone.e164 : { error: phone.message }
})

export const optionalEmail = checked((text) => parseEmail(text) ?? { error: INVALID_EMAIL_MESSAGE })
