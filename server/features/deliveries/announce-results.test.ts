import { sql } from 'kysely'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import type { Delivery } from '../../../shared/site/setting-bounds.ts'
import { ACCEPT_UPLOAD, WITHDRAW_UPLOAD } from '../../../test/documents.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../../../test/mail.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { upsertSettings } from '../site/site.db.ts'

const READ = 'query ($id: ID!) { upload(id: $id) { version state } }'
const CHOOSE = `mutation ($institutionId: ID!, $delivery: Delivery) {
  chooseDelivery(institutionId: $institutionId, delivery: $delivery) { institutionDelivery delivery } }`

const DELIVERY = `mutation ($id: ID!, $version: Int!, $delivery: Delivery!) {
  updateOwnInstitution(id: $id, version: $version, profile: { delivery: $delivery }) { version delivery } }`
const MOVE = `mutation ($id: ID!, $version: Int!, $patientId: ID!) {
  moveReleasedUpload(id: $id, version: $version, patientId: $patientId, reason: "Alt nume în raport") { number } }`
const SUSPEND =
  'mutation ($id: ID!, $version: Int!) { suspendInstitution(id: $id, version: $version) { id } }'

let server: TestServer
let mail: MailServer
let reviewer: TestClient
let clinic: { id: string; name: string }
let patient: { id: string }
let ana: TestClient & { id: string; email: string }

beforeEach(async () => {
  mail = await startMailServer()
  onTestFinished(mail.stop)
  server = await createTestServer({ smtpUrl: mail.url, url: 'https://rezultate.clinica.test' })
  const { db } = server
  reviewer = await server.signInAs({ features: ['admin::review-files', 'patient::files'] })
  clinic = await makeInstitution(db, { name: 'Clinica Șoimul' })
  patient = await makePatient(db)
  await makeReferral(db, { patient_id: patient.id, institution_id: clinic.id })
  ana = await join('Ana Pop')
})

const join = (name: string, institutionIds = [clinic.id]) =>
  server.signInAs({ role: 'institution', name, institutionIds })

/** Releases a new result as a reviewer does. */
async function release(over: Parameters<typeof makeUpload>[2] = {}): Promise<string> {
  const { id } = await makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: clinic.id,
    ...over,
  })
  const { version } = (await reviewer.runQuery(READ, { id })).upload
  await reviewer.runQuery(ACCEPT_UPLOAD, { id, version })
  expect((await reviewer.runQuery(READ, { id })).upload.state).toBe('released')
  return id
}

/** Runs what runs each minute, and sends what it queues. */
async function announce(): Promise<void> {
  await server.services.jobs.enqueue(server.db, 'announce-results', {})
  await server.runJobs()
}
async function remind(): Promise<void> {
  await server.services.jobs.enqueue(server.db, 'remind-institutions', {})
  await server.runJobs()
  await announce()
}
const noteEarlier = (interval: string) =>
  sql`update announcement set created_at = created_at - ${interval}::interval`.execute(server.db)
const sentTo = (email: string) => mail.arrived.filter(({ recipients }) => recipients.includes(email))
const countsIn = ({ mail: { text } }: ReceivedMail) => text!.match(/^– .*$/gm)
const setDelivery = (delivery: Delivery) =>
  server.db.updateTable('institution').set({ delivery }).where('id', '=', clinic.id).execute()

