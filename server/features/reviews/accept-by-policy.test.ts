import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writePdf } from '../../../db/demo/pdf.ts'
import {
  type FileToMake,
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const READ = `query ($id: ID!) { upload(id: $id) { state version
  reviews { verdict isAutomatic reviewerName comment } } }`
const EDIT = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
  editUpload(id: $id, version: $version, upload: $upload) { id state } }`

let server: TestServer
let registrar: TestClient
let registrarId: string
let reviewer: TestClient
let own: { id: string }
let ours: TestClient
let slug: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const author = await makeUser(db, { features: ['patient::files'] })
  registrarId = author.id
  registrar = await server.signIn(author.email)
  reviewer = await server.signIn((await makeUser(db, { features: ['admin::review-files'] })).email)
  own = await makeInstitution(db)
  ours = await server.signIn((await makeUser(db, { role: 'institution', institutionIds: [own.id] })).email)
  slug = (await makeCategory(db, { review_required: false })).slug
})

async function referPatient() {
  const patient = await makePatient(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: own.id })
  return patient
}

async function pdf(...pages: string[]): Promise<FileToMake> {
  const { bytes } = await writePdf({ title: 'Buletin', at: new Date(0) }, (document) => {
    for (const [place, text] of pages.entries()) {
      if (place > 0) document.addPage()
      document.font('regular').text(text)
    }
  })
  return { bytes, name: 'buletin.pdf', scan_result: 'pending' }
}

const text = (content: string): FileToMake => ({
  bytes: Buffer.from(content),
  name: 'buletin.txt',
  kind: 'other',
  scan_result: 'pending',
})

/** Handed in with these files, and everything done that jobs do. */
async function handIn(
  files: readonly FileToMake[],
  over: Parameters<typeof makeUpload>[2] & { patient_id: string | null },
) {
  const upload = await makeUpload(server.db, server.services.storage, {
    state: 'checking',
    created_by: registrarId,
    institution_id: over.patient_id ? own.id : null,
    category_slug: slug,
    files,
    ...over,
  })
  await server.services.jobs.enqueue(server.db, 'upload.check', { uploadId: upload.id })
  await server.runJobs()
  return upload.id
}

const read = async (id: string) => (await reviewer.graphql(READ, { id })).data.upload
const stateOf = async (id: string) => (await read(id)).state

describe('where the category asks for no reviewer', () => {
  it('a file that has the patient’s CNP is released to the institution, by the product, with the reason', async () => {
    const { id: patientId, cnp } = await referPatient()
    const id = await handIn([await pdf(`CNP ${cnp}`, `Pagina 2, CNP ${cnp}`)], { patient_id: patientId })
    expect(await read(id)).toMatchObject({
      state: 'released',
      reviews: [
        { verdict: 'accepted', isAutomatic: true, comment: expect.stringContaining('CNP-ul pacientului') },
      ],
    })
    const { data } = await ours.graphql('{ inbox { nodes { id } } }')
    expect(data.inbox.nodes).toContainEqual({ id })
    const journal = await server.db
      .selectFrom('audit_event')
      .select(['action', 'actor_id', 'actor_name', 'origin', 'changes'])
      .where('subject_id', '=', id)
      .where('action', 'in', ['upload.accept', 'upload.release'])
      .orderBy('id')
      .execute()
    expect(journal).toMatchObject([
      {
        action: 'upload.accept',
        actor_id: null,
        actor_name: 'Dosar',
        origin: 'job',
        changes: { reason: { to: expect.stringContaining('CNP-ul pacientului') } },
      },
      { action: 'upload.release', actor_id: null },
    ])
  })

  it('also when the patient is chosen later', async () => {
    const { id: patientId, cnp } = await referPatient()
    const id = await handIn([text(`CNP ${cnp}`)], { patient_id: null })
    expect(await stateOf(id)).toBe('unassigned')
    const upload = { title: 'CT', patientId, institutionId: own.id, categorySlug: slug }
    const { version } = await read(id)
    expect((await registrar.graphql(EDIT, { id, version, upload })).errors).toEqual([])
    await server.runJobs()
    expect(await stateOf(id)).toBe('released')
  })

  const stranger = makeCnp({ sex: 'male', birthDate: '1985-01-01', county: 12, serial: 345 })
  const [s, ymd, rest] = [stranger.slice(0, 1), stranger.slice(1, 7), stranger.slice(7)]
  it.each([
    ['glued to a digit', `Cod 7${stranger}`],
    ['with dots', `${s}.${ymd}.${rest}`],
    ['with slashes', `${s}/${ymd}/${rest}`],
    ['with wide dashes', `${s} - ${ymd} - ${rest}`],
    ['in pairs', stranger.replace(/(..)/g, '$1 ')],
    ['over two lines', `${stranger.slice(0, 6)}\n${stranger.slice(6)}`],
    ['with spaces that do not break', `${s}\u00a0${ymd}\u00a0${rest}`],
  ])('somebody else’s CNP %s keeps it for a person', async (_how, written) => {
    const { id: patientId, cnp } = await referPatient()
    const id = await handIn([text(`CNP: ${cnp}, pacient.\nMama: ${written}`)], { patient_id: patientId })
    expect(await stateOf(id)).toBe('in_review')
  })

  it('a page without the patient’s CNP, a picture, an attached file or a note keeps it for a person', async () => {
    const { id: patientId, cnp } = await referPatient()
    const draw = async (more: (document: PDFKit.PDFDocument) => unknown): Promise<FileToMake> => {
      const { bytes } = await writePdf({ title: 'Buletin', at: new Date(0) }, (document) => {
        document.font('regular').text(`CNP ${cnp}`)
        more(document)
      })
      return { bytes, name: 'buletin.pdf', scan_result: 'pending' }
    }
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const files = {
      page: await pdf(`CNP ${cnp}`, 'Popescu Ion, pagina 2 din 2'),
      picture: await draw((document) => document.image(picture)),
      attachment: await draw((document) => document.file(Buffer.from('altul'), { name: 'altul.txt' })),
      note: await draw((document) => document.note(10, 10, 50, 50, 'Popescu Ion')),
      table: { ...text(`${cnp}`), name: 'tabel.csv' },
    }
    for (const [what, file] of Object.entries(files)) {
      const id = await handIn([file], { patient_id: patientId })
      expect({ what, state: await stateOf(id) }).toEqual({ what, state: 'in_review' })
    }
    expect(await stateOf(await handIn([await draw(() => undefined)], { patient_id: patientId }))).toBe(
      'released',
    )
  })

  it('the release policy holds all the same', async () => {
    const { slug: later } = await makeCategory(server.db, {
      review_required: false,
      release: 'after_hours',
      release_hours: 1,
    })
    const { id: patientId, cnp } = await referPatient()
    const id = await handIn([text(`CNP ${cnp}`)], { patient_id: patientId, category_slug: later })
    expect(await stateOf(id)).toBe('accepted')
    // The CNP was mistyped and is put right in the hour between: now nothing confirms the patient.
    await server.db.updateTable('patient').set({ cnp: null }).where('id', '=', patientId).execute()
    await server.db
      .updateTable('upload')
      .set({ release_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    await server.services.jobs.enqueue(server.db, 'review.release', {})
    await server.runJobs()
    expect(await stateOf(id)).toBe('in_review')
  })

  const doubtful: [string, (cnp: string, other: string) => Promise<FileToMake[]> | FileToMake[]][] = [
    ['names nobody', () => [text('hemoglobina 14,2')]],
    ['names somebody else', (_cnp, other) => [text(`CNP ${other}`)]],
    ['names the patient and somebody else', (cnp, other) => [text(`CNP ${cnp}, mama ${other}`)]],
    ['is one of two, and the other names nobody', (cnp) => [text(`CNP ${cnp}`), text('hemoglobina')]],
    ['has a page without text', async (cnp) => [await pdf(`CNP ${cnp}`, '')]],
    ['is longer than what is read of it', (cnp) => [text(`CNP ${cnp} ${'valoare 1 '.repeat(20_000)}`)]],
  ]
  it.each(doubtful)('a file waits for a person where it %s', async (_what, files) => {
    const { id: patientId, cnp } = await referPatient()
    const id = await handIn(await files(cnp!, (await makePatient(server.db)).cnp!), { patient_id: patientId })
    expect(await read(id)).toMatchObject({ state: 'in_review', reviews: [] })
  })

  it('a file of a patient without a CNP waits, whatever is in it', async () => {
    const patient = await makePatient(server.db, { cnp: null })
    await makeReferral(server.db, { patient_id: patient.id, institution_id: own.id })
    const other = (await makePatient(server.db)).cnp
    for (const content of ['hemoglobina', `CNP ${other}`])
      expect(await stateOf(await handIn([text(content)], { patient_id: patient.id }))).toBe('in_review')
  })

  it('a file that is refused goes into quarantine, and the upload with it', async () => {
    const { id: patientId, cnp } = await referPatient()
    const page = { ...text(`<html>CNP ${cnp}`), name: 'buletin.html' }
    expect(await stateOf(await handIn([text(`CNP ${cnp}`), page], { patient_id: patientId }))).toBe(
      'quarantined',
    )
  })

  it('what a person has sent back is not accepted behind their back', async () => {
    const { slug: byHand } = await makeCategory(server.db, { review_required: false, release: 'by_hand' })
    const { id: patientId, cnp } = await referPatient()
    const id = await handIn([text(`CNP ${cnp}`)], { patient_id: patientId, category_slug: byHand })
    const { version } = await read(id)
    await reviewer.graphql(
      'mutation ($id: ID!, $version: Int!) { returnUpload(id: $id, version: $version) { id } }',
      { id, version },
    )
    const edit = async (patient: string | null) => {
      const upload = { title: 'CT', patientId: patient, categorySlug: byHand }
      return reviewer.graphql(EDIT, { id, version: (await read(id)).version, upload })
    }
    expect((await edit(null)).data.editUpload.state).toBe('unassigned')
    expect((await edit(patientId)).data.editUpload.state).toBe('in_review')
    await server.runJobs()
    expect(await stateOf(id)).toBe('in_review')
  })
})

it('where the category asks for a reviewer, the same file waits for one', async () => {
  const { id: patientId, cnp } = await referPatient()
  const strict = await makeCategory(server.db)
  for (const category_slug of [strict.slug, 'nu-mai-este', null]) {
    const id = await handIn([text(`CNP ${cnp}`)], { patient_id: patientId, category_slug })
    expect(await stateOf(id)).toBe('in_review')
  }
})
