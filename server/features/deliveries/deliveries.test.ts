import { describe, expect, it, onTestFinished } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { LEDGER_EXPORT_PATH } from '../../../shared/csv/csv-exports.ts'
import { ACCEPT_UPLOAD, WITHDRAW_UPLOAD } from '../../../test/documents.ts'
import { startMailServer } from '../../../test/mail.ts'
import { CREATE_SHARE, openBrowser } from '../../../test/shares/share-world.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import { ensureOwnApiKey } from '../site/own-api-key.ts'

const READ = 'query ($id: ID!) { upload(id: $id) { version files { id } } }'
const LEDGER = `query ($uploadId: ID, $patientId: ID, $first: Int, $after: String) {
  deliveryLedger(uploadId: $uploadId, patientId: $patientId, first: $first, after: $after) {
    nodes { uploadId receivedAt checkedAt reviewedAt releasedAt recipientName mailState mailedAt mailError openedAt downloadedAt }
    endCursor } }`
const UNOPENED = `query ($days: Int, $olderThan: Int) { unopenedInstitutions(days: $days, olderThan: $olderThan) {
  institutionId institutionName count oldestAt people resentAt } }`
const RESULTS = `query ($id: ID!, $days: Int, $olderThan: Int) {
  institutionResults(institutionId: $id, days: $days, olderThan: $olderThan, opened: false) { nodes { id } } }`
const RESEND = `mutation ($ids: [ID!]!, $olderThan: Int) {
  resendAnnouncements(institutionIds: $ids, olderThan: $olderThan) { people unreached } }`
const MESSAGES = '{ messages { nodes { id kind state canRepeat } } }'
const RETRY = 'mutation ($id: ID!) { retryMessage(id: $id) }'
const DAY_MS = 24 * 3_600_000

async function start() {
  const mail = await startMailServer()
  onTestFinished(mail.stop)
  const server = await createTestServer({ smtpUrl: mail.url, url: 'https://rezultate.clinica.test' })
  const { db, services } = server
  const reviewer = await server.signInAs({
    name: 'Radu Matei',
    features: ['admin::review-files', 'patient::files'],
  })
  const registrar = await server.signInAs({ name: 'Ilie Pop' })
  const admin = await server.signInAs({ role: 'admin' })
  const clinic = await makeInstitution(db, { name: 'Clinica Șoimul' })
  const ana = await server.signInAs({ role: 'institution', name: '=Ana Pop', institutionIds: [clinic.id] })
  const patient = await makePatient(db)
  await makeReferral(db, { patient_id: patient.id, institution_id: clinic.id })
  const make = (over: Parameters<typeof makeUpload>[2] = {}) =>
    makeUpload(db, services.storage, { patient_id: patient.id, institution_id: clinic.id, ...over })
  const makeReleased = (days: number, over: Parameters<typeof makeUpload>[2] = {}) =>
    make({ state: 'released', released_at: new Date(Date.now() - days * DAY_MS), ...over })
  const release = async () => {
    const { id } = await make()
    const { version } = (await reviewer.runQuery(READ, { id })).upload
    await reviewer.runQuery(ACCEPT_UPLOAD, { id, version })
    return id
  }
  const announce = async () => {
    await services.jobs.enqueue(db, 'announce-results', {})
    await server.runJobs()
  }
  const ledgerOf = async (variables: object, client = reviewer) =>
    (await client.runQuery(LEDGER, { ...variables })).deliveryLedger.nodes
  return {
    server,
    mail,
    reviewer,
    registrar,
    admin,
    clinic,
    ana,
    patient,
    makeReleased,
    release,
    announce,
    ledgerOf,
  }
}

