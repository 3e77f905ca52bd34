import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const CORRECT = `mutation ($id: ID!, $version: Int!, $upload: UploadCorrection!, $reason: String!) {
  correctUpload(id: $id, version: $version, upload: $upload, reason: $reason) {
    state version title examinedOn referringDoctor accessionNumber note patient { id } institution { id } category { slug } } }`
const READ = 'query ($id: ID!) { upload(id: $id) { state title can { correct } } }'
const ACCEPT = `mutation ($id: ID!, $version: Int!) {
  acceptUpload(id: $id, version: $version, reason: "compared-original", comment: "cu originalul") { version state } }`
const INBOX = '{ inbox { nodes { id } } }'
const REASON = 'Era altă examinare'

let server: TestServer
let registrar: TestClient
let reviewer: TestClient
let guest: TestClient
let otherGuest: TestClient
let institution: { id: string }
let other: { id: string }
let author: { id: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(db, over)).email)
  const user = await makeUser(db, { features: ['patient::files'] })
  author = user
  registrar = await server.signIn(user.email)
  reviewer = await signIn({ features: ['admin::review-files', 'patient::files'] })
  institution = await makeInstitution(db)
  other = await makeInstitution(db)
  guest = await signIn({ role: 'institution', institutionIds: [institution.id] })
  otherGuest = await signIn({ role: 'institution', institutionIds: [other.id] })
})

let patient: { id: string }
let category: { slug: string }

beforeEach(async () => {
  patient = await makePatient(server.db)
  category = await makeCategory(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: institution.id })
})

/** Files an upload, which the reviewer accepts: it is released, unless its category says otherwise. */
async function release(over: Parameters<typeof makeUpload>[2] = {}) {
  const upload = await makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: institution.id,
    category_slug: category.slug,
    created_by: author.id,
    note: 'pentru colegi',
    ...over,
  })
  const { acceptUpload } = await reviewer.runQuery(ACCEPT, { id: upload.id, version: 1 })
  return { ...upload, ...acceptUpload } as typeof upload & { version: number }
}

type Upload = Awaited<ReturnType<typeof release>>
const input = ({ id, version, title, category_slug, institution_id }: Upload, over: object = {}) => ({
  id,
  version,
  reason: REASON,
  upload: { title, categorySlug: category_slug, institutionId: institution_id, ...over },
})
const correct = async (upload: Upload, over: object) =>
  (await reviewer.runQuery(CORRECT, input(upload, over))).correctUpload
const errorOf = async (client: TestClient, variables: object) => {
  const [error] = (await client.graphql(CORRECT, variables as Record<string, unknown>)).errors
  return error && { code: error.extensions.code, message: error.message, fields: error.extensions.fields }
}
const sees = async (client: TestClient, id: string) =>
  (await client.runQuery(INBOX)).inbox.nodes.some((node: { id: string }) => node.id === id)

describe('a released upload', () => {
  it('gets another title, date and doctor with a reason in the audit log, and stays released', async () => {
    const upload = await release()
    const corrected = await correct(upload, {
      title: 'Ecografie tiroidiană',
      examinedOn: '2026-03-02',
      referringDoctor: 'Dr. Țone',
      accessionNumber: 'A-77',
    })
    expect(corrected).toMatchObject({
      state: 'released',
      title: 'Ecografie tiroidiană',
      examinedOn: '2026-03-02',
      referringDoctor: 'Dr. Țone',
      accessionNumber: 'A-77',
      note: 'pentru colegi',
      patient: { id: patient.id },
    })
    expect((await guest.runQuery(READ, { id: upload.id })).upload.title).toBe('Ecografie tiroidiană')
    const entry = await server.db
      .selectFrom('audit_event')
      .select('changes')
      .where('action', '=', 'upload.correct')
      .where('subject_id', '=', upload.id)
      .executeTakeFirstOrThrow()
    expect(entry.changes).toEqual({
      title: { from: upload.title, to: 'Ecografie tiroidiană' },
      examined_on: { from: null, to: '2026-03-02' },
      referring_doctor: { from: null, to: 'Dr. Țone' },
      accession_number: { from: null, to: 'A-77' },
      reason: { to: REASON },
    })
  })

  it('stays released in another category that requires no more', async () => {
    const upload = await release()
    const { slug } = await makeCategory(server.db, { review_required: false })
    expect(await correct(upload, { categorySlug: slug })).toMatchObject({
      state: 'released',
      category: { slug },
    })
    expect(await sees(guest, upload.id)).toBe(true)
  })

  it.each([
    ['a second reviewer', { reviewers: 2 }],
    ['a release after hours', { release: 'after_hours', release_hours: 4 }],
    ['a release by hand', { release: 'by_hand' }],
  ])('returns to review, unseen, in a category with %s', async (_what, policy) => {
    const upload = await release()
    const { slug } = await makeCategory(server.db, policy)
    const { state, version } = await correct(upload, { categorySlug: slug })
    expect(state).toBe('in_review')
    expect(await sees(guest, upload.id)).toBe(false)
    expect((await guest.fetch(`/files/${upload.files[0]!.id}`)).status).toBe(404)
    // The verdict of the former category does not count.
    const { acceptUpload } = await reviewer.runQuery(ACCEPT, { id: upload.id, version })
    expect(acceptUpload.state).toBe('reviewers' in policy ? 'in_review' : 'accepted')
    expect(await sees(guest, upload.id)).toBe(false)
  })

  it('that no person has accepted returns to review in a category that requires one', async () => {
    const upload = await release()
    await server.db
      .updateTable('review')
      .set({ reviewer_id: null })
      .where('upload_id', '=', upload.id)
      .execute()
    const { slug } = await makeCategory(server.db)
    expect((await correct(upload, { categorySlug: slug })).state).toBe('in_review')
  })

  it('returns to review for another institution: the former sees it no longer, the new one not yet', async () => {
    await makeReferral(server.db, { patient_id: patient.id, institution_id: other.id })
    const upload = await release()
    expect(await sees(guest, upload.id)).toBe(true)
    const { state, version } = await correct(upload, { institutionId: other.id })
    expect(state).toBe('in_review')
    expect([await sees(guest, upload.id), await sees(otherGuest, upload.id)]).toEqual([false, false])
    await reviewer.runQuery(ACCEPT, { id: upload.id, version })
    expect([await sees(guest, upload.id), await sees(otherGuest, upload.id)]).toEqual([false, true])
  })
})

