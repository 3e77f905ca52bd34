import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeEmptyUpload,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUser,
} from '../../../db/factories.ts'
import {
  INSTITUTIONS_EXPORT_PATH,
  PATIENTS_EXPORT_PATH,
  UPLOADS_EXPORT_PATH,
} from '../../../shared/csv/csv-exports.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { maskCnp } from '../../../shared/romania/cnp.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let registrar: TestClient
let reviewer: TestClient
let queueOnly: TestClient
let institutionUser: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const signIn = async (user: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(server.db, user)).email)
  const { id } = await makeInstitution(server.db)
  registrar = await signIn({ features: ['patient::files'] })
  reviewer = await signIn({ features: ['patient::files', 'admin::review-files'], name: 'Ana Șerban' })
  queueOnly = await signIn({ features: ['admin::review-files'] })
  institutionUser = await signIn({ role: 'institution', institutionIds: [id], features: ['patient::files'] })
})

const send = async (client: TestClient, path: string, filter: unknown): Promise<Response> =>
  client.fetch(path, {
    method: 'POST',
    headers: { authorization: await client.authorization('export') },
    body: typeof filter === 'string' ? filter : JSON.stringify(filter),
  })

/** Returns the lines of an export, without its headings. */
async function fetchLines(client: TestClient, path: string, filter: unknown): Promise<string[]> {
  const response = await send(client, path, filter)
  expect(response.status).toBe(200)
  expect(response.headers.get('x-dosar-cut')).toBeNull()
  return (await response.text()).trimEnd().split('\r\n').slice(1)
}

/** Returns the newest audit entries, the newest first. */
const lastEntries = (count: number) =>
  server.db
    .selectFrom('audit_event')
    .select(['action', 'outcome', 'changes', 'subject_ids'])
    .orderBy('id', 'desc')
    .limit(count)
    .execute()

describe('the export of the patients', () => {
  it('has the found rows as the screen shows them, safe for a spreadsheet, and is recorded without names', async () => {
    const { db } = server
    const patient = await makePatient(db, { surname: '=Export', given_names: 'Ștefan', locality: '@Iași' })
    await makePatient(db, { surname: 'Altul' })
    const response = await send(registrar, PATIENTS_EXPORT_PATH, { search: 'export stef' })
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="pacienti.csv"')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const born = patient.birth_date!.split('-').toReversed().join('.')
    expect(Buffer.from(await response.arrayBuffer()).toString('utf8')).toBe(
      [
        '\uFEFF"Nume și prenume";"CNP";"Data nașterii";"Telefon";"Localitate";"Nr."',
        `"'=Export Ștefan";"${maskCnp(patient.cnp!)}";"${born}";"";"'@Iași";"${patient.number}"`,
        '',
      ].join('\r\n'),
    )
    expect(await lastEntries(2)).toEqual([
      { action: 'patient.list', outcome: 'ok', changes: null, subject_ids: [patient.id] },
      {
        action: 'patient.export',
        outcome: 'ok',
        changes: { search: { to: '2 cuvinte' }, rows: { to: 1 } },
        subject_ids: null,
      },
    ])
  })

  it('has every row of a long list once, and none of a patient in the bin', async () => {
    const rows = 1_100
    await sql`insert into patient (id, surname, given_names, name_key, deleted_at)
      select gen_random_uuid(), 'Zlot', 'Nr ' || n, 'zlot nr ' || n, case when n > ${rows} then now() end
      from generate_series(1, ${rows + 3}::int) n`.execute(server.db)
    const found = (await fetchLines(registrar, PATIENTS_EXPORT_PATH, {})).filter((line) =>
      line.startsWith('"Zlot '),
    )
    expect(new Set(found).size).toBe(rows)
    expect(found).toHaveLength(rows)
  })
})

describe('the export of the institutions', () => {
  it('has the found institutions, also a suspended one, safe for a spreadsheet', async () => {
    await makeInstitution(server.db, {
      name: '=Clinica Zorilor',
      code: 'ZOR',
      kind: 'hospital',
      county: 'Cluj',
      locality: 'Cluj-Napoca',
      phone: '+40264123456',
      suspended_at: new Date(),
    })
    const [line, ...others] = await fetchLines(registrar, INSTITUTIONS_EXPORT_PATH, { search: 'zorilor' })
    expect(others).toEqual([])
    expect(line).toBe(
      '"\'=Clinica Zorilor";"ZOR";"Spital";"";"Cluj-Napoca";"Cluj";"0264 123 456";"";"Suspendată"',
    )
  })
})

