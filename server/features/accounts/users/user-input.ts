import { z } from 'zod'
import { FEATURES } from '../../../../shared/access/features.ts'
import { ROLES } from '../../../../shared/access/roles.ts'
import { invalid } from '../../../errors.ts'
import type { Db } from '../../../platform/database/database.ts'
import { isId } from '../../../platform/ids.ts'
import { optionalEmail, optionalPhone, optionalText, parseInput, requiredText } from '../../../validation.ts'
import { belongsToInstitutions, takesFeatures } from '../accounts.access.ts'
import { lockInstitutions } from './user-institutions.db.ts'

const MAX_INSTITUTIONS_PER_USER = 100
export const UNKNOWN_INSTITUTION_MESSAGE = 'Instituția nu există.'
export const NO_OPEN_INSTITUTION_MESSAGE = 'Instituția nu există sau este suspendată.'

/** `many` names the items in the message for too many of them. */
const list = <T extends z.ZodType>(item: T, many: string) =>
  z.preprocess(
    (value) => value ?? [],
    z
      .array(item)
      .max(MAX_INSTITUTIONS_PER_USER, `Alege cel mult ${MAX_INSTITUTIONS_PER_USER} de ${many}.`)
      .transform((items) => [...new Set(items)]),
  )

const schema = z
  .object({
    email: optionalEmail.pipe(z.string('Adresa de email este necesară.')),
    name: requiredText('Numele'),
    role: z.enum(ROLES),
    features: list(z.enum(FEATURES, { error: 'Dreptul nu are o valoare cunoscută.' }), 'drepturi'),
    institutionIds: list(z.string().refine(isId, { error: UNKNOWN_INSTITUTION_MESSAGE }), 'instituții'),
    phone: optionalPhone,
    jobTitle: optionalText('Funcția'),
  })
  .superRefine(({ role, features, institutionIds }, ctx) => {
    const addError = (field: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], message })
    if (!takesFeatures(role) && features.length > 0)
      addError('features', 'Drepturile se acordă doar personalului.')
    if (belongsToInstitutions(role) && institutionIds.length === 0)
      addError('institutionIds', 'Alege cel puțin o instituție.')
    if (!belongsToInstitutions(role) && institutionIds.length > 0)
      addError('institutionIds', 'Doar un cont de instituție are instituții.')
  })

/** Parses the input for an account. Throws BAD_USER_INPUT with an error for each invalid field. */
export function readUserInput(input: unknown) {
  const { institutionIds, jobTitle, ...person } = parseInput(schema, input)
  return { institutionIds, person: { ...person, job_title: jobTitle } }
}

/** Locks the institutions and throws BAD_USER_INPUT if one does not exist or is suspended. */
export async function requireOpenInstitutions(db: Db, ids: readonly string[]): Promise<void> {
  const open = (await lockInstitutions(db, ids)).filter(({ suspended_at }) => suspended_at === null)
  if (open.length === ids.length) return
  throw invalid([{ field: 'institutionIds', message: NO_OPEN_INSTITUTION_MESSAGE }])
}

/** Shown for an account whose institutions are all suspended. */
export const ALL_INSTITUTIONS_SUSPENDED_MESSAGE =
  'Instituția acestui cont este suspendată: până la reactivarea ei nu i se trimite nimic.'

export const EMAIL_TAKEN_MESSAGE = 'Există deja un cont cu această adresă.'
