import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../db/factories.ts'
import { FEATURES } from '../shared/access/features.ts'
import { WITHDRAW_UPLOAD } from '../test/documents.ts'
import { createTestServer, type TestClient, type TestServer } from '../test/test-server.ts'

/** A marker that is in every response with data, and nowhere else. */
const SECRET = 'Zamfirescu'

let server: TestServer
let admin: TestClient
let institution: TestClient
let institutionId: string
let adminId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  adminId = (await makeUser(db, { email: 'admin@exemplu.test', role: 'admin', features: [...FEATURES] })).id
  institutionId = (await makeInstitution(db)).id
  await makeUser(db, { email: 'ei@exemplu.test', role: 'institution', institutionIds: [institutionId] })
  admin = await server.signIn('admin@exemplu.test')
  institution = await server.signIn('ei@exemplu.test')
  await sql`create function reject_entry() returns trigger language plpgsql as $$
    begin raise exception 'the audit log is full'; end $$`.execute(db)
  await sql`create trigger audit_log_full before insert on audit_event
    for each row execute function reject_entry()`.execute(db)
})

const setWritable = (isWritable: boolean) =>
  sql`alter table audit_event ${sql.raw(isWritable ? 'disable' : 'enable')} trigger audit_log_full`.execute(
    server.db,
  )