describe('new results', () => {
  it('are announced to each user of the institution in one mail, from from_name <from_email> [1.5]', async () => {
    await upsertSettings(server.db, {
      name: 'Centrul Cedrul',
      from_name: 'Rezultate Cedrul',
      from_email: 'rezultate@cedrul.test',
    })
    const ion = await join('Ion Rus')
    const elsewhere = await join('Zoe Țuțea', [(await makeInstitution(server.db)).id])
    const invited = await makeUser(server.db, {
      role: 'institution',
      status: 'invited',
      institutionIds: [clinic.id],
    })
    await release()
    await release()
    await announce()
    await announce()
    for (const { email } of [ana, ion]) {
      expect(sentTo(email)).toHaveLength(1)
      const [digest] = sentTo(email)
      expect(digest!.mail.from).toEqual({ name: 'Rezultate Cedrul', address: 'rezultate@cedrul.test' })
      expect(digest!.mail.subject).toBe('Rezultate noi – Centrul Cedrul')
      expect(digest!.mail.text).toContain('Pentru Clinica Șoimul:')
      expect(countsIn(digest!)).toEqual(['– 2 rezultate noi'])
      expect(digest!.link).toBe('https://rezultate.clinica.test/institution')
    }
    expect([...sentTo(elsewhere.email), ...sentTo(invited.email)]).toEqual([])
    await release()
    await announce()
    expect(countsIn(sentTo(ana.email)[1]!)).toEqual(['– 1 rezultat nou'])
  })

  it('have rows that say which result was announced to whom in which mail', async () => {
    const ids = [await release(), await release()]
    const rows = () =>
      server.db
        .selectFrom('announcement')
        .leftJoin('message', 'message.id', 'announcement.message_id')
        .select(['upload_id', 'user_id', 'announcement.kind', 'message.state', 'message.recipient'])
        .orderBy('upload_id')
        .execute()
    const row = { user_id: ana.id, kind: 'new', state: null, recipient: null }
    expect(await rows()).toEqual(ids.sort().map((upload_id) => ({ ...row, upload_id })))
    await announce()
    expect(await rows()).toEqual(
      ids.map((upload_id) => ({ ...row, upload_id, state: 'sent', recipient: ana.email })),
    )
  })

  it.each([
    ['hourly', '1 hour'],
    ['daily', '1 day'],
  ] as const)(
    'wait for the next digest where the institution has %s delivery [1.5]',
    async (delivery, interval) => {
      await setDelivery(delivery)
      await release()
      await announce()
      expect(mail.arrived).toEqual([])
      await noteEarlier(interval)
      await release()
      await announce()
      expect(mail.arrived.map(countsIn)).toEqual([['– 1 rezultat nou']])
    },
  )

  it('are not announced where the institution has none, also not later [1.5]', async () => {
    await setDelivery('none')
    await release()
    await setDelivery('at_once')
    await announce()
    await release()
    await setDelivery('none')
    await announce()
    await setDelivery('at_once')
    await announce()
    expect(mail.arrived).toEqual([])
  })

  it('are announced to each person as they have narrowed it for themselves, never more often [1.5]', async () => {
    await setDelivery('hourly')
    const [ion, zoe] = [await join('Ion Rus'), await join('Zoe Țuțea')]
    const choose = (client: TestClient, delivery: Delivery | null) =>
      client.graphql(CHOOSE, { institutionId: clinic.id, delivery })
    expect((await choose(ion, 'daily')).data.chooseDelivery).toEqual({
      institutionDelivery: 'hourly',
      delivery: 'daily',
    })
    expect((await choose(zoe, 'none')).data.chooseDelivery.delivery).toBe('none')
    for (const wider of ['at_once', 'hourly'] as const)
      expect((await choose(ana, wider)).errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    const other = await makeInstitution(server.db)
    const foreign = await ana.graphql(CHOOSE, { institutionId: other.id, delivery: 'none' })
    expect(foreign.errors[0]?.extensions.code).toBe('NOT_FOUND')

    await release()
    await noteEarlier('1 hour')
    await announce()
    expect(mail.arrived.map(({ recipients }) => recipients)).toEqual([[ana.email]])
    await noteEarlier('1 day')
    await announce()
    expect(mail.arrived.map(({ recipients }) => recipients)).toEqual([[ana.email], [ion.email]])

    // The institution itself chooses daily: who had chosen that has what the institution has.
    const version = (await ana.runQuery('{ ownInstitutions { version } }')).ownInstitutions[0].version
    await ana.runQuery(DELIVERY, { id: clinic.id, version, delivery: 'daily' })
    await release()
    await noteEarlier('1 hour')
    await announce()
    expect(sentTo(ana.email)).toHaveLength(1)
    expect((await choose(zoe, null)).data.chooseDelivery.delivery).toBe('daily')
  })

  it('that are withdrawn before the digest leaves are not in it', async () => {
    const [first] = [await release(), await release()]
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id: first })
    await announce()
    expect(mail.arrived.map(countsIn)).toEqual([['– 1 rezultat nou']])
  })

  it('that are withdrawn while the mail server is down are not in it, and a digest of nothing is not sent', async () => {
    await mail.stop()
    const [first, second] = [await release(), await release()]
    await expect(announce()).rejects.toThrow()
    const [{ id }] = (await server.db.selectFrom('message').select('id').execute()) as [{ id: string }]
    const send = async () => {
      await server.services.jobs.enqueue(server.db, 'send-digest', { messageId: id })
      await server.runJobs()
    }
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id: first })
    await expect(send()).rejects.toThrow()
    const back = await startMailServer(mail.port)
    onTestFinished(back.stop)
    await send()
    expect(back.arrived.map(countsIn)).toEqual([['– 1 rezultat nou']])

    await back.stop()
    const third = await release()
    await expect(announce()).rejects.toThrow()
    for (const upload of [second, third]) await reviewer.runQuery(WITHDRAW_UPLOAD, { id: upload })
    const again = await startMailServer(mail.port)
    onTestFinished(again.stop)
    const queued = await server.db.selectFrom('message').select('id').where('state', '=', 'queued').execute()
    for (const { id: messageId } of queued)
      await server.services.jobs.enqueue(server.db, 'send-digest', { messageId })
    await server.runJobs()
    expect(again.arrived).toEqual([])
    const ends = await server.db
      .selectFrom('message')
      .select(['state', 'last_error'])
      .orderBy('created_at')
      .execute()
    expect(ends).toEqual([
      { state: 'sent', last_error: null },
      { state: 'failed', last_error: 'withdrawn' },
    ])
  })

  it('of a patient whom the institution has not referred are not announced', async () => {
    await release({ patient_id: (await makePatient(server.db)).id })
    await announce()
    expect(mail.arrived).toEqual([])
  })

  it('are announced to nobody while the site has no files of patients, the institution or the user is suspended, or the user has left', async () => {
    const [ion, zoe] = [await join('Ion Rus'), await join('Zoe Țuțea')]
    await release()
    await upsertSettings(server.db, { features: ['patient::news'] })
    await announce()
    await upsertSettings(server.db, { features: ['patient::files', 'admin::review-files'] })
    await server.db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', ion.id).execute()
    await server.db.deleteFrom('user_institution').where('user_id', '=', zoe.id).execute()
    const admin = await server.signInAs({ role: 'admin' })
    await admin.runQuery(SUSPEND, { id: clinic.id, version: 1 })
    await announce()
    expect(mail.arrived).toEqual([])
    await server.db.updateTable('institution').set({ suspended_at: null }).execute()
    await announce()
    expect(mail.arrived).toEqual([])
  })

  it('that wait in the queue are not sent once the institution is suspended, or its user has left', async () => {
    const other = await makeInstitution(server.db)
    const ion = await join('Ion Rus', [clinic.id, other.id])
    const { mailer } = server.services
    server.services.mailer = null
    await release()
    await announce()
    server.services.mailer = mailer
    await server.db
      .updateTable('institution')
      .set({ suspended_at: new Date() })
      .where('id', '=', clinic.id)
      .execute()
    for (const { id: messageId } of await server.db.selectFrom('message').select('id').execute())
      await server.services.jobs.enqueue(server.db, 'send-digest', { messageId })
    await server.runJobs()
    // Ion still works for the other institution.
    expect([...sentTo(ana.email), ...sentTo(ion.email)]).toEqual([])
    const ends = await server.db.selectFrom('message').select(['state', 'last_error']).execute()
    expect(ends).toEqual(Array(2).fill({ state: 'failed', last_error: 'suspended' }))
  })
})

