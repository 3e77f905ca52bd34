import { z } from 'zod'
import { LIMITS } from '../../../../shared/limits.ts'
import { searchWords } from '../../../../shared/romania/names.ts'
import { parsePhone } from '../../../../shared/romania/phone.ts'
import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { canEditPatients } from '../patients.access.ts'
import type { PatientRow } from '../patients.db.ts'
import { compareNames } from './compare-names.ts'
import { selectCandidates, type WordPair } from './duplicates.db.ts'

/** Why two patients may be one person, the strongest first. */
const DUPLICATE_REASONS = ['name_and_birth_date', 'name', 'phone'] as const
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number]

export type PossibleDuplicate = { patient: PatientRow; reasons: DuplicateReason[] }

/** Longer lists help nobody who is typing. */
const MAX_DUPLICATES = 5

/** What is known of a person, which may be incomplete. */
export type Person = Pick<
  PatientRow,
  'surname' | 'given_names' | 'previous_surname' | 'birth_date' | 'phone' | 'cnp'
>

const text = z.string().max(LIMITS.shortText).nullish()
const day = z.iso.date().nullish().catch(null)
const schema = z.object({
  surname: text,
  givenNames: text,
  previousSurname: text,
  birthDate: day,
  phone: text,
  exceptId: z.string().nullish(),
})

/**
 * Returns the patients that may be the person whom a form describes, for staff, without those declared other
 * people than the patient `exceptId`. The values may be incomplete: an invalid birth date or phone is not
 * compared.
 */
export async function findPossibleDuplicates(ctx: UserCtx, input: unknown): Promise<PossibleDuplicate[]> {
  if (!canEditPatients(ctx.actor)) throw forbidden('find possible duplicates')
  const read = schema.safeParse(input)
  if (!read.success) return []
  const { surname, givenNames, previousSurname, birthDate, phone, exceptId } = read.data
  const parsed = phone ? parsePhone(phone) : null
  const person = {
    surname: surname ?? '',
    given_names: givenNames ?? '',
    previous_surname: previousSurname || null,
    birth_date: birthDate ?? null,
    phone: parsed?.ok ? parsed.e164 : null,
    cnp: null,
  }
  return find(ctx, person, exceptId && isId(exceptId) ? exceptId : null)
}

/**
 * Returns the patients that may be the same person as this one; empty for a reader who may not merge them. The
 * same phone alone is no reason if the birth dates differ, as in a family.
 */
export async function listDuplicatesOf(ctx: UserCtx, patient: PatientRow): Promise<PossibleDuplicate[]> {
  if (!canEditPatients(ctx.actor)) return []
  return find(
    ctx,
    patient,
    patient.id,
    ({ patient: other, reasons }) => !isOnlyPhone(patient, other, reasons),
  )
}

/** Whether two people of different birth dates have nothing but a phone in common, as in a family. */
export const isOnlyPhone = (
  person: Pick<Person, 'birth_date'>,
  other: Pick<Person, 'birth_date'>,
  reasons: readonly DuplicateReason[],
): boolean =>
  person.birth_date !== null &&
  other.birth_date !== null &&
  person.birth_date !== other.birth_date &&
  reasons.every((reason) => reason === 'phone')

async function find(
  ctx: UserCtx,
  person: Person,
  ownId: string | null,
  isShown: (duplicate: PossibleDuplicate) => boolean = () => true,
): Promise<PossibleDuplicate[]> {
  const sought = {
    wordPairs: wordPairsOf(person),
    birthDate: person.birth_date,
    phone: person.phone,
    cnp: person.cnp,
  }
  const found = (await selectCandidates(ctx.db, sought, ownId))
    .map((patient) => ({ patient, reasons: reasonsFor(person, patient) }))
    .filter((duplicate) => duplicate.reasons.length > 0 && isShown(duplicate))
    .sort((a, b) => rank(a) - rank(b) || (a.patient.id < b.patient.id ? -1 : 1))
    .slice(0, MAX_DUPLICATES)
  if (found.length > 0)
    await recordAudit(ctx, { action: 'patient.list', subjectIds: found.map(({ patient }) => patient.id) })
  return found
}

const rank = ({ reasons }: PossibleDuplicate): number => DUPLICATE_REASONS.indexOf(reasons[0]!)

/** Two different CNPs belong to two people, whatever else agrees. */
export function reasonsFor(person: Person, other: Person): DuplicateReason[] {
  if (person.cnp !== null && other.cnp !== null && person.cnp !== other.cnp) return []
  const names = compareNames(person, other)
  const isUndated = person.birth_date === null || other.birth_date === null
  return [
    ...(names !== 'different' && !isUndated && person.birth_date === other.birth_date
      ? (['name_and_birth_date'] as const)
      : []),
    ...(names === 'same' && isUndated ? (['name'] as const) : []),
    ...(person.phone !== null && person.phone === other.phone ? (['phone'] as const) : []),
  ]
}

/** Returns the longest word: it finds the fewest names. */
const longest = (words: readonly string[]): string =>
  words.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0]!

/**
 * Returns pairs of words that every equal name has: a word of the surname, or of the previous one, and a given
 * name, in each spelling. Empty if either is missing.
 */
export function wordPairsOf({ surname, given_names, previous_surname }: Person): WordPair[] {
  const spellings = (name: string | null): string[] => {
    const words = (name ?? '').split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => searchWords(word).length > 0)
    return words.length === 0 ? [] : searchWords(longest(words))
  }
  const given = spellings(given_names)
  return [...new Set([...spellings(surname), ...spellings(previous_surname)])].flatMap((word) =>
    given.filter((other) => other !== word).map((other) => [word, other] as const),
  )
}
