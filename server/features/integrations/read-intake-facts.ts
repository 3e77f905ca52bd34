import { z } from 'zod'
import type { IntakeFacts } from '../../../shared/integrations.ts'
import { invalid, UserError } from '../../errors.ts'
import { optionalCnp, optionalPastDay, optionalText, parseInput } from '../../validation.ts'

const RULES = {
  cnp: optionalCnp,
  surname: optionalText('Numele'),
  givenNames: optionalText('Prenumele'),
  birthDate: optionalPastDay('Data nașterii'),
  accessionNumber: optionalText('Numărul de acces', 60),
  examinedAt: optionalPastDay('Data examinării'),
  doctor: optionalText('Medicul trimițător'),
  institution: optionalText('Instituția'),
  category: optionalText('Categoria'),
  title: optionalText('Titlul'),
} satisfies Record<keyof IntakeFacts, z.ZodType>
const schema = z.object(RULES)

/** Reads what an integration states of a document. Throws BAD_USER_INPUT: 400 for an unknown name, 422 for a value. */
export function readIntakeFacts(text: string | null): IntakeFacts {
  const given = text === null ? {} : parseObject(text)
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(RULES, name))
  if (unknown.length > 0)
    throw invalid(unknown.map((field) => ({ field, message: `„${field}” nu este un câmp cunoscut.` })))
  const noText = Object.keys(given).filter((name) => given[name] !== null && typeof given[name] !== 'string')
  if (noText.length > 0)
    throw invalidFacts(noText.map((field) => ({ field, message: `„${field}” trebuie să fie un text.` })))
  try {
    const stated = Object.entries(parseInput(schema, given)).filter(([, value]) => value !== null)
    return Object.fromEntries(stated)
  } catch (error) {
    throw error instanceof UserError ? invalidFacts(error.fields) : error
  }
}

/** An error for facts that can be read and are not right. */
export const invalidFacts = (fields: UserError['fields']): UserError =>
  new UserError(422, 'invalid facts', fields.map(({ message }) => message).join(' '), { fields })

function parseObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = null
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw invalid([{ field: 'facts', message: 'Partea „facts” trebuie să fie un obiect JSON.' }])
}
