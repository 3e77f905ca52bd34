import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePatient, makeUpload, makeUser } from '../../../db/factories.ts'
import { countCalls } from '../../../test/count-calls.ts'
import {
  CREATE_SHARE,
  END_SHARES,
  MAKER_FEATURES,
  makeShareWorld,
  type ShareWorld,
} from '../../../test/shares/share-world.ts'
import { createTestServer, type TestClient } from '../../../test/test-server.ts'
import { upsertSettings } from '../site/site.db.ts'

let world: ShareWorld

beforeAll(async () => {
  world = await makeShareWorld(await createTestServer({ trustProxy: true }, afterAll))
})

const DAY_MS = 24 * 3_600_000
const tryToCreate = async (over: object, as: TestClient = world.client) => {
  const { errors } = await as.graphql(CREATE_SHARE, { input: world.inputFor(over) })
  const { code, fields = [] } = errors[0]!.extensions
  return fields.length > 0 ? fields.map(({ field }) => field) : code
}
const listIds = async (args: string) =>
  (await world.client.runQuery(`{ shares(${args}) { nodes { id } } }`)).shares.nodes.map(
    ({ id }: { id: string }) => id,
  )
const signInWith = async (features: readonly string[], role: 'staff' | 'admin' | 'institution' = 'staff') =>
  world.server.signIn((await makeUser(world.server.db, { role, features: [...features] as never })).email)

describe('making a share [3.2]', () => {
  it('is within the settings of the site: days, proofs [1.5]', async () => {
    const days = async (given?: number) => {
      const { share } = await world.create({ ...(given && { days: given }) })
      return Math.round((new Date(share.expiresAt).getTime() - Date.now()) / DAY_MS)
    }
    expect([await days(), await days(30)]).toEqual([7, 30])
    expect(await tryToCreate({ days: 31 })).toEqual(['days'])
    expect(await tryToCreate({ days: 0 })).toEqual(['days'])
    await upsertSettings(world.server.db, { share_days: 2, share_days_max: 3, share_proofs: ['pin'] })
    expect(await tryToCreate({ days: 4 })).toEqual(['proof', 'days'])
    expect(await tryToCreate({ proof: 'email', email: 'a@b.ro' })).toEqual(['proof'])
    const { share } = await world.create({ proof: 'pin' })
    expect(Math.round((new Date(share.expiresAt).getTime() - Date.now()) / DAY_MS)).toBe(2)
    await upsertSettings(world.server.db, {
      share_days: 7,
      share_days_max: 30,
      share_proofs: ['birth_date', 'pin', 'email'],
    })
  })

  it('takes a birth date as proof only of a patient who has one', async () => {
    const patient = await makePatient(world.server.db, { birth_date: null, cnp: null })
    await world.server.db
      .updateTable('patient')
      .set({ birth_date: null })
      .where('id', '=', patient.id)
      .execute()
    const upload = await world.release({ patient_id: patient.id })
    const given = { patientId: patient.id, uploadIds: [upload.id] }
    expect(await tryToCreate(given)).toEqual(['proof'])
    expect((await world.create({ ...given, proof: 'pin' })).pin).toMatch(/^\d{6}$/)
  })

  it('requires an address for mail, a name for others than the patient, a reason and a result', async () => {
    expect(await tryToCreate({ channel: 'mail' })).toEqual(['email'])
    expect(await tryToCreate({ proof: 'email' })).toEqual(['email'])
    expect(await tryToCreate({ channel: 'mail', email: 'nu@e' })).toEqual(['email'])
    expect(await tryToCreate({ recipientKind: 'doctor' })).toEqual(['recipientName'])
    expect(await tryToCreate({ reason: ' ' })).toEqual(['reason'])
    expect(await tryToCreate({ uploadIds: [] })).toEqual(['uploadIds'])
    expect(await tryToCreate({ maxOpenings: 0 })).toEqual(['maxOpenings'])
    expect((await world.create()).share.recipientName).toBe(
      `${world.patient.surname} ${world.patient.given_names}`,
    )
  })

  it('is only for released results of the patient that the maker reads', async () => {
    const { db, services } = world.server
    const [foreign, waiting] = [
      await makeUpload(db, services.storage, { state: 'released' }),
      await world.release({ state: 'in_review' }),
    ]
    expect(await tryToCreate({ uploadIds: [world.upload.id, foreign.id] })).toBe('NOT_FOUND')
    expect(await tryToCreate({ uploadIds: ['necunoscut'] })).toBe('NOT_FOUND')
    expect(await tryToCreate({ uploadIds: [waiting.id] })).toBe('CONFLICT')
    for (const features of [[], ['patient::share'], ['patient::files']])
      expect(await tryToCreate({}, await signInWith(features))).toBe('FORBIDDEN')
    expect(await tryToCreate({}, await signInWith([], 'institution'))).toBe('FORBIDDEN')
    expect((await world.create({}, await signInWith([], 'admin'))).link).toContain('/s/')
  })
})

