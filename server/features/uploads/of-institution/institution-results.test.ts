import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  makeEmptyUpload,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../../db/factories.ts'
import { seedDemo } from '../../../../db/seed.ts'
import { INSTITUTION_FIGURES } from '../../../../shared/institutions.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'

const FIGURES = `query ($id: ID!) { institutionFigures(institutionId: $id) {
  released unopened oldestUnopenedAt medianToOpening medianToOpeningLong } }`
const RESULTS = `query ($id: ID!, $days: Int, $opened: Boolean, $first: Int, $after: String) {
  institutionResults(institutionId: $id, days: $days, opened: $opened, first: $first, after: $after) {
    nodes { id releasedAt firstOpenedAt } endCursor } }`
const { days, daysLong, countMax } = INSTITUTION_FIGURES
const STAFF = ['patient::files'] as const

type Result = { id: string; releasedAt: string; firstOpenedAt: string | null }

/** Reads all pages of a list, which are short so that there are several. */
async function listResults(
  client: TestClient,
  id: string,
  filter: { days?: number; opened?: boolean } = {},
): Promise<Result[]> {
  const rows: Result[] = []
  let after: string | null = null
  do {
    const { institutionResults } = await client.runQuery(RESULTS, { id, ...filter, first: 7, after })
    rows.push(...institutionResults.nodes)
    after = institutionResults.endCursor
  } while (after !== null)
  return rows
}

/** Reads the figures of an institution from the tables, by other queries than the product's. */
async function readFromTables({ db }: TestServer, institutionId: string) {
  const median = (period: number) => sql`(
    select round((percentile_cont(0.5) within group (order by extract(epoch from first.at - released_at) / 60))::numeric)::int
    from (select upload_id, min(opened_at) as at from upload_opening group by 1) first join upload on id = first.upload_id
    where institution_id = ${institutionId}::uuid and state = 'released' and deleted_at is null
      and (released_at at time zone 'Europe/Bucharest')::date > (now() at time zone 'Europe/Bucharest')::date - ${period}::int)`
  const { rows } = await sql<{
    released: number
    unopened: number
    oldest: Date | null
    median: number | null
    medianLong: number | null
  }>`
    select count(*) filter (where (released_at at time zone 'Europe/Bucharest')::date
        > (now() at time zone 'Europe/Bucharest')::date - ${days}::int)::int as released,
      count(*) filter (where id not in (select upload_id from upload_opening))::int as unopened,
      min(released_at) filter (where id not in (select upload_id from upload_opening)) as oldest,
      ${median(days)} as median, ${median(daysLong)} as "medianLong"
    from upload where institution_id = ${institutionId}::uuid and state = 'released' and deleted_at is null`.execute(
    db,
  )
  return rows[0]!
}

it('the figures of each institution of the demo are those of the tables, and each is the length of its list', async () => {
  const server = await createTestServer()
  const { db, services } = server
  await seedDemo({ db, storage: services.storage, now: new Date() })
  const staff = await server.signIn((await makeUser(db, { features: [...STAFF] })).email)
  const institutions = await db.selectFrom('institution').select('id').execute()
  let seen = 0
  for (const { id } of institutions) {
    const { institutionFigures: figures } = await staff.runQuery(FIGURES, { id })
    const { released, unopened, oldest, median, medianLong } = await readFromTables(server, id)
    expect(figures).toEqual({
      released,
      unopened,
      oldestUnopenedAt: oldest?.toISOString() ?? null,
      medianToOpening: median,
      medianToOpeningLong: medianLong,
    })
    const newest = await listResults(staff, id, { days })
    expect(newest).toHaveLength(released)
    const waiting = await listResults(staff, id, { opened: false })
    expect(waiting).toHaveLength(unopened)
    expect(waiting.at(-1)?.releasedAt ?? null).toBe(figures.oldestUnopenedAt)
    expect(waiting.every(({ firstOpenedAt }) => firstOpenedAt === null)).toBe(true)
    const opened = await listResults(staff, id, { opened: true })
    expect(opened.every(({ firstOpenedAt }) => firstOpenedAt !== null)).toBe(true)
    const all = await listResults(staff, id)
    expect(all).toHaveLength(opened.length + waiting.length)
    expect(all.map(({ releasedAt }) => releasedAt)).toEqual(
      all
        .map(({ releasedAt }) => releasedAt)
        .sort()
        .reverse(),
    )
    seen += released + unopened
  }
  expect(seen).toBeGreaterThan(20)
})