describe('a digest that waits in the queue', () => {
  /** Releases and announces while no mail server is configured. */
  async function queue(): Promise<string> {
    const { mailer } = server.services
    server.services.mailer = null
    const id = await release()
    await announce()
    server.services.mailer = mailer
    return id
  }
  async function sendQueued(): Promise<void> {
    const queued = await server.db.selectFrom('message').select('id').where('state', '=', 'queued').execute()
    for (const { id: messageId } of queued)
      await server.services.jobs.enqueue(server.db, 'send-digest', { messageId })
    await server.runJobs()
  }

  it('is not sent while the site has no files of patients; its results are announced once it has', async () => {
    await queue()
    await upsertSettings(server.db, { features: ['patient::news'] })
    await sendQueued()
    await announce()
    expect(mail.arrived).toEqual([])
    await upsertSettings(server.db, { features: ['patient::files', 'admin::review-files'] })
    await announce()
    await announce()
    expect(sentTo(ana.email).map(countsIn)).toEqual([['– 1 rezultat nou']])
  })

  it('is not sent once its reader, or the institution, wants none; a recall is', async () => {
    await queue()
    await ana.runQuery(CHOOSE, { institutionId: clinic.id, delivery: 'none' })
    await sendQueued()
    await ana.runQuery(CHOOSE, { institutionId: clinic.id, delivery: null })
    const opened = await queue()
    await setDelivery('none')
    await sendQueued()
    expect(mail.arrived).toEqual([])
    await ana.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id: opened })
    await server.db
      .insertInto('upload_opening')
      .values({ upload_id: opened, user_id: ana.id, opened_at: new Date() })
      .onConflict((on) => on.doNothing())
      .execute()
    const { mailer } = server.services
    server.services.mailer = null
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id: opened })
    await announce()
    server.services.mailer = mailer
    await sendQueued()
    expect(sentTo(ana.email)).toHaveLength(1)
    expect(sentTo(ana.email)[0]!.mail.subject).toContain('nu mai sunt valabile')
  })

  it('goes to the present address of its reader, and not to the former one', async () => {
    await queue()
    await server.db
      .updateTable('app_user')
      .set({ email: 'ana.noua@clinica.test' })
      .where('id', '=', ana.id)
      .execute()
    await sendQueued()
    await announce()
    expect(mail.arrived.map(({ recipients }) => recipients)).toEqual([['ana.noua@clinica.test']])
    expect(mail.arrived.map(countsIn)).toEqual([['– 1 rezultat nou']])
    const failed = await server.db
      .selectFrom('message')
      .select('last_error')
      .where('state', '=', 'failed')
      .execute()
    expect(failed).toEqual([{ last_error: 'postponed' }])
  })

  it('is written although that of another reader cannot be', async () => {
    const others = [await join('Ion Rus'), await join('Zoe Țuțea')]
    await release()
    const { enqueue } = server.services.jobs
    let digests = 0
    server.services.jobs.enqueue = async (db, name, payload, options) => {
      if (name === 'send-digest' && ++digests === 1) throw new Error('broken')
      return enqueue(db, name, payload, options)
    }
    await expect(announce()).rejects.toThrow('broken')
    server.services.jobs.enqueue = enqueue
    await server.runJobs()
    expect(mail.arrived).toHaveLength(others.length)
    await announce()
    expect(mail.arrived).toHaveLength(others.length + 1)
  })
})