/** Returns all stored data except the time when each user was last active. */
async function readAll(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'session'`.execute(
    server.db,
  )
  const kept: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ all: string }>`
      select coalesce(string_agg(row::text, e'\n' order by row::text), '') as all from ${sql.table(name)} row`.execute(
      server.db,
    )
    kept[name] = rows[0]!.all
  }
  return kept
}

async function makeThings() {
  const { db, services } = server
  const patient = await makePatient(db, { surname: SECRET })
  await makeReferral(db, { patient_id: patient.id, institution_id: institutionId, created_by: adminId })
  const of = { patient_id: patient.id, institution_id: institutionId, created_by: adminId }
  const title = `Rezultat ${SECRET}`
  const waiting = await makeUpload(db, services.storage, {
    ...of,
    created_by: (await makeUser(db)).id,
    title,
    state: 'in_review',
  })
  const released = await makeUpload(db, services.storage, { ...of, title, state: 'released' })
  return { patient, waiting, released, file: released.files[0]! }
}
type Things = Awaited<ReturnType<typeof makeThings>>

/** Whether the request failed, and its text. */
type Outcome = { isRejected: boolean; text: string }

const graphql =
  (
    who: () => TestClient,
    query: string,
    variables: (things: Things) => Record<string, unknown> = () => ({}),
  ) =>
  async (things: Things): Promise<Outcome> => {
    const { status, data, errors } = await who().graphql(query, variables(things))
    return { isRejected: status >= 400 || errors.length > 0, text: JSON.stringify(data) }
  }
const get =
  (who: () => TestClient, path: (things: Things) => string, withToken = false) =>
  async (things: Things): Promise<Outcome> => {
    const headers = new Headers()
    if (withToken) {
      headers.set('authorization', await who().authorization('export'))
    }
    const response = await who().fetch(path(things), { headers })
    return { isRejected: response.status >= 400, text: await response.text() }
  }

const boss = () => admin
const them = () => institution
const byId = (things: Things) => ({ id: things.patient.id })
const PATIENT = '($id: ID!) { patient(id: $id) { surname givenNames cnpMasked referrals { doctor } } }'
const UPLOAD = '($id: ID!) { upload(id: $id) { title } }'
const version = ({ waiting }: Things) => ({ id: waiting.id, version: waiting.version })

const READS: [string, (things: Things) => Promise<Outcome>][] = [
  ['the list of patients', graphql(boss, '{ patients { nodes { surname } } }')],
  ['an institution’s patients', graphql(them, '{ patients { nodes { surname } } }')],
  ['a patient', graphql(boss, `query ${PATIENT}`, byId)],
  ['a patient, by their institution', graphql(them, `query ${PATIENT}`, byId)],
  ['a CNP', graphql(boss, 'mutation ($id: ID!) { revealCnp(patientId: $id) }', byId)],
  [
    'whose CNP it is',
    graphql(boss, 'mutation ($cnp: String!) { findPatientByCnp(cnp: $cnp) { surname } }', ({ patient }) => ({
      cnp: patient.cnp,
    })),
  ],
  ['the queue', graphql(boss, '{ uploads { nodes { title } } }')],
  ['an upload', graphql(boss, `query ${UPLOAD}`, ({ waiting }) => ({ id: waiting.id }))],
  ['the inbox', graphql(them, '{ inbox { nodes { title } } }')],
  ['a result, by its institution', graphql(them, `query ${UPLOAD}`, ({ released }) => ({ id: released.id }))],
  ['a search', graphql(boss, `{ search(query: "${SECRET}") { __typename patients { surname } } }`)],
  ['the audit log', graphql(boss, '{ auditEvents { nodes { patientName } } }')],
  ['the audit log as a file', get(boss, () => '/api/logs.csv', true)],
  [
    'who saw a patient',
    graphql(boss, 'query ($id: ID!) { patientAccess(patientId: $id) { nodes { patientName } } }', byId),
  ],
  ['a file', get(them, ({ file }) => `/files/${file.id}`)],
  ['a preview', get(boss, ({ file }) => `/files/${file.id}/preview`)],
  ['an archive', get(them, ({ released }) => `/files/zip/${released.id}`)],
  ['the messages', graphql(boss, '{ messages { nodes { subject } } }')],
]

const CHANGES: [string, (things: Things) => Promise<Outcome>][] = [
  [
    'a new patient',
    graphql(boss, 'mutation { createPatient(patient: { surname: "Nou", givenNames: "Ion" }) { id } }'),
  ],
  [
    'a changed patient',
    graphql(
      boss,
      'mutation ($id: ID!, $version: Int!) { updatePatient(id: $id, version: $version, patient: { surname: "Alta", givenNames: "Ana" }) { id } }',
      ({ patient }) => ({ id: patient.id, version: patient.version }),
    ),
  ],
  [
    'a referral',
    graphql(
      boss,
      'mutation ($referral: ReferralInput!) { createReferral(referral: $referral) { id } }',
      ({ patient }) => ({
        referral: { patientId: patient.id, institutionId, doctor: 'Dr. Ion' },
      }),
    ),
  ],
  ['a new upload', graphql(boss, 'mutation { createUpload(upload: { title: "Nou" }) { id } }')],
  [
    'an accepted upload',
    graphql(
      boss,
      'mutation ($id: ID!, $version: Int!) { acceptUpload(id: $id, version: $version, reason: "other", comment: "da") { id } }',
      version,
    ),
  ],
  [
    'a rejected upload',
    graphql(
      boss,
      'mutation ($id: ID!, $version: Int!) { rejectUpload(id: $id, version: $version, reason: "other", comment: "nu se vede") { id } }',
      version,
    ),
  ],
  [
    'a withdrawn upload',
    graphql(boss, WITHDRAW_UPLOAD, ({ waiting }) => ({
      id: waiting.id,
    })),
  ],
  [
    'a new institution',
    graphql(
      boss,
      'mutation ($institution: InstitutionInput!) { createInstitution(institution: $institution) { id } }',
      () => ({
        institution: {
          name: 'Clinica Nouă',
          kind: 'clinic',
          code: `NOUA-${randomUUID().slice(0, 8)}`,
          delivery: 'none',
          mayUpload: false,
        },
      }),
    ),
  ],
  [
    'an invitation',
    graphql(
      boss,
      'mutation ($invitation: UserInput!) { inviteUser(invitation: $invitation) { link } }',
      () => ({
        invitation: { email: `${randomUUID().slice(0, 8)}@exemplu.test`, name: 'Nou Venit', role: 'staff' },
      }),
    ),
  ],
  [
    'a removed file',
    graphql(boss, 'mutation ($id: ID!) { removeFile(id: $id, reason: "greșit") { id } }', ({ file }) => ({
      id: file.id,
    })),
  ],
  ['saved categories', graphql(boss, 'mutation { saveCategories(input: "[]") }')],
  ['an API key', graphql(boss, 'mutation { createApiKey(name: "Alt program") { key } }')],
  ['a requested verification', graphql(boss, 'mutation { verifyAudit }')],
]

describe('while the audit log cannot be written', () => {
  it.each(READS)('%s is not shown [2.9]', async (_what, read) => {
    const things = await makeThings()
    await setWritable(false)
    const before = await readAll()
    const response = await read(things)
    expect(response.isRejected).toBe(true)
    expect(response.text).not.toContain(SECRET)
    expect(response.text).not.toContain(things.patient.cnp)
    expect(response.text).not.toContain('%PDF')
    expect(await readAll()).toEqual(before)
    await setWritable(true)
    expect((await read(things)).isRejected).toBe(false)
  })

  it.each(CHANGES)('%s is not carried out [2.9]', async (_what, change) => {
    const things = await makeThings()
    await setWritable(false)
    const before = await readAll()
    expect((await change(things)).isRejected).toBe(true)
    expect(await readAll()).toEqual(before)
    await setWritable(true)
    expect(await change(things)).toMatchObject({ isRejected: false })
    expect(await readAll()).not.toEqual(before)
  })
})