describe('the first opening', () => {
  it('is that of the first user of the institution, and is forgotten with the openings', async () => {
    const server = await createTestServer()
    const { db, services } = server
    const staff = await server.signIn((await makeUser(db, { features: [...STAFF] })).email)
    const institution = await makeInstitution(db)
    const patient = await makePatient(db)
    await makeReferral(db, { patient_id: patient.id, institution_id: institution.id })
    const upload = await makeUpload(db, services.storage, {
      state: 'released',
      released_at: new Date(Date.now() - 3_600_000),
      patient_id: patient.id,
      institution_id: institution.id,
    })
    const openedBy = async () => {
      const colleague = await makeUser(db, { role: 'institution', institutionIds: [institution.id] })
      const client = await server.signIn(colleague.email)
      await client.runQuery('query ($id: ID!) { upload(id: $id) { openedAt } }', { id: upload.id })
      return (await listResults(staff, institution.id, { opened: true }))[0]?.firstOpenedAt
    }
    expect(await listResults(staff, institution.id, { opened: true })).toEqual([])
    const first = await openedBy()
    expect(first).toEqual(expect.any(String))
    expect(await openedBy()).toBe(first)
    const { medianToOpening } = (await staff.runQuery(FIGURES, { id: institution.id })).institutionFigures
    expect(medianToOpening).toBeGreaterThanOrEqual(59)

    await db
      .deleteFrom('upload_opening')
      .where('upload_id', '=', upload.id)
      .where('opened_at', '=', new Date(first!))
      .execute()
    expect((await listResults(staff, institution.id, { opened: true }))[0]?.firstOpenedAt).not.toBe(first)
    await db.deleteFrom('upload_opening').execute()
    expect(await listResults(staff, institution.id, { opened: true })).toEqual([])
    expect(await listResults(staff, institution.id, { opened: false })).toHaveLength(1)
  })
})

it('counts end, however many results an institution has', async () => {
  const server = await createTestServer()
  const { db } = server
  const staff = await server.signIn((await makeUser(db, { features: [...STAFF] })).email)
  const institution = await makeInstitution(db)
  const { created_by } = await makeEmptyUpload(db, { institution_id: institution.id })
  await sql`insert into upload (id, institution_id, title, source, state, created_by, number, released_at)
    select gen_random_uuid(), ${institution.id}, 'Ecografie', 'staff', 'released', ${created_by}, 10000000 + n, now()
    from generate_series(1, ${countMax + 1}) n`.execute(db)
  await db
    .updateTable('app_user')
    .set({ features: ['patient::files', 'admin::review-files'] })
    .execute()
  const { released, unopened } = (await staff.runQuery(FIGURES, { id: institution.id })).institutionFigures
  expect({ released, unopened }).toEqual({ released: countMax, unopened: countMax })
})

it('is read by staff with the files of patients alone, of institutions that exist, for a period of days', async () => {
  const server = await createTestServer()
  const { db } = server
  const { id } = await makeInstitution(db)
  const staff = await server.signIn((await makeUser(db, { features: [...STAFF] })).email)
  const registrar = await server.signIn((await makeUser(db, { features: [] })).email)
  const user = await server.signIn((await makeUser(db, { role: 'institution', institutionIds: [id] })).email)
  const codeOf = async (client: TestClient, query: string, variables: object) =>
    (await client.graphql(query, { ...variables })).errors[0]?.extensions.code
  for (const query of [FIGURES, RESULTS]) {
    for (const denied of [registrar, user]) expect(await codeOf(denied, query, { id })).toBe('FORBIDDEN')
    expect(await codeOf(staff, query, { id: crypto.randomUUID() })).toBe('NOT_FOUND')
    expect(await codeOf(staff, query, { id })).toBeUndefined()
  }
  for (const period of [0, INSTITUTION_FIGURES.daysMax + 1])
    expect(await codeOf(staff, RESULTS, { id, days: period })).toBe('BAD_USER_INPUT')
})