describe('a server that is killed', () => {
  it('while it announces announces each result once after the restart', async () => {
    const ion = await join('Ion Rus')
    await release()
    const { enqueue } = server.services.jobs
    // The second digest is not written: its transaction fails, as that of a killed server.
    let digests = 0
    server.services.jobs.enqueue = async (db, name, payload, options) => {
      if (name === 'send-digest' && ++digests === 2) throw new Error('killed')
      return enqueue(db, name, payload, options)
    }
    await expect(announce()).rejects.toThrow('killed')
    server.services.jobs.enqueue = enqueue
    await announce()
    await announce()
    for (const { email } of [ana, ion]) expect(sentTo(email).map(countsIn)).toEqual([['– 1 rezultat nou']])
  })
})

describe('a result that nobody has opened', () => {
  const release8DaysAgo = async (id: string) => {
    const at = new Date(Date.now() - 8 * 24 * 3_600_000)
    await server.db
      .updateTable('upload')
      .set({ released_at: at, state_since: at })
      .where('id', '=', id)
      .execute()
    await announce()
    mail.arrived.length = 0
  }

  it('is reminded of once, after the days of the setting, 0 for never [1.5]', async () => {
    const [old, opened] = [await release(), await release()]
    await release()
    await release8DaysAgo(old)
    await release8DaysAgo(opened)
    await ana.runQuery(READ, { id: opened })
    await upsertSettings(server.db, { reminder_days: 0 })
    await remind()
    await upsertSettings(server.db, { reminder_days: 9 })
    await remind()
    expect(mail.arrived).toEqual([])
    await upsertSettings(server.db, { reminder_days: 7 })
    await remind()
    await remind()
    // A colleague who joins later is not reminded of the same result.
    await join('Ion Rus')
    await remind()
    expect(mail.arrived.map(({ recipients, mail: { subject } }) => [recipients, subject])).toEqual([
      [[ana.email], 'Rezultate nedeschise – Dosar'],
    ])
    expect(countsIn(mail.arrived[0]!)).toEqual([
      '– 1 rezultat eliberat mai demult, pe care nu l-a deschis nimeni',
    ])
  })

  it('is in one mail with the new ones', async () => {
    await release8DaysAgo(await release())
    await release()
    await remind()
    expect(mail.arrived.map(countsIn)).toEqual([
      ['– 1 rezultat nou', '– 1 rezultat eliberat mai demult, pe care nu l-a deschis nimeni'],
    ])
  })
})