it('an accepted upload keeps waiting with another title, and needs its verdict again in another category', async () => {
  category = await makeCategory(server.db, { release: 'by_hand' })
  const upload = await release()
  const { state, version } = await correct(upload, { title: 'Alt titlu' })
  expect(state).toBe('accepted')
  const { slug } = await makeCategory(server.db)
  const again = input({ ...upload, version, title: 'Alt titlu' }, { categorySlug: slug })
  expect((await reviewer.runQuery(CORRECT, again)).correctUpload.state).toBe('in_review')
  expect(await sees(guest, upload.id)).toBe(false)
})

describe('a correction is refused', () => {
  it('without a reason, without a change, on another version, and in any other state', async () => {
    const upload = await release()
    const title = { title: 'Alt titlu' }
    expect(await errorOf(reviewer, { ...input(upload, title), reason: ' ' })).toMatchObject({
      code: 'BAD_USER_INPUT',
      fields: [{ field: 'reason' }],
    })
    expect(await errorOf(reviewer, input(upload))).toMatchObject({ message: 'Nu ai schimbat nimic.' })
    expect(await errorOf(reviewer, { ...input(upload, title), version: 1 })).toMatchObject({
      code: 'CONFLICT',
    })
    for (const state of ['in_review', 'rejected', 'withdrawn', 'replaced'] as const) {
      // One that was released can still be corrected in review.
      const released_at = state === 'in_review' || state === 'rejected' ? null : new Date()
      const values = { state, released_at }
      await server.db.updateTable('upload').set(values).where('id', '=', upload.id).execute()
      expect([state, await errorOf(reviewer, input(upload, title))]).toMatchObject([
        state,
        { code: 'CONFLICT' },
      ])
    }
  })

  it('by the rules of other changes: title, date, category, and an institution without a referral', async () => {
    const upload = await release()
    for (const [field, over] of [
      ['title', { title: ' ' }],
      ['examinedOn', { examinedOn: '2999-01-01' }],
      ['categorySlug', { categorySlug: 'nu-exista' }],
      ['institutionId', { institutionId: other.id }],
    ] as const)
      expect(await errorOf(reviewer, input(upload, over))).toMatchObject({
        code: 'BAD_USER_INPUT',
        fields: [{ field }],
      })
    // Another patient is no correction of this kind.
    expect(await errorOf(reviewer, input(upload, { patientId: patient.id }))).toMatchObject({
      message: expect.stringContaining('patientId'),
    })
    expect(await sees(guest, upload.id)).toBe(true)
  })

  it('to registrars, also the author, and to institutions', async () => {
    const upload = await release()
    for (const client of [registrar, guest]) {
      expect(await errorOf(client, input(upload, { title: 'Alt titlu' }))).toMatchObject({
        code: 'FORBIDDEN',
      })
      expect((await client.runQuery(READ, { id: upload.id })).upload.can.correct).toBe(false)
    }
    expect((await reviewer.runQuery(READ, { id: upload.id })).upload.can.correct).toBe(true)
  })
})