describe('the shares of the organisation', () => {
  it('are listed by patient and state, read with what happened, and ended, one or many', async () => {
    const patient = await makePatient(world.server.db, { birth_date: '1961-04-23' })
    const upload = await world.release({ patient_id: patient.id })
    const make = () => world.create({ patientId: patient.id, uploadIds: [upload.id] })
    const [first, second, third] = [await make(), await make(), await make()]
    const browser = world.browser()
    await browser.prove(first.token, '1.1.1950')
    await browser.prove(first.token, '23.04.1961')
    await browser.get(`/s/${first.token}/files/${upload.files[0]!.id}`)
    const { share } = await world.client.runQuery(
      `query ($id: ID!) { share(id: $id) { state openings wrongProofs openedAt createdByName patientId patientName uploads { id }
        events { kind fileName } } }`,
      { id: first.id },
    )
    expect(share).toMatchObject({
      state: 'live',
      openings: 1,
      wrongProofs: 1,
      createdByName: world.maker.name,
      patientId: patient.id,
      patientName: 'Popescu Ana-Maria',
      uploads: [{ id: upload.id }],
      events: [
        { kind: 'downloaded', fileName: 'rezultat.pdf' },
        { kind: 'opened', fileName: null },
        { kind: 'wrong_proof', fileName: null },
      ],
    })
    expect(await listIds(`patientId: "${patient.id}"`)).toEqual([third.id, second.id, first.id])
    expect(await listIds(`mine: true, first: 3`)).toEqual([third.id, second.id, first.id])
    const colleague = await world.server.signIn(
      (await makeUser(world.server.db, { features: ['patient::share'] })).email,
    )
    const { shares } = await colleague.runQuery('{ shares(mine: true) { nodes { id } } }')
    expect(shares.nodes).toEqual([])
    const { endShares } = await world.client.runQuery(END_SHARES, {
      ids: [first.id, third.id],
      reason: 'Greșit',
    })
    expect(endShares).toEqual([
      { id: first.id, state: 'ended' },
      { id: third.id, state: 'ended' },
    ])
    expect(await listIds(`patientId: "${patient.id}", state: live`)).toEqual([second.id])
    expect(await listIds(`patientId: "${patient.id}", state: ended`)).toEqual([third.id, first.id])
    const page = await world.client.runQuery(
      `{ shares(patientId: "${patient.id}", first: 1) { nodes { id } endCursor } }`,
    )
    expect(await listIds(`patientId: "${patient.id}", after: "${page.shares.endCursor}"`)).toEqual([
      second.id,
      first.id,
    ])
    const of = (client: TestClient) =>
      client.runQuery('query ($id: ID!) { patient(id: $id) { shares { id endedNote endedByName } } }', {
        id: patient.id,
      })
    expect((await of(world.client)).patient.shares).toEqual([
      { id: third.id, endedNote: 'Greșit', endedByName: world.maker.name },
      { id: second.id, endedNote: null, endedByName: null },
      { id: first.id, endedNote: 'Greșit', endedByName: world.maker.name },
    ])
    expect((await of(await signInWith(['patient::files']))).patient.shares).toEqual([])
    const unknown = await world.client.graphql(END_SHARES, { ids: [crypto.randomUUID()], reason: 'x' })
    expect(unknown.errors[0]!.extensions.code).toBe('NOT_FOUND')
    const events = await world.server.db
      .selectFrom('audit_event')
      .select(['action', 'actor_name'])
      .where('subject_id', '=', first.id)
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      { action: 'share.create', actor_name: world.maker.name },
      { action: 'share.prove-failed', actor_name: '' },
      { action: 'share.prove', actor_name: 'Popescu Ana-Maria' },
      { action: 'share.download', actor_name: 'Popescu Ana-Maria' },
      { action: 'share.read', actor_name: world.maker.name },
      { action: 'share.end', actor_name: world.maker.name },
    ])
    // Names of files are files of patients.
    const clerk = await signInWith(['patient::share'])
    const seen = await clerk.runQuery('query ($id: ID!) { share(id: $id) { events { kind fileName } } }', {
      id: first.id,
    })
    expect(seen.share.events[0]).toEqual({ kind: 'downloaded', fileName: null })
  })

  it('of a list have their uploads read together', async () => {
    const made = [await world.create(), await world.create({ uploadIds: [(await world.release()).id] })]
    const READ = '{ shares(state: live, first: 2) { nodes { id uploads { id } } } }'
    const read = async () => (await world.client.runQuery(READ)).shares.nodes
    await read()
    expect(await countCalls('/uploads.db.ts', 'selectUploadsByIds', read)).toBe(1)
    const listed = await read()
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(made.map(({ id }) => id).reverse())
    expect(new Set(listed.map(({ uploads }: { uploads: object[] }) => JSON.stringify(uploads))).size).toBe(2)
  })

  it('follow a merge of patients and its undoing; one of results of both keeps those of its patient', async () => {
    const { db } = world.server
    const [survivor, merged] = [
      await makePatient(db, { birth_date: '1970-01-02', cnp: null }),
      await makePatient(db, { birth_date: '1970-01-02', cnp: null }),
    ]
    const release = (patient_id: string) => world.release({ patient_id, institution_id: null })
    const [own, other] = [await release(survivor.id), await release(merged.id)]
    const before = await world.create({ patientId: merged.id, uploadIds: [other.id] })
    const client = await signInWith([...MAKER_FEATURES, 'admin::review-files'])
    const { mergePatients } = await client.runQuery(
      'mutation ($a: ID!, $b: ID!, $v: Int!, $w: Int!) { mergePatients(survivorId: $a, mergedId: $b, survivorVersion: $v, mergedVersion: $w) { id merges { id } } }',
      { a: survivor.id, b: merged.id, v: survivor.version, w: merged.version },
    )
    const browser = world.browser()
    await browser.prove(before.token, '02.01.1970')
    expect((await browser.results(before.token)).uploads).toMatchObject([{ id: other.id }])
    expect(await listIds(`patientId: "${survivor.id}"`)).toEqual([before.id])
    const both = await world.create({ patientId: survivor.id, uploadIds: [own.id, other.id] })
    await client.runQuery('mutation ($id: ID!) { undoMerge(id: $id) { __typename } }', {
      id: mergePatients.merges[0].id,
    })
    expect(await listIds(`patientId: "${merged.id}"`)).toEqual([before.id])
    expect((await browser.results(before.token)).uploads).toMatchObject([{ id: other.id }])
    const second = world.browser()
    await second.prove(both.token, '02.01.1970')
    expect((await second.results(both.token)).uploads).toMatchObject([{ id: own.id }])
  })

  it('that have ended, and codes that are over or replaced, are in no mail that was still waiting', async () => {
    const { db, services } = world.server
    const byMail = { channel: 'mail', proof: 'email', email: 'gresit@exemplu.ro' }
    const [open, ended] = [await world.create(byMail), await world.create(byMail)]
    const passPause = () =>
      db
        .updateTable('share')
        .set({ mail_code_sent_at: new Date(Date.now() - 61_000) })
        .where('id', '=', open.id)
        .execute()
    await world.browser().sendCode(open.token)
    await passPause()
    await world.browser().sendCode(open.token)
    await world.end(ended.id)
    const sent: string[] = []
    services.mailer = { send: async ({ id }) => void sent.push(id), stop: () => undefined }
    const messages = await db
      .selectFrom('message')
      .select(['id', 'kind', 'about_id'])
      .where('about_id', 'in', [open.id, ended.id])
      .orderBy('created_at')
      .execute()
    for (const { id } of messages) await services.jobs.enqueue(db, 'send-message', { messageId: id })
    await world.server.runJobs()
    services.mailer = null
    const [link, , ...codes] = messages
    expect(messages.map(({ kind }) => kind)).toEqual(['share', 'share', 'share-code', 'share-code'])
    expect(sent.toSorted()).toEqual([link!.id, codes.at(-1)!.id].toSorted())
    const stateOf = async (id: string) =>
      (await world.client.runQuery('query ($id: ID!) { share(id: $id) { mailState } }', { id })).share
        .mailState
    expect([await stateOf(open.id), await stateOf(ended.id)]).toEqual(['sent', 'failed'])
    const failed = await db
      .selectFrom('message')
      .select('last_error')
      .where('about_id', 'in', [open.id, ended.id])
      .where('state', '=', 'failed')
      .execute()
    expect(failed).toEqual(Array(2).fill({ last_error: 'ended' }))
  })

  it('end when they expire; what browsers and events left is deleted after its time', async () => {
    const { db, services } = world.server
    const { id, token } = await world.create()
    await world.browser().prove(token, '23.04.1961')
    const set = (values: object) => db.updateTable('share').set(values).where('id', '=', id).execute()
    const run = async () => {
      for (const job of ['end-expired-shares', 'purge-shares'] as const)
        await services.jobs.enqueue(db, job, {})
      await world.server.runJobs()
      const count = async (table: 'share_session' | 'share_event') =>
        (await db.selectFrom(table).select('id').where('share_id', '=', id).execute()).length
      return [await count('share_session'), await count('share_event')]
    }
    await set({ expires_at: new Date(Date.now() - 1_000) })
    expect(await run()).toEqual([1, 1])
    const { ended_why, ended_at, expires_at } = await db
      .selectFrom('share')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect([ended_why, ended_at]).toEqual(['expired', expires_at])
    await set({ ended_at: new Date(Date.now() - 31 * DAY_MS) })
    expect(await run()).toEqual([0, 1])
    await set({ ended_at: new Date(Date.now() - 366 * DAY_MS) })
    expect(await run()).toEqual([0, 0])
  })
})
