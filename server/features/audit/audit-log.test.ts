import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePatient, makeUser } from '../../../db/factories.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { allowLongStatements, type Db } from '../../platform/database/database.ts'
import type { AuditFilter } from './audit.db.ts'
import { countAuditEvents, selectAuditEvents } from './audit.db.ts'

const NO_FILTER: AuditFilter = {
  from: null,
  to: null,
  actorId: null,
  action: null,
  patientId: null,
  outcome: null,
  withoutReads: null,
}

let server: TestServer
let admin: TestClient
let colleague: TestClient
let adminId: string
let colleagueId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  adminId = (await makeUser(server.db, { email: 'admin@exemplu.test', role: 'admin', name: 'Ana Șerban' })).id
  colleagueId = (await makeUser(server.db, { email: 'coleg@exemplu.test', role: 'staff', name: 'Ion Țepeș' }))
    .id
  admin = await server.signIn('admin@exemplu.test')
  colleague = await server.signIn('coleg@exemplu.test')
})

type Entry = {
  at: string
  action?: string
  actor_id?: string | null
  patient_id?: string | null
  outcome?: 'ok' | 'denied' | 'failed'
  changes?: object
  actor_name?: string
}

async function insert(entries: readonly Entry[]): Promise<string[]> {
  const rows = await server.db
    .insertInto('audit_event')
    .values(
      entries.map(({ changes, ...entry }) => ({
        actor_name: 'Cineva anume',
        origin: 'web',
        action: 'institution.list',
        outcome: 'ok' as const,
        request_id: 'r',
        ...entry,
        changes: changes ? JSON.stringify(changes) : null,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => String(id))
}

const LIST = `query ($from: Date, $to: Date, $actorId: ID, $action: String, $patientId: ID, $outcome: AuditOutcome, $first: Int, $after: String) {
  auditEvents(from: $from, to: $to, actorId: $actorId, action: $action, patientId: $patientId, outcome: $outcome, first: $first, after: $after) {
    endCursor nodes { id at }
  } }`

async function list(client: TestClient, filter: Record<string, unknown>): Promise<string[]> {
  const ids: string[] = []
  let after: string | null = null
  do {
    const { data, errors } = await client.graphql(LIST, { ...filter, after })
    expect(errors).toEqual([])
    ids.push(...data.auditEvents.nodes.map(({ id }: { id: string }) => id))
    after = data.auditEvents.endCursor
  } while (after)
  return ids
}

const fetchCsv = async (client: TestClient, query = '') =>
  client.fetch(`/api/logs.csv${query}`, { headers: { authorization: await client.authorization('export') } })

/** Parses CSV by RFC 4180 with semicolons and every field in quotes. */
const parse = (text: string): string[][] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n(?=")|\r\n$/)
    .filter(Boolean)
    .map((line) =>
      [...line.matchAll(/"((?:[^"]|"")*)"(?:;|$)/gs)].map(([, field]) => field!.replaceAll('""', '"')),
    )

describe('the filters of the audit log', () => {
  it('begin and end a day at midnight in Romania, in summer and in winter [2.9]', async () => {
    const ids = await insert([
      { at: '2020-07-09T20:59:59.999Z' },
      { at: '2020-07-09T21:00:00.000Z' },
      { at: '2020-07-10T20:59:59.999Z' },
      { at: '2020-07-10T21:00:00.000Z' },
      { at: '2020-12-09T21:59:59.999Z' },
      { at: '2020-12-09T22:00:00.000Z' },
      { at: '2020-12-10T21:59:59.999Z' },
      { at: '2020-12-10T22:00:00.000Z' },
    ])
    expect(await list(admin, { from: '2020-07-10', to: '2020-07-10' })).toEqual([ids[2], ids[1]])
    expect(await list(admin, { from: '2020-12-10', to: '2020-12-10' })).toEqual([ids[6], ids[5]])
    expect(await list(admin, { to: '2020-07-09' })).toEqual([ids[0]])
  })

  it('narrow by person, action, patient and outcome, each and together [2.9]', async () => {
    const patient = await makePatient(server.db)
    const at = '2019-03-01T10:00:00.000Z'
    const day = { from: '2019-03-01', to: '2019-03-01' }
    const [a, b, c, d] = await insert([
      { at, actor_id: colleagueId, action: 'patient.read', patient_id: patient.id },
      { at, actor_id: adminId, action: 'patient.read' },
      { at, actor_id: colleagueId, action: 'patient.update', outcome: 'denied' },
      { at, action: 'session.sign-in-failed', outcome: 'failed' },
    ])
    expect(await list(admin, { ...day, actorId: colleagueId })).toEqual([c, a])
    expect(await list(admin, { ...day, action: 'patient.read' })).toEqual([b, a])
    expect(await list(admin, { ...day, patientId: patient.id })).toEqual([a])
    expect(await list(admin, { ...day, outcome: 'denied' })).toEqual([c])
    expect(await list(admin, { ...day, outcome: 'ok', action: 'patient.read', actorId: adminId })).toEqual([
      b,
    ])
    expect(await list(admin, day)).toEqual([d, c, b, a])
    expect(await list(admin, { ...day, actorId: 'nimeni' })).toEqual([])
    expect(await list(admin, { ...day, action: 'constructor' })).toEqual([])
    const response = await admin.graphql(LIST, { outcome: 'altfel' })
    expect(response.errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
  })

  it('show staff only their own entries [2.9] [6.1]', async () => {
    const at = '2018-03-01T10:00:00.000Z'
    const day = { from: '2018-03-01', to: '2018-03-01' }
    const [own] = await insert([{ at, actor_id: colleagueId }, { at, actor_id: adminId }, { at }])
    expect(await list(colleague, day)).toEqual([own])
    expect(await list(colleague, { ...day, actorId: colleagueId })).toEqual([own])
    expect(await list(colleague, { ...day, actorId: adminId })).toEqual([])
  })

  it('return every entry once across pages, also entries of one instant', async () => {
    const at = '2017-03-01T10:00:00.000Z'
    const ids = await insert(
      Array.from({ length: 23 }, (_, each) => ({ at: each < 11 ? at : '2017-03-01T09:00:00.123Z' })),
    )
    const expected = [...ids.slice(0, 11).reverse(), ...ids.slice(11).reverse()]
    expect(await list(admin, { from: '2017-03-01', to: '2017-03-01', first: 4 })).toEqual(expected)
  })

  it('find people by the beginnings of their names, for administrators', async () => {
    const findPeople = (client: TestClient, search: string) =>
      client.graphql('query ($search: String) { auditPeople(search: $search) { id name email } }', { search })
    expect((await findPeople(admin, 'tepes io')).data.auditPeople).toEqual([
      { id: colleagueId, name: 'Ion Țepeș', email: 'coleg@exemplu.test' },
    ])
    expect((await findPeople(admin, 'nimeni')).data.auditPeople).toEqual([])
    expect((await findPeople(colleague, '')).errors[0]?.extensions.code).toBe('FORBIDDEN')
  })
})

describe('the audit log as a file', () => {
  it('contains the filtered entries in Romanian and is recorded [2.9]', async () => {
    const patient = await makePatient(server.db, { surname: '=Popa', given_names: 'Ana "Nuți"' })
    const cnp = makeCnp({ sex: 'female', birthDate: '1980-02-03', county: 12, serial: 45 })
    await insert([
      {
        at: '2016-07-01T10:00:05.000Z',
        actor_name: '+Ion; Țepeș',
        action: 'patient.update',
        patient_id: patient.id,
        changes: { notes: { from: null, to: `are CNP ${cnp}` }, phone: { from: '', to: '@x' } },
      },
      { at: '2016-07-02T10:00:00.000Z' },
    ])
    const response = await fetchCsv(admin, '?from=2016-07-01&to=2016-07-02')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
    const [head, ...rows] = parse(bytes.toString('utf8'))
    expect(head).toEqual([
      'Nr.',
      'Data și ora',
      'Cine',
      'Rol',
      'Ce a făcut',
      'Pacient',
      'Rezultat',
      'Ce s-a schimbat',
      'Adresă IP',
    ])
    expect(rows).toHaveLength(2)
    expect(rows[1]?.slice(1)).toEqual([
      '01.07.2016, 13:00:05',
      "'+Ion; Țepeș",
      '',
      'a modificat fișa unui pacient',
      `'=Popa Ana "Nuți"`,
      'Reușit',
      expect.stringContaining('Telefon: necompletat → @x'),
      '',
    ])
    expect(bytes.toString()).not.toContain(cnp)
    expect(rows[1]?.[7]).toContain(`are CNP ${'*'.repeat(9)}${cnp.slice(-4)}`)
    const recorded = await server.db
      .selectFrom('audit_event')
      .selectAll()
      .where('action', '=', 'log.export')
      .execute()
    expect(recorded).toEqual([
      expect.objectContaining({
        actor_id: adminId,
        changes: { from: { to: '2016-07-01' }, to: { to: '2016-07-02' }, rows: { to: 2 } },
      }),
    ])
  })

  it('is only for administrators with a token, not with a cookie alone [2.9]', async () => {
    expect((await fetchCsv(colleague)).status).toBe(403)
    expect((await admin.fetch('/api/logs.csv')).status).toBe(401)
    expect((await server.app.request('/api/logs.csv')).status).toBe(401)
    expect((await fetchCsv(admin, '?from=ieri')).status).toBe(400)
  })

  it('rejects a day outside the calendar, like the list', async () => {
    expect((await fetchCsv(admin, '?from=0000-01-01')).status).toBe(400)
    expect((await fetchCsv(admin, '?to=0000-01-01')).status).toBe(400)
    const { errors } = await admin.graphql(LIST, { from: '0000-01-01' })
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect((await fetchCsv(admin, '?from=9999-12-31&to=9999-12-31')).status).toBe(200)
  })

  it('masks CNPs in every notation [2.9]', async () => {
    const cnp = makeCnp({ sex: 'male', birthDate: '1971-04-05', county: 12, serial: 46 })
    const grouped = cnp.replace(/(.)(.{6})(.{6})/, '$1 $2 $3')
    const boxes = [...cnp].join(' ')
    const notes = { from: `x ${grouped}`, to: `${boxes}, ${grouped.replaceAll(' ', '-')}, 1234567890123` }
    await insert([{ at: '2015-07-01T10:00:00.000Z', changes: { notes } }])
    const text = await (await fetchCsv(admin, '?from=2015-07-01&to=2015-07-01')).text()
    const masked = `${'*'.repeat(9)}${cnp.slice(-4)}`
    expect(text).toContain(`x ${masked} → ${masked}, ${masked}, 1234567890123`)
  })
})

it('masks CNPs on reading in entries written before texts were masked', async () => {
  const cnp = makeCnp({ sex: 'male', birthDate: '1971-04-05', county: 12, serial: 47 })
  const changes = {
    notes: { from: null, to: `CNP ${cnp}` },
    cnp: { from: null, to: `1******${cnp.slice(-5)}` },
  }
  await insert([{ at: '2014-07-01T10:00:00.000Z', changes }])
  const masked = `*********${cnp.slice(-4)}`
  const { data } = await admin.graphql(
    '{ auditEvents(from: "2014-07-01", to: "2014-07-01") { nodes { changes } } }',
  )
  expect(data.auditEvents.nodes[0].changes).toEqual({
    notes: { from: null, to: `CNP ${masked}` },
    cnp: { from: null, to: masked },
  })
  const text = await (await fetchCsv(admin, '?from=2014-07-01&to=2014-07-01')).text()
  expect(text.match(/\*+\d+/g)).toEqual([masked, masked])
})

describe('who saw a patient', () => {
  const ACCESS = `query ($id: ID!, $first: Int, $after: String) {
    patientAccess(patientId: $id, first: $first, after: $after) { endCursor nodes { action actorName } } }`

  it('lists the entries about the patient page by page, including the reading of this list [2.9]', async () => {
    const { id } = await makePatient(server.db)
    const other = await makePatient(server.db)
    await colleague.graphql('query ($id: ID!) { patient(id: $id) { id } }', { id })
    await colleague.graphql('mutation ($id: ID!) { revealCnp(patientId: $id) }', { id })
    await colleague.graphql('query ($id: ID!) { patient(id: $id) { id } }', { id: other.id })
    const first = (await admin.graphql(ACCESS, { id, first: 1 })).data.patientAccess
    expect(first.nodes).toEqual([{ action: 'patient.reveal-cnp', actorName: 'Ion Țepeș' }])
    const next = (await admin.graphql(ACCESS, { id, first: 1, after: first.endCursor })).data.patientAccess
    expect(next.nodes).toEqual([{ action: 'patient.read', actorName: 'Ion Țepeș' }])
    const all = (await admin.graphql(ACCESS, { id })).data.patientAccess.nodes
    expect(all.map(({ action }: { action: string }) => action)).toEqual([
      'patient.read-access',
      'patient.read-access',
      'patient.reveal-cnp',
      'patient.read',
    ])
  })

  it('is only for administrators', async () => {
    const { id } = await makePatient(server.db)
    const { data, errors } = await colleague.graphql(ACCESS, { id })
    expect([data, errors[0]?.extensions.code]).toEqual([null, 'FORBIDDEN'])
    expect((await admin.graphql(ACCESS, { id: 'nimeni' })).data.patientAccess.nodes).toEqual([])
  })
})

describe('a long audit log', () => {
  it('is read by an index with every filter [2.9]', async () => {
    const { db } = server
    const patient = await makePatient(db)
    await sql`alter table audit_event disable trigger audit_event_awaits_seal`.execute(db)
    await db.transaction().execute(async (tx) => {
      await allowLongStatements(tx)
      await sql`insert into audit_event (at, actor_id, actor_name, origin, action, patient_id, outcome, request_id)
        select now() - n * interval '1 minute', case when n % 500 = 0 then ${colleagueId}::uuid else gen_random_uuid() end,
          'x', 'web', case when n % 400 = 0 then 'referral.create' else 'patient.list' end,
          case when n % 1000 = 0 then ${patient.id}::uuid else gen_random_uuid() end,
          case when n % 700 = 0 then 'denied' else 'ok' end, 'r'
        from generate_series(1, 200000) n`.execute(tx)
    })
    await sql`alter table audit_event enable trigger audit_event_awaits_seal`.execute(db)
    await sql`analyze audit_event`.execute(db)
    const filters: Partial<AuditFilter>[] = [
      {},
      { from: '2020-01-01', to: '2027-01-01' },
      { actorId: colleagueId },
      { action: 'referral.create' },
      { patientId: patient.id },
      { outcome: 'denied' },
      { outcome: 'ok' },
    ]
    for (const each of filters) {
      const filter = { ...NO_FILTER, ...each }
      const rows = await selectAuditEvents(db, filter, { limit: 50, after: null })
      const middle = rows[25]!
      const read = await countReadRows((tx) =>
        selectAuditEvents(tx, filter, { limit: 50, after: [middle.at.toISOString(), String(middle.id)] }),
      )
      // A full read or a sort would touch 200,000 rows.
      expect({ each, read: read > 0 && read < 2_000 ? 'few' : read }).toEqual({ each, read: 'few' })
    }
    expect(await countAuditEvents(db, NO_FILTER, 1_001)).toBe(1_001)
  })

  /** Returns how many rows of the audit log PostgreSQL reads for `work`, by its own statistics. */
  const countReadRows = (work: (tx: Db) => Promise<unknown>): Promise<number> =>
    server.db.transaction().execute(async (tx) => {
      await work(tx)
      const { rows } = await sql<{ count: number }>`
        select seq_tup_read + coalesce(idx_tup_fetch, 0) as count from pg_stat_xact_user_tables
        where relname = 'audit_event'`.execute(tx)
      return rows[0]!.count
    })
})

it('leaves out list reads on request, and records the kind of a searched text, never the text', async () => {
  const own = await createTestServer()
  await makeUser(own.db, { email: 'sef@exemplu.test', role: 'admin' })
  const reader = await own.signIn('sef@exemplu.test')
  const cnp = makeCnp({ birthDate: '1991-02-03', sex: 'female', county: 12, serial: 7 })
  for (const search of ['popescu maria', cnp, '1002', '8 martie 1989', '08.03.1989'])
    await reader.graphql('query ($search: String) { patients(search: $search) { nodes { id } } }', { search })
  await reader.graphql('mutation { sendTestMessage { id } }')
  const LOG =
    'query ($withoutReads: Boolean) { auditEvents(withoutReads: $withoutReads) { nodes { action changes } } }'
  const entries = async (withoutReads: boolean) =>
    (await reader.graphql(LOG, { withoutReads })).data.auditEvents.nodes as {
      action: string
      changes: unknown
    }[]
  expect((await entries(true)).map(({ action }) => action)).toEqual(['message.test'])
  const searches = (await entries(false)).filter(({ action }) => action === 'patient.list')
  expect(searches.map(({ changes }) => changes)).toEqual([
    { search: { to: 'o dată' } },
    { search: { to: 'o dată' } },
    { search: { to: 'un număr' } },
    { search: { to: 'CNP sau telefon, întreg sau o parte' } },
    { search: { to: '2 cuvinte' } },
  ])
})
