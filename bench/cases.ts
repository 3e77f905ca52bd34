import { sql } from 'kysely'
import type { Db } from '../server/platform/database/database.ts'
import { nearWords, queryWords } from '../shared/romania/names.ts'

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
/** Patients that the product shows of each near name. */
const MAX_NEAR = 20

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
  const { rows: sought } = await sql<{ surname: string; born: string; phone: string }>`
    select surname, to_char(birth_date, 'DD.MM.YYYY') as born, phone from patient
    where deleted_at is null and merged_into is null and phone is not null and surname ~ '^[[:alpha:]]{5,}$'
    order by ${SHUFFLED} limit ${NAMES}`.execute(db)
  const { rows: rare } = await sql<{ word: string }>`
    select first_word as word from patient_name_pair where second_prefix = '' and length(first_word) > 5
    group by 1 having count(*) <= ${MAX_NEAR} order by md5(first_word) limit ${NAMES}`.execute(db)
  const { rows: words } = await sql<{ word: string }>`
    select distinct first_word as word from patient_name_pair where second_prefix = ''`.execute(db)
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
      // The product also finds a name that is written as one word (Vlad-Andrei by `vla dan`), which the floor does not look for.
      variables: names
        .map(beginnings)
        .filter((search) => !words.some(({ word }) => word.startsWith(search.replace(' ', ''))))
        .map((search) => ({ search })),
    },
    {
      name: 'search, a surname and a birth year',
      ...patientsScreen,
      variables: sought.map(({ surname, born }) => ({
        search: `${queryWords(surname)[0]} ${born.slice(-4)}`,
      })),
    },
    {
      name: 'search, a birth date',
      ...patientsScreen,
      variables: sought.map(({ born }) => ({ search: born })),
    },
    {
      name: 'search, the end of a phone',
      ...patientsScreen,
      variables: sought.map(({ phone }) => ({ search: phone.slice(-6) })),
    },
    {
      name: 'search, a typing error',
      ...patientsScreen,
      variables: misspell(
        rare.map(({ word }) => word),
        new Set(words.map(({ word }) => word)),
      ).map((search) => ({ search })),
    },
    {
      name: "a patient's page",
      operation: 'PatientPage',
      who: 'reviewer',
      variables: patients.map(({ id }) => ({ id, withFiles: true, withNews: true })),
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
      variables: [
        {
          view: 'all',
          since: null,
          until: null,
          category: null,
          doctor: null,
          institutionId: null,
          departmentId: null,
          ownDepartments: true,
          search: '',
        },
      ],
    },
  ]
}

/** Returns rare words with two letters swapped, as far as no name begins so and the words that it may be are rare. */
function misspell(words: readonly string[], known: ReadonlySet<string>): string[] {
  const rare = new Set(words)
  return words
    .map((word) => word.slice(0, 3) + (word[4] ?? '') + word[3] + word.slice(5))
    .filter(
      (word) =>
        ![...known].some((each) => each.startsWith(word)) &&
        nearWords(word).every((each) => rare.has(each) || !known.has(each)) &&
        nearWords(word).some((each) => known.has(each)),
    )
}

/** Returns three to five letters of the surname and of the given name, as a user types them. */
function beginnings(
  { surname, given_names }: { surname: string; given_names: string },
  place: number,
): string {
  const length = 3 + (place % 3)
  return [surname, given_names].map((name) => queryWords(name)[0]!.slice(0, length)).join(' ')
}