describe('the ledger of deliveries', () => {
  it('has each step of a result for each recipient: received, reviewed, released, announced, opened, downloaded', async () => {
    const { server, mail, ana, clinic, release, announce, ledgerOf } = await start()
    await server.signInAs({ role: 'institution', name: 'Ion Rus', institutionIds: [clinic.id] })
    const uploadId = await release()
    const at = expect.any(String)
    const steps = { uploadId, receivedAt: at, checkedAt: null, reviewedAt: at, releasedAt: at }
    const none = { mailedAt: null, mailError: null, openedAt: null, downloadedAt: null }
    const byName = async () =>
      (await ledgerOf({ uploadId })).sort((a: { recipientName: string }, b: { recipientName: string }) =>
        a.recipientName < b.recipientName ? 1 : -1,
      )
    expect(await byName()).toEqual([
      { ...steps, ...none, recipientName: 'Ion Rus', mailState: 'queued' },
      { ...steps, ...none, recipientName: '=Ana Pop', mailState: 'queued' },
    ])
    mail.failures.push('unknown')
    await announce()
    const bounced = (await byName()).find(({ mailState }: { mailState: string }) => mailState === 'bounced')
    expect(bounced).toEqual({
      ...steps,
      ...none,
      recipientName: expect.any(String),
      mailState: 'bounced',
      mailError: '550',
    })
    expect(mail.arrived).toHaveLength(1)

    const { files } = (await ana.runQuery(READ, { id: uploadId })).upload
    const download = await ana.fetch(`/files/${files[0].id}`)
    expect(download.status).toBe(200)
    await download.arrayBuffer()
    const rows = await byName()
    expect(
      rows.find(({ recipientName }: { recipientName: string }) => recipientName === '=Ana Pop'),
    ).toMatchObject({
      openedAt: at,
      downloadedAt: at,
    })
    expect(rows.filter(({ openedAt }: { openedAt: string | null }) => openedAt)).toHaveLength(1)
  })

  it('has the recipients of links, with the mail of the link and what they did; it names neither the patient nor their persons', async () => {
    const { server, mail, admin, patient, reviewer, makeReleased, ledgerOf } = await start()
    const upload = await makeReleased(1)
    const { files } = (await reviewer.runQuery(READ, { id: upload.id })).upload
    const share = async (recipientKind: string, recipientName: string, over: object = {}) => {
      const input = {
        patientId: patient.id,
        uploadIds: [upload.id],
        recipientKind,
        recipientName,
        channel: 'link',
        proof: 'pin',
        reason: 'cerere',
        ...over,
      }
      return (await admin.runQuery(CREATE_SHARE, { input })).createShare
    }
    mail.failures.push('unknown')
    await share('doctor', 'Dr. Ana Rus', { channel: 'mail', email: 'ana.rus@exemplu.test' })
    await server.runJobs()
    const { link, pin } = await share('patient', 'Ionescu Maria')
    const rows = async () =>
      (await ledgerOf({ uploadId: upload.id })).sort(
        (a: { recipientName: string }, b: { recipientName: string }) =>
          a.recipientName.localeCompare(b.recipientName, 'ro'),
      )
    const [doctor, before] = await rows()
    expect(doctor).toMatchObject({
      recipientName: 'Dr. Ana Rus, printr-un link',
      mailState: 'bounced',
      mailError: '550',
      openedAt: null,
    })
    expect(before).toMatchObject({
      recipientName: 'Pacientul, printr-un link',
      mailState: null,
      openedAt: null,
    })
    await ensureOwnApiKey(createSystemContext(server.services), server.services.config.secret)
    const recipient = openBrowser(server)
    const token = link.split('/').at(-1)
    await recipient.prove(token, pin)
    expect((await rows())[1]).toMatchObject({ openedAt: expect.any(String), downloadedAt: null })
    const download = await recipient.get(`/s/${token}/files/${files[0].id}`)
    expect(download.status).toBe(200)
    await download.arrayBuffer()
    expect((await rows())[1]).toMatchObject({ downloadedAt: expect.any(String) })
    expect(await rows()).toHaveLength(2)
  })

  it('lists the uploads of a patient page by page, and has a row for one that was announced to nobody', async () => {
    const { reviewer, patient, release, makeReleased, ledgerOf } = await start()
    const silent = await makeReleased(3)
    const ids = [await release(), await release()]
    const seen: string[] = []
    let after: string | null = null
    do {
      const {
        deliveryLedger,
      }: { deliveryLedger: { nodes: { uploadId: string }[]; endCursor: string | null } } =
        await reviewer.runQuery(LEDGER, { patientId: patient.id, first: 1, after })
      seen.push(...deliveryLedger.nodes.map(({ uploadId }) => uploadId))
      after = deliveryLedger.endCursor
    } while (after)
    expect(seen).toEqual([silent.id, ...ids].sort().reverse())
    expect(await ledgerOf({ uploadId: silent.id })).toMatchObject([{ recipientName: null, mailState: null }])
  })

  it('is downloaded as CSV that a spreadsheet computes nothing in, with the failures in words', async () => {
    const { mail, reviewer, registrar, patient, release, announce } = await start()
    await release()
    mail.failures.push('unknown')
    await announce()
    const fetchCsv = async (client: typeof reviewer, filter: object) =>
      client.fetch(LEDGER_EXPORT_PATH, {
        method: 'POST',
        headers: { authorization: await client.authorization('export') },
        body: JSON.stringify(filter),
      })
    const response = await fetchCsv(reviewer, { patientId: patient.id })
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).toContain("'=Ana Pop")
    expect(text).toContain('Refuzat: adresa nu există')
    expect((await fetchCsv(registrar, { patientId: patient.id })).status).toBe(403)
    expect((await fetchCsv(reviewer, { patientId: crypto.randomUUID() })).status).toBe(404)
    expect((await fetchCsv(reviewer, { name: 'Ana' })).status).toBe(400)
  })
})