describe('the export of the queue', () => {
  it('has the rows of the filter in the order and the scope of the list, and is recorded without names', async () => {
    const { db } = server
    const { id: institution_id } = await makeInstitution(db, { name: 'Spitalul Unu' })
    const patient = await makePatient(db, { surname: 'Coada', given_names: 'Ion' })
    await makeReferral(db, { patient_id: patient.id, institution_id })
    const made = { patient_id: patient.id, institution_id, created_by: (await makeUser(db)).id }
    const late = await makeEmptyUpload(db, {
      ...made,
      state: 'in_review',
      title: '+cmd',
      state_since: new Date('2026-02-02T10:00:00Z'),
    })
    const early = await makeEmptyUpload(db, {
      ...made,
      state: 'in_review',
      state_since: new Date('2026-02-01T10:00:00Z'),
    })
    const released = await makeEmptyUpload(db, { ...made, state: 'released', released_at: new Date() })
    await makeEmptyUpload(db, { ...made, state: 'in_review', institution_id: null })
    const numbersOf = (lines: string[]) => lines.map((line) => Number(line.split(';')[2]!.slice(1, -1)))

    const waiting = await fetchLines(reviewer, UPLOADS_EXPORT_PATH, { institutionId: institution_id })
    expect(numbersOf(waiting)).toEqual([early.number, late.number])
    expect(waiting[1]).toContain(`"${late.number}";"'+cmd";"Coada Ion";"${maskCnp(patient.cnp!)}"`)
    expect(waiting[1]).toContain('"02.02.2026, 12:00"')
    expect(await lastEntries(2)).toMatchObject([
      { action: 'upload.list', subject_ids: [early.id, late.id] },
      { action: 'upload.export', changes: { institution_id: { to: institution_id }, rows: { to: 2 } } },
    ])

    const both = { states: ['in_review', 'released'], institutionId: institution_id, search: 'coada' }
    expect(await fetchLines(reviewer, UPLOADS_EXPORT_PATH, both)).toHaveLength(3)
    // Without the right to the files of patients, the queue has what is in review.
    const seen = numbersOf(await fetchLines(queueOnly, UPLOADS_EXPORT_PATH, both))
    expect(seen.toSorted()).toEqual([early.number, late.number].toSorted())
    expect(seen).not.toContain(released.number)
  })
})

describe('an export of a list', () => {
  it('is refused to those who may not see the list, and recorded', async () => {
    for (const [client, path] of [
      [institutionUser, PATIENTS_EXPORT_PATH],
      [institutionUser, INSTITUTIONS_EXPORT_PATH],
      [institutionUser, UPLOADS_EXPORT_PATH],
      [registrar, UPLOADS_EXPORT_PATH],
    ] as const) {
      expect((await send(client, path, {})).status).toBe(403)
      expect(await lastEntries(1)).toMatchObject([{ action: 'access.denied', outcome: 'denied' }])
    }
  })

  it.each([PATIENTS_EXPORT_PATH, INSTITUTIONS_EXPORT_PATH, UPLOADS_EXPORT_PATH])(
    '%s needs a token, not a cookie',
    async (path) => {
      const headers = { authorization: await reviewer.authorization('graphql') }
      expect((await reviewer.fetch(path, { method: 'POST', body: '{}' })).status).toBe(401)
      expect((await reviewer.fetch(path, { method: 'POST', body: '{}', headers })).status).toBe(401)
      expect((await server.app.request(path, { method: 'POST', body: '{}' })).status).toBe(401)
    },
  )

  it.each([
    [PATIENTS_EXPORT_PATH, '{'],
    [PATIENTS_EXPORT_PATH, { search: 5 }],
    [PATIENTS_EXPORT_PATH, { search: 'a'.repeat(LIMITS.searchText + 1) }],
    [PATIENTS_EXPORT_PATH, { name: 'Popa' }],
    [INSTITUTIONS_EXPORT_PATH, { open: true }],
    [UPLOADS_EXPORT_PATH, { states: ['lost'] }],
    [UPLOADS_EXPORT_PATH, { institutionId: 'x' }],
    [UPLOADS_EXPORT_PATH, { sender: 'x' }],
    [UPLOADS_EXPORT_PATH, { category: 'Ana Popa' }],
    [UPLOADS_EXPORT_PATH, { since: '2026-02-31' }],
    [UPLOADS_EXPORT_PATH, []],
  ])('%s refuses the filter %j with a sentence', async (path, filter) => {
    const response = await send(reviewer, path, filter)
    expect(response.status).toBe(400)
    const { code, fields } = (await response.json()) as { code: string; fields: { message: string }[] }
    expect(code).toBe('BAD_USER_INPUT')
    expect(fields.map(({ message }) => message)).toEqual([expect.stringMatching(/\.$/)])
  })

  it('refuses a filter that is too large', async () => {
    expect((await send(reviewer, PATIENTS_EXPORT_PATH, { search: 'a'.repeat(20_000) })).status).toBe(413)
  })
})
