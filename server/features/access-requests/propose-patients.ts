import type { UserCtx } from '../../context.ts'
import { compareFacts } from '../matching/compare-facts.ts'
import { findPatients } from '../matching/find-patients.ts'
import type { Candidate } from '../matching/match-document.ts'
import { listReferrals } from '../patients/list-referrals.ts'

/** What a request says of its patient. */
type Stated = {
  institution_id: string
  surname: string
  given_names: string
  birth_date: string
  cnp: string | null
}

/** What was compared: `cnp`, `name`, `birth-date`. */
type Compared = ReturnType<typeof compareFacts>['lines'][number]['what']

/** A patient whom a request may be about, with what agrees and what does not. */
export type ComparedPatient = {
  person: Candidate
  agrees: Compared[]
  disagrees: Compared[]
  /** Whether the institution has referred the patient already. */
  isReferred: boolean
}

/** Returns the patients whom a request may be about, by the rules by which the patient of a file is found. */
export async function proposePatients(ctx: UserCtx, stated: Stated): Promise<ComparedPatient[]> {
  const facts = factsOf(stated)
  const [match] = await findPatients(ctx.db, [facts])
  return Promise.all(
    (match?.patients ?? []).map(async ({ person }) => {
      const { lines } = compareFacts(person, [{ fileId: '', facts }])
      const withResult = (result: string) =>
        lines
          // A CNP disagrees with a patient without one; there is nothing to compare here.
          .filter((line) => line.result === result && !(line.what === 'cnp' && person.cnp === null))
          .map(({ what }) => what)
      return {
        person,
        agrees: withResult('agrees'),
        disagrees: withResult('disagrees'),
        isReferred: (await listReferrals(ctx, person.id, [stated.institution_id])).length > 0,
      }
    }),
  )
}

function factsOf({ surname, given_names, birth_date, cnp }: Stated) {
  const fact = (kind: 'name' | 'birth-date' | 'cnp', value: string) => ({
    file_id: '',
    kind,
    value,
    place: { in: 'sender' as const },
    is_doubtful: false,
  })
  return [
    fact('name', `${surname} ${given_names}`),
    fact('birth-date', birth_date),
    ...(cnp === null ? [] : [fact('cnp', cnp)]),
  ]
}