describe('what was not opened', () => {
  it('is listed by institution, each with exactly the results that the dashboard counts', async () => {
    const { server, reviewer, registrar, ana, clinic, makeReleased } = await start()
    const old = [await makeReleased(9), await makeReleased(20)]
    const opened = await makeReleased(9)
    await ana.runQuery(READ, { id: opened.id })
    const fresh = await makeReleased(1)
    await makeReleased(60)
    await makeInstitution(server.db)
    const period = { days: 30, olderThan: 7 }
    const list = async (filter: object) =>
      (await registrar.runQuery(UNOPENED, { ...filter })).unopenedInstitutions
    expect(await list(period)).toEqual([
      {
        institutionId: clinic.id,
        institutionName: 'Clinica Șoimul',
        count: 2,
        oldestAt: old[1]!.released_at!.toISOString(),
        people: 1,
        resentAt: null,
      },
    ])
    const { nodes } = (await registrar.runQuery(RESULTS, { id: clinic.id, ...period })).institutionResults
    expect(nodes.map(({ id }: { id: string }) => id)).toEqual(old.map(({ id }) => id))
    const { unopened, unopenedLong } = (await reviewer.runQuery('{ dashboard { unopened unopenedLong } }'))
      .dashboard
    expect(unopenedLong).toBe(2)
    expect((await list({ days: 30 }))[0].count).toBe(unopened)
    expect((await list({}))[0].count).toBe(4)
    await ana.runQuery(READ, { id: fresh.id })
    expect((await list({ days: 30 }))[0].count).toBe(unopened - 1)
    expect((await ana.graphql(UNOPENED)).errors[0]?.extensions.code).toBe('FORBIDDEN')
  })

  it('is announced again to those who want mail, at once, and the user who asked for it gets a mail about what fails', async () => {
    const { server, mail, registrar, ana, clinic, makeReleased, announce } = await start()
    await makeReleased(9)
    await makeReleased(1)
    const silent = await makeInstitution(server.db, { name: 'Spitalul Mut', delivery: 'none' })
    await server.signInAs({ role: 'institution', institutionIds: [silent.id] })
    await server.db
      .updateTable('institution')
      .set({ delivery: 'daily' })
      .where('id', '=', clinic.id)
      .execute()
    const resend = async () =>
      (await registrar.runQuery(RESEND, { ids: [clinic.id, silent.id], olderThan: 7 })).resendAnnouncements
    expect(await resend()).toEqual({ people: 1, unreached: ['Spitalul Mut'] })
    // Asked twice before the mail was queued: one mail.
    await resend()
    mail.failures.push('unknown')
    await server.runJobs()
    await announce()
    expect(mail.arrived.map(({ recipients, mail: { subject } }) => [recipients, subject])).toEqual([
      [[registrar.email], 'Un mesaj nu a ajuns – Dosar'],
    ])
    await resend()
    await server.runJobs()
    expect(mail.arrived[1]!.recipients).toEqual([ana.email])
    expect(mail.arrived[1]!.mail.text).toContain(
      '– 1 rezultat eliberat mai demult, pe care nu l-a deschis nimeni',
    )
    expect((await registrar.runQuery(UNOPENED)).unopenedInstitutions[0].resentAt).toEqual(expect.any(String))
  })
})

