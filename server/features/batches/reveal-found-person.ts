import { parseCnp } from '../../../shared/romania/cnp.ts'
import { capitaliseName, foldText } from '../../../shared/romania/names.ts'
import type { UserCtx } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { countPeople } from '../file-checks/count-people.ts'
import { GIVEN_NAMES } from '../matching/given-names.ts'
import type { FactRow } from '../uploads/inspection/facts.db.ts'
import { findUncheckedFiles } from '../uploads/readings/find-unchecked-files.ts'
import { getOwnGroup } from './accept-group.ts'

/** What the files of a group say of the person whom they name; null where they do not. */
export type FoundPerson = {
  cnp: string | null
  surname: string | null
  givenNames: string | null
  birthDate: string | null
}

/**
 * Returns the person whom the files of a group name, with the whole CNP, for its author to add as a patient; null if they name
 * nobody, or several people. The access is recorded.
 */
export async function revealFoundPerson(ctx: UserCtx, uploadId: string): Promise<FoundPerson | null> {
  const upload = await getOwnGroup(ctx, uploadId)
  const facts = (await findUncheckedFiles(ctx, upload.id)).flatMap((file) => file.facts)
  await recordAudit(ctx, {
    action: 'upload.reveal-person',
    subject: { type: 'upload', id: upload.id },
    patientId: upload.patient_id,
  })
  return findPerson(facts)
}

function findPerson(facts: readonly FactRow[]): FoundPerson | null {
  if (countPeople(facts) !== 1) return null
  const valuesOf = (kind: FactRow['kind']) =>
    facts.filter((fact) => fact.kind === kind && !fact.is_doubtful).map(({ value }) => value)
  const [name = null] = valuesOf('name').toSorted((a, b) => b.length - a.length)
  return {
    cnp: valuesOf('cnp').find((cnp) => parseCnp(cnp).ok) ?? null,
    ...splitName(name),
    birthDate: valuesOf('birth-date')[0] ?? null,
  }
}

/** The surname is the first word, unless only the first word is a given name. */
function splitName(name: string | null): Pick<FoundPerson, 'surname' | 'givenNames'> {
  if (name === null) return { surname: null, givenNames: null }
  const words = capitaliseName(name).split(' ')
  const isGiven = (word: string | undefined) => word !== undefined && GIVEN_NAMES.has(foldText(word))
  const surname = isGiven(words[0]) && !isGiven(words.at(-1)) ? words.pop() : words.shift()
  return { surname: surname ?? null, givenNames: words.join(' ') || null }
}
