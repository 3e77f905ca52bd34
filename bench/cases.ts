import { sql } from 'kysely'
import type { Db } from '../server/platform/database/database.ts'
import { queryWords } from '../shared/romania/names.ts'

/** A query of a screen, with as many different variables as real users would send. */
export type ReadCase = {
  name: string
  /** The product's own document. */
  operation: string
  who: 'reviewer' | 'institution'
  variables: readonly Record<string, unknown>[]
}

const CURSORS = 500
const PAGES = 500
const NAMES = 200

/** In an arbitrary order that is the same at every run. */
const SHUFFLED = sql`md5(id::text)`

/** Returns the queries, with variables drawn from the rows of the database. */
export async function drawCases(db: Db): Promise<ReadCase[]> {
  const { rows: deep } = await sql<{ created_at: Date; id: string }>`
    select created_at, id from patient where deleted_at is null and merged_into is null
      and created_at < (select percentile_disc(0.9) within group (order by created_at) from patient)
    order by ${SHUFFLED} limit ${CURSORS}`.execute(db)
  const { rows: frequent } = await sql<{ search: string }>`
    select first_prefix || ' ' || second_prefix as search from patient_name_pair
    where length(first_prefix) = 3 and length(second_prefix) = 3 and first_prefix <> second_prefix
    group by first_prefix, second_prefix order by count(*) desc, 1 limit 1`.execute(db)
  const { rows: names } = await sql<{ surname: string; given_names: string }>`
    select surname, given_names from patient where deleted_at is null and merged_into is null
      and surname ~ '^[[:alpha:]]{3}' and given_names ~ '^[[:alpha:]]{3}'
    order by ${SHUFFLED} limit ${NAMES}`.execute(db)
  const { rows: patients } = await sql<{ id: string }>`
    select id from patient where deleted_at is null and merged_into is null
      and exists (select from upload where patient_id = patient.id and deleted_at is null)
    order by ${SHUFFLED} limit ${PAGES}`.execute(db)

  const patientsScreen = { operation: 'Patients', who: 'reviewer' } as const
  return [
    { name: 'newest 50 patients', ...patientsScreen, variables: [{ search: '' }] },
    {
      name: 'a deep page',
      ...patientsScreen,
      variables: deep.map(({ created_at, id }) => ({
        search: '',
        after: Buffer.from(JSON.stringify([created_at.toISOString(), id])).toString('base64url'),
      })),
    },
    {
      name: 'search, a frequent pair',
      ...patientsScreen,
      variables: frequent.map(({ search }) => ({ search })),
    },
    {
      name: 'search, 200 pairs',
      ...patientsScreen,
      variables: names.map(beginnings).map((search) => ({ search })),
    },
    {
      name: "a patient's page",
      operation: 'PatientPage',
      who: 'reviewer',
      variables: patients.map(({ id }) => ({ id, withFiles: true })),
    },
    {
      name: 'the review queue',
      operation: 'ReviewQueue',
      who: 'reviewer',
      variables: [{ states: ['in_review'], category: null, institutionId: null, mine: false, search: '' }],
    },
    {
      name: "an institution's inbox",
      operation: 'Inbox',
      who: 'institution',
      variables: [{ unread: false, search: '' }],
    },
  ]
}

/** Returns three to five letters of the surname and of the given name, as a user types them. */
function beginnings(
  { surname, given_names }: { surname: string; given_names: string },
  place: number,
): string {
  const length = 3 + (place % 3)
  return [surname, given_names].map((name) => queryWords(name)[0]!.slice(0, length)).join(' ')
}
