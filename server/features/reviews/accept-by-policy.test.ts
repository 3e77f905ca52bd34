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
let ownUser: TestClient
let slug: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const author = await makeUser(db, { features: ['patient::files'] })
  registrarId = author.id
  registrar = await server.signIn(author.email)
  reviewer = await server.signIn(
    (await makeUser(db, { features: ['admin::review-files', 'patient::files'] })).email,
  )
  own = await makeInstitution(db)
  ownUser = await server.signIn((await makeUser(db, { role: 'institution', institutionIds: [own.id] })).email)
  slug = (await makeCategory(db, { review_required: false })).slug
})

async function referPatient() {
  const patient = await makePatient(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: own.id })
  return patient
}

async function pdf(...pages: string[]): Promise<FileToMake> {
  const { bytes } = await writePdf({ title: 'Buletin', at: new Date(0) }, (document) => {
    for (const [index, text] of pages.entries()) {
      if (index > 0) document.addPage()
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

/** Submits an upload with these files and runs the jobs; returns its id. */
async function submit(
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
  await server.services.jobs.enqueue(server.db, 'check-upload', { uploadId: upload.id })
  await server.runJobs()
  return upload.id
}

const read = async (id: string) => (await reviewer.graphql(READ, { id })).data.upload
const stateOf = async (id: string) => (await read(id)).state

describe('an upload in a category without review', () => {
  it('is released to the institution if each page has the patient’s CNP, with a recorded reason', async () => {
    const { id: patientId, cnp } = await referPatient()
    const id = await submit([await pdf(`CNP ${cnp}`, `Pagina 2, CNP ${cnp}`)], { patient_id: patientId })
    expect(await read(id)).toMatchObject({
      state: 'released',
      reviews: [
        { verdict: 'accepted', isAutomatic: true, comment: expect.stringContaining('CNP-ul pacientului') },
      ],
    })
    const { data } = await ownUser.graphql('{ inbox { nodes { id } } }')
    expect(data.inbox.nodes).toContainEqual({ id })
    const events = await server.db
      .selectFrom('audit_event')
      .select(['action', 'actor_id', 'actor_name', 'origin', 'changes'])
      .where('subject_id', '=', id)
      .where('action', 'in', ['upload.accept', 'upload.release'])
      .orderBy('id')
      .execute()
    expect(events).toMatchObject([
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

  it('is also released if the patient is chosen later', async () => {
    const { id: patientId, cnp } = await referPatient()
    const id = await submit([text(`CNP ${cnp}`)], { patient_id: null })
    expect(await stateOf(id)).toBe('unassigned')
    const upload = { title: 'CT', patientId, institutionId: own.id, categorySlug: slug }
    const { version } = await read(id)
    expect((await registrar.graphql(EDIT, { id, version, upload })).errors).toEqual([])
    await server.runJobs()
    expect(await stateOf(id)).toBe('released')
  })

  const otherCnp = makeCnp({ sex: 'male', birthDate: '1985-01-01', county: 12, serial: 345 })
  const [s, ymd, rest] = [otherCnp.slice(0, 1), otherCnp.slice(1, 7), otherCnp.slice(7)]
  it.each([
    ['directly after a digit', `Cod 7${otherCnp}`],
    ['with dots', `${s}.${ymd}.${rest}`],
    ['with slashes', `${s}/${ymd}/${rest}`],
    ['with wide dashes', `${s} - ${ymd} - ${rest}`],
    ['in pairs', otherCnp.replace(/(..)/g, '$1 ')],
    ['over two lines', `${otherCnp.slice(0, 6)}\n${otherCnp.slice(6)}`],
    ['with non-breaking spaces', `${s}\u00a0${ymd}\u00a0${rest}`],
  ])('waits for a reviewer if another person’s CNP is in it %s', async (_how, written) => {
    const { id: patientId, cnp } = await referPatient()
    const id = await submit([text(`CNP: ${cnp}, pacient.\nMama: ${written}`)], { patient_id: patientId })
    expect(await stateOf(id)).toBe('in_review')
  })

  it('waits with a page without the CNP, an image, an attachment, an annotation, an action or a table', async () => {
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
    const plain = await draw(() => undefined)
    const files = {
      page: await pdf(`CNP ${cnp}`, 'Popescu Ion, pagina 2 din 2'),
      picture: await draw((document) => document.image(picture)),
      attachment: await draw((document) => document.file(Buffer.from('altul'), { name: 'altul.txt' })),
      action: {
        ...plain,
        bytes: Buffer.from(
          Buffer.from(plain.bytes)
            .toString('latin1')
            .replace('/Type /Catalog', '/Type /Catalog /OpenAction << /S /Launch /F (x.exe) >>'),
          'latin1',
        ),
      },
      note: await draw((document) => document.note(10, 10, 50, 50, 'Popescu Ion')),
      table: { ...text(`${cnp}`), name: 'tabel.csv' },
    }
    for (const [what, file] of Object.entries(files)) {
      const id = await submit([file], { patient_id: patientId })
      expect({ what, state: await stateOf(id) }).toEqual({ what, state: 'in_review' })
    }
    expect(await stateOf(await submit([plain], { patient_id: patientId }))).toBe('released')
  })

  it('follows the release policy, and is rechecked before a scheduled release', async () => {
    const { slug: later } = await makeCategory(server.db, {
      review_required: false,
      release: 'after_hours',
      release_hours: 1,
    })
    const { id: patientId, cnp } = await referPatient()
    const id = await submit([text(`CNP ${cnp}`)], { patient_id: patientId, category_slug: later })
    expect(await stateOf(id)).toBe('accepted')
    // The CNP is corrected before the release, and the file no longer confirms the patient.
    await server.db.updateTable('patient').set({ cnp: null }).where('id', '=', patientId).execute()
    await server.db
      .updateTable('upload')
      .set({ release_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    await server.services.jobs.enqueue(server.db, 'release-due-uploads', {})
    await server.runJobs()
    expect(await stateOf(id)).toBe('in_review')
  })

  const unconfirmed: [string, (cnp: string, other: string) => Promise<FileToMake[]> | FileToMake[]][] = [
    ['has no CNP', () => [text('hemoglobina 14,2')]],
    ['has another person’s CNP', (_cnp, other) => [text(`CNP ${other}`)]],
    [
      'has the CNPs of the patient and of another person',
      (cnp, other) => [text(`CNP ${cnp}, mama ${other}`)],
    ],
    ['is one of two, and the other has no CNP', (cnp) => [text(`CNP ${cnp}`), text('hemoglobina')]],
    ['has a page without text', async (cnp) => [await pdf(`CNP ${cnp}`, '')]],
    ['is longer than the part that is read', (cnp) => [text(`CNP ${cnp} ${'valoare 1 '.repeat(20_000)}`)]],
  ]
  it.each(unconfirmed)('waits for a reviewer if a file %s', async (_what, files) => {
    const { id: patientId, cnp } = await referPatient()
    const id = await submit(await files(cnp!, (await makePatient(server.db)).cnp!), { patient_id: patientId })
    expect(await read(id)).toMatchObject({ state: 'in_review', reviews: [] })
  })

  it('waits for a reviewer if its patient has no CNP, for any file', async () => {
    const patient = await makePatient(server.db, { cnp: null })
    await makeReferral(server.db, { patient_id: patient.id, institution_id: own.id })
    const other = (await makePatient(server.db)).cnp
    for (const content of ['hemoglobina', `CNP ${other}`])
      expect(await stateOf(await submit([text(content)], { patient_id: patient.id }))).toBe('in_review')
  })

  it('goes into quarantine if one of its files is rejected', async () => {
    const { id: patientId, cnp } = await referPatient()
    const page = { ...text(`<html>CNP ${cnp}`), name: 'buletin.html' }
    expect(await stateOf(await submit([text(`CNP ${cnp}`), page], { patient_id: patientId }))).toBe(
      'quarantined',
    )
  })

  it('is not accepted automatically after a reviewer has returned it', async () => {
    const { slug: byHand } = await makeCategory(server.db, { review_required: false, release: 'by_hand' })
    const { id: patientId, cnp } = await referPatient()
    const id = await submit([text(`CNP ${cnp}`)], { patient_id: patientId, category_slug: byHand })
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

it('an upload in a category with review waits for a reviewer, also without a category', async () => {
  const { id: patientId, cnp } = await referPatient()
  const strict = await makeCategory(server.db)
  for (const category_slug of [strict.slug, 'nu-mai-este', null]) {
    const id = await submit([text(`CNP ${cnp}`)], { patient_id: patientId, category_slug })
    expect(await stateOf(id)).toBe('in_review')
  }
})
