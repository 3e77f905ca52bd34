import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replaceNamePairs } from '../server/features/patients/patients.db.ts'
import { DEMO_PASSWORD } from '../server/features/site/find-public-site.ts'
import type { Db } from '../server/platform/database/database.ts'
import { parseEmail } from '../shared/email.ts'
import { parseCnp } from '../shared/romania/cnp.ts'
import { parseCui } from '../shared/romania/cui.ts'
import { foldText, nameKey, normaliseText, searchWords } from '../shared/romania/names.ts'
import { parsePhone } from '../shared/romania/phone.ts'
import { cleanFileName } from '../shared/uploads/file-names.ts'
import { createTestClient } from '../test/client.ts'
import { createTestServer, type TestServer } from '../test/test-server.ts'
import { DEMO_ACCOUNTS } from './demo/institutions.ts'
import { createRandom } from './demo/random.ts'
import { generateRows, NotEmptyError } from './generate.ts'

const NOW = new Date('2026-11-20T11:30:00Z')
const PATIENTS = 800
const UPLOADS = 2_500

const atEnd: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of atEnd) await end()
})

/** Returns every index and key of the tables, by its definition. */
const readSchema = async (db: Db) => {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid::regclass::text not like 'pg_%'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated
      from pg_constraint where connamespace = 'public'::regnamespace
    order by 1`.execute(db)
  return rows.map(({ definition }) => definition)
}

const generate = async () => {
  const server = await createTestServer({}, (end) => atEnd.push(end))
  const { db, services } = server
  const before = await readSchema(db)
  const account = await generateRows({
    db,
    storage: services.storage,
    now: NOW,
    patients: PATIENTS,
    uploads: UPLOADS,
  })
  return { server, before, account }
}

let server: TestServer
let db: Db
let generated: Awaited<ReturnType<typeof generate>>
beforeAll(async () => {
  generated = await generate()
  server = generated.server
  db = server.db
})

/** Returns a few of many items, the same at every run. */
const sample = <T>(all: readonly T[], count: number): T[] => {
  const random = createRandom('sample')
  return Array.from({ length: count }, () => random.pick(all))
}

describe('a generated database', () => {
  it('has the requested number of rows, all its indexes and keys, and an empty audit log', async () => {
    const { account, before } = generated
    expect(account.rows).toMatchObject({ patient: PATIENTS, upload: UPLOADS, file: UPLOADS })
    expect(account.phases.map(({ name }) => name)).toContain('indexes and keys')
    expect(account.bytes).toBeGreaterThan(1_000_000)
    expect(await readSchema(db)).toEqual(before)
    expect(before.length).toBeGreaterThan(50)
    expect(await db.selectFrom('audit_event').select('id').execute()).toEqual([])
  })

  it('is the same for the same moment, except storage keys and password salts', async () => {
    const second = await generate()
    const read = async (from: Db) => {
      const fingerprints = []
      for (const [table, without] of [
        ['institution', []],
        ['patient', []],
        ['patient_name_pair', []],
        ['referral', []],
        ['upload', []],
        ['file', ['storage_key']],
        ['file_fact', []],
        ['review', []],
        ['upload_opening', []],
        ['transfer', []],
      ] as const) {
        const { rows } = await sql<{ hash: string }>`
          select md5(string_agg(line, E'\n' order by line collate "C")) as hash
          from (select (to_jsonb(t) - ${[...without]}::text[])::text as line from ${sql.table(table)} t) lines`.execute(
          from,
        )
        fingerprints.push([table, rows[0]!.hash])
      }
      return fingerprints
    }
    const fingerprints = await read(db)
    expect(await read(second.server.db)).toEqual(fingerprints)
    expect(new Set(fingerprints.map(([, hash]) => hash)).size).toBe(fingerprints.length)
  })

  it('rejects a database that has accounts, and does not change it', async () => {
    const again = generateRows({ db, storage: server.services.storage, now: NOW, patients: 5, uploads: 5 })
    await expect(again).rejects.toThrow(NotEmptyError)
    expect(await readSchema(db)).toEqual(generated.before)
    const { rows } = await sql<{ count: number }>`select count(*) as count from patient`.execute(db)
    expect(rows[0]!.count).toBe(PATIENTS)
  })

  it('keeps the time limit of statements', async () => {
    const { rows } = await sql<{
      limit: string
    }>`select current_setting('statement_timeout') as limit`.execute(db)
    expect(rows[0]!.limit).toBe('5s')
  })
})

describe('generated patients', () => {
  it('have unique CNPs that agree with birth date and sex [5.1]', async () => {
    const patients = await db.selectFrom('patient').selectAll().execute()
    for (const { cnp, birth_date, sex, other_ids, created_at } of patients) {
      expect(birth_date! < created_at.toISOString()).toBe(true)
      if (cnp)
        expect(parseCnp(cnp)).toMatchObject({ ok: true, birthDate: birth_date, sex, countyKnown: true })
      else expect(other_ids).toMatchObject([{ kind: 'passport' }])
    }
    const cnps = patients.flatMap(({ cnp }) => cnp ?? [])
    expect(new Set(cnps).size).toBe(cnps.length)
    expect(cnps.length).toBeGreaterThan(0.95 * PATIENTS)
    expect(cnps.length).toBeLessThan(PATIENTS)
  })

  it('have texts, mail addresses and phones as the forms would save them', async () => {
    const patients = await db.selectFrom('patient').selectAll().execute()
    for (const { surname, given_names, previous_surname, email, phone, address } of patients) {
      for (const text of [surname, given_names, address, previous_surname ?? ''])
        expect(normaliseText(text!)).toBe(text)
      if (email) expect(parseEmail(email)).toBe(email)
      if (phone) expect(parsePhone(phone)).toEqual({ ok: true, e164: phone })
    }
    const names = patients.map(({ surname, given_names }) => `${surname} ${given_names}`)
    expect(names.filter((name) => /[ăâîșț]/i.test(name)).length).toBeGreaterThan(PATIENTS / 10)
    expect(names.filter((name) => / .*[- ]/.test(name)).length).toBeGreaterThan(PATIENTS / 50)
    expect(new Set(names).size).toBeGreaterThan(PATIENTS / 2)
  })

  it('were created one after the other, in working hours', async () => {
    const patients = await db.selectFrom('patient').selectAll().orderBy('number').execute()
    const ids = patients.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort())
    for (const { id, created_at } of patients) {
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(created_at.getTime())
      expect(created_at.getUTCDay()).not.toBe(0)
      expect([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]).toContain(created_at.getUTCHours())
    }
    expect(patients.at(-1)!.created_at <= NOW).toBe(true)
  })

  it('have the sort and search keys that the product would write', async () => {
    const patients = await db.selectFrom('patient').selectAll().execute()
    for (const { name_key, surname, given_names } of patients)
      expect(name_key).toBe(nameKey(`${surname} ${given_names}`))
    const readPairs = () =>
      db
        .selectFrom('patient_name_pair')
        .selectAll()
        .orderBy('patient_id')
        .orderBy('first_word')
        .orderBy('second_word')
        .execute()
    const pairs = await readPairs()
    for (const patient of patients) await replaceNamePairs(db, patient)
    expect(pairs).toEqual(await readPairs())
    expect(pairs.length).toBeGreaterThan(3 * PATIENTS)
    for (const { name_key, search, name, short_name, code, locality, cui } of await db
      .selectFrom('institution')
      .selectAll()
      .execute()) {
      expect(name_key).toBe(nameKey(name))
      expect(search).toBe(searchWords([name, short_name, code, locality].join(' ')).join(' '))
      expect(parseCui(cui!)).toMatchObject({ ok: true })
    }
  })
})

describe('generated uploads', () => {
  it('are mostly released, some wait, and each has the rows that its state requires', async () => {
    const uploads = await db.selectFrom('upload').selectAll().orderBy('number').execute()
    const reviews = Map.groupBy(
      await db.selectFrom('review').selectAll().orderBy('round').execute(),
      ({ upload_id }) => upload_id,
    )
    const files = Map.groupBy(await db.selectFrom('file').selectAll().execute(), ({ upload_id }) => upload_id)
    const counts = new Map<string, number>()
    for (const upload of uploads) {
      const { id, state, created_at, state_since, released_at, version } = upload
      counts.set(state, (counts.get(state) ?? 0) + 1)
      expect(upload.patient_id === null).toBe(state === 'unassigned')
      expect(released_at).toEqual(state === 'released' ? state_since : null)
      expect(state_since >= created_at && state_since <= NOW).toBe(true)
      const verdicts = (reviews.get(id) ?? []).map(({ round, verdict }) => [round, verdict])
      const last = { accepted: 'accepted', released: 'accepted', rejected: 'rejected' }[state as string]
      if (!last) expect(verdicts).toEqual([])
      else if (verdicts.length === 1) expect(verdicts).toEqual([[1, last]])
      else
        expect([state, version, verdicts]).toEqual([
          'released',
          7,
          [
            [1, 'rejected'],
            [2, 'accepted'],
          ],
        ])
      expect((reviews.get(id) ?? []).every((review) => review.created_at <= state_since)).toBe(true)
      const [file, ...others] = files.get(id)!
      expect(others).toEqual([])
      expect(cleanFileName(file!.name)).toBe(file!.name)
      expect(file!.facts_read_at === null).toBe(state === 'receiving' || state === 'quarantined')
      expect(file!.scan_result).toBe(
        { receiving: 'pending', quarantined: 'refused' }[state as string] ?? 'unscanned',
      )
    }
    expect(counts.get('released')).toBeGreaterThan(0.9 * UPLOADS)
    expect([...counts.keys()].sort()).toEqual([
      'accepted',
      'in_review',
      'quarantined',
      'receiving',
      'rejected',
      'released',
      'unassigned',
      'withdrawn',
    ])
  })

  it('have the facts that their texts state', async () => {
    const { rows } = await sql<{ kind: string; wrong: number; right: number }>`
      select file_fact.kind, count(*) filter (where position(value in content_text) = 0) as wrong,
        count(*) filter (where position(value in content_text) > 0) as right
      from file_fact join file on file.id = file_id group by file_fact.kind order by file_fact.kind`.execute(
      db,
    )
    expect(rows).toEqual(['cnp', 'name'].map((kind) => ({ kind, wrong: 0, right: expect.any(Number) })))
    expect(Math.min(...rows.map(({ right }) => right))).toBeGreaterThan(0.8 * UPLOADS)
  })

  it('belong to a patient who existed by then, and to an institution that referred the patient', async () => {
    const { rows } = await sql<{ early: number; strange: number; none: number }>`
      select count(*) filter (where patient.created_at > upload.created_at) as early,
        count(*) filter (where institution_id is not null and not exists (
          select from referral where referral.patient_id = upload.patient_id
            and referral.institution_id = upload.institution_id)) as strange,
        count(*) filter (where category_slug not in (select slug from category)) as none
      from upload left join patient on patient.id = upload.patient_id`.execute(db)
    expect(rows).toEqual([{ early: 0, strange: 0, none: 0 }])
  })
})

describe('the product on a generated database', () => {
  it('signs in each account with the demo’s password', async () => {
    for (const { email } of DEMO_ACCOUNTS) {
      const { response } = await createTestClient(server).signIn(email, DEMO_PASSWORD)
      expect(response.status).toBe(200)
    }
  })

  it('lists patients and finds them by their names, their CNP and their number', async () => {
    const client = await server.signIn('registratura@dosar.test')
    const LIST =
      'query ($search: String) { patients(search: $search, first: 100) { nodes { id } endCursor } }'
    const newest = await client.graphql(LIST)
    expect(newest.data.patients.nodes).toHaveLength(100)
    const patients = await db.selectFrom('patient').selectAll().orderBy('number').execute()
    expect(newest.data.patients.nodes[0].id).toBe(patients.at(-1)!.id)
    for (const { id, surname, given_names, cnp, number } of sample(patients, 25)) {
      for (const search of [`${foldText(given_names)} ${surname}`, cnp ?? surname, String(number)]) {
        const { data } = await client.graphql(LIST, { search })
        expect(data.patients.nodes.map((node: { id: string }) => node.id)).toContain(id)
      }
    }
  })

  it('shows the queue, the inbox, and the bytes of their first files', async () => {
    const reviewer = await server.signIn('verificare@dosar.test')
    const institution = await server.signIn('institutia1@dosar.test')
    const FIELDS = 'nodes { id state files { id sha256 } patient { name } }'
    const { data: queue } = await reviewer.graphql(`{ uploads(first: 5) { ${FIELDS} } }`)
    const { data: inbox } = await institution.graphql(`{ inbox(first: 5) { ${FIELDS} } }`)
    for (const [client, nodes] of [
      [reviewer, queue.uploads.nodes],
      [institution, inbox.inbox.nodes],
    ] as const) {
      expect(nodes).toHaveLength(5)
      const response = await client.fetch(`/files/${nodes[0].files[0].id}`)
      expect(response.status).toBe(200)
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-')
    }
  })

  it('responds to a download of a file without bytes as to a lost file', async () => {
    const client = await server.signIn('registratura@dosar.test')
    const oldest = await db
      .selectFrom('file')
      .innerJoin('upload', 'upload.id', 'file.upload_id')
      .where('state', '=', 'released')
      .select('file.id')
      .orderBy('upload.number')
      .executeTakeFirstOrThrow()
    const response = await client.fetch(`/files/${oldest.id}`)
    expect(response.status).toBe(500)
    expect(server.logged.join('')).toContain('"code":"INTEGRITY"')
  })
})