describe('a failed mail', () => {
  it('about results is sent again as a new mail that counts what is still so', async () => {
    const { mail, admin, registrar, reviewer, release, announce } = await start()
    const [first, second] = [await release(), await release()]
    mail.failures.push('spam')
    await announce()
    const [failed] = (await admin.runQuery(MESSAGES)).messages.nodes
    expect(failed).toMatchObject({ kind: 'results', state: 'failed', canRepeat: true })
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id: first })
    expect((await registrar.graphql(RETRY, { id: failed.id })).errors[0]?.extensions.code).toBe('FORBIDDEN')
    await admin.runQuery(RETRY, { id: failed.id })
    await announce()
    expect(mail.arrived.map(({ mail: { text } }) => text!.match(/^– .*$/gm))).toEqual([['– 1 rezultat nou']])
    expect(mail.arrived[0]!.mail.messageId).not.toContain(failed.id)
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id: second })
    expect((await admin.graphql(RETRY, { id: failed.id })).errors[0]?.extensions.code).toBe('CONFLICT')
  })

  it('about results that wait already, since they were announced again on request, is not sent again', async () => {
    const { server, mail, admin, registrar, clinic, makeReleased } = await start()
    await makeReleased(9)
    await registrar.runQuery(RESEND, { ids: [clinic.id] })
    mail.failures.push('unknown')
    await server.runJobs()
    const { nodes } = (await admin.runQuery(MESSAGES)).messages
    const failed = nodes.find(({ kind }: { kind: string }) => kind === 'results')
    await registrar.runQuery(RESEND, { ids: [clinic.id] })
    expect((await admin.graphql(RETRY, { id: failed.id })).errors[0]?.extensions.code).toBe('CONFLICT')
    await server.runJobs()
    expect(mail.arrived.filter(({ mail: { subject } }) => subject?.startsWith('Rezultate'))).toHaveLength(1)
  })

  it('with a kept text is sent again once to the present address; one with a one-time link never', async () => {
    const { server, mail, admin, ana, reviewer, release, patient } = await start()
    const { db } = server
    const id = await release()
    await ana.runQuery(READ, { id })
    const other = await makePatient(db)
    const { version } = (await reviewer.runQuery(READ, { id })).upload
    mail.failures.push('spam')
    await reviewer.runQuery(
      `mutation ($id: ID!, $version: Int!, $patientId: ID!) {
        moveReleasedUpload(id: $id, version: $version, patientId: $patientId, reason: "Alt nume în raport") { number } }`,
      { id, version, patientId: other.id },
    )
    await server.runJobs()
    expect(patient.id).not.toBe(other.id)
    const find = async () =>
      (await admin.runQuery(MESSAGES)).messages.nodes.find(
        ({ kind }: { kind: string }) => kind === 'deletion-request',
      )
    const request = await find()
    expect(request).toMatchObject({ state: 'failed', canRepeat: true })
    await db
      .updateTable('app_user')
      .set({ email: 'ana.noua@exemplu.test' })
      .where('id', '=', ana.id)
      .execute()
    mail.arrived.length = 0
    await admin.runQuery(RETRY, { id: request.id })
    await server.runJobs()
    expect(mail.arrived.map(({ recipients, mail: { subject } }) => [recipients, subject])).toEqual([
      [['ana.noua@exemplu.test'], 'Vă rugăm să ștergeți un rezultat – Dosar'],
    ])
    expect((await admin.graphql(RETRY, { id: request.id })).errors[0]?.extensions.code).toBe('CONFLICT')

    const invited = await makeUser(db, { status: 'invited' })
    await admin.runQuery('mutation ($id: ID!) { resendInvitation(userId: $id) { user { id } } }', {
      id: invited.id,
    })
    mail.failures.push('unknown')
    await server.runJobs()
    const { nodes } = (await admin.runQuery(MESSAGES)).messages
    const invitation = nodes.find(({ kind }: { kind: string }) => kind === 'invitation')
    expect(invitation).toMatchObject({ state: 'bounced', canRepeat: false })
    expect((await admin.graphql(RETRY, { id: invitation.id })).errors[0]?.extensions.code).toBe('CONFLICT')
  })
})