describe('a result that somebody has opened', () => {
  it('is announced to them when it is withdrawn or replaced, whatever their preference, and to nobody else', async () => {
    const ion = await join('Ion Rus')
    const [withdrawn, replaced] = [await release(), await release()]
    for (const id of [withdrawn, replaced]) await ana.runQuery(READ, { id })
    await announce()
    mail.arrived.length = 0
    await setDelivery('none')
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id: withdrawn })
    await release({ replaces_id: replaced })
    await announce()
    await announce()
    expect(mail.arrived.map(({ recipients, mail: { subject } }) => [recipients, subject])).toEqual([
      [[ana.email], 'Rezultate care nu mai sunt valabile – Dosar'],
    ])
    expect(countsIn(mail.arrived[0]!)).toEqual([
      '– 2 rezultate pe care le-ați deschis și care au fost retrase sau înlocuite. Vă rugăm să nu mai folosiți copiile.',
    ])
    expect(sentTo(ion.email)).toEqual([])
  })
})

it('no mail about a result has the name or the CNP of its patient, its category or its title', async () => {
  const { db } = server
  const marked = await makePatient(db, {
    surname: 'Zimbrescu',
    given_names: 'Olimpiada',
    cnp: makeCnp({ sex: 'female', birthDate: '1961-07-09', county: 12, serial: 345 }),
  })
  await makeReferral(db, { patient_id: marked.id, institution_id: clinic.id })
  const category = await makeCategory(db, { slug: 'markerologie', name: 'Markerologie' })
  const about = { patient_id: marked.id, category_slug: category.slug, title: 'Determinare markerală' }
  const [withdrawn, moved, old] = [await release(about), await release(about), await release(about)]
  for (const id of [withdrawn, moved]) await ana.runQuery(READ, { id })
  await announce()
  await reviewer.runQuery(WITHDRAW_UPLOAD, { id: withdrawn })
  const at = new Date(Date.now() - 8 * 24 * 3_600_000)
  await db.updateTable('upload').set({ released_at: at, state_since: at }).where('id', '=', old).execute()
  await remind()
  const admin = await makeUser(db, { role: 'admin' })
  const { version } = (await reviewer.runQuery(READ, { id: moved })).upload
  await reviewer.runQuery(MOVE, { id: moved, version, patientId: patient.id })
  mail.failures.push('unknown')
  await announce()
  const kinds = await db.selectFrom('message').select('kind').distinct().orderBy('kind').execute()
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'deletion-request',
    'incident-opened',
    'mail-failed',
    'results',
  ])
  expect(sentTo(admin.email)).toHaveLength(1)
  expect(mail.arrived.length).toBeGreaterThanOrEqual(4)
  for (const { raw, mail: parsed } of mail.arrived)
    for (const text of [raw, parsed.subject, parsed.text, parsed.html])
      expect(text).not.toMatch(new RegExp(`zimbrescu|olimpiada|${marked.cnp}|marker`, 'i'))
})
