import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitution, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { FILE_REJECTIONS } from '../../../shared/uploads/file-rejections.ts'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { countCalls } from '../../../test/count-calls.ts'
import { makeActivePdfs, makeImage, makePdf, makeZip } from '../../../test/hostile-files.ts'
import { writeDicom } from '../../../test/inspection/dicom-files.ts'
import { createRegistrar, FILE_CHECKS, makeReport, SUBMIT } from '../../../test/inspection/drafts.ts'
import { makeScan } from '../../../test/inspection/scans.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { upsertSettings } from '../site/site.db.ts'

let server: TestServer
let registrar: Awaited<ReturnType<typeof createRegistrar>>

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  registrar = await createRegistrar(server)
})

const NOTHING = {
  refusal: null,
  isPartlyRead: false,
  comparison: [],
  confidence: 'none',
  patients: [],
  duplicates: [],
}
const linesOf = ({ comparison }: { comparison: { what: string; result: string }[] }) =>
  Object.fromEntries(comparison.map(({ what, result }) => [what, result]))

describe('a file of a draft', () => {
  it('waits, then says whose it is, whether it agrees with the patient, and how many people it names', async () => {
    const patient = await registrar.makePerson()
    const { id } = await registrar.makeDraft(
      { 'raport.pdf': await makeReport(patient) },
      { patient_id: patient.id },
    )
    expect(await registrar.readChecks(id)).toMatchObject([
      { ...NOTHING, file: { name: 'raport.pdf' }, state: 'WAITING', people: 0 },
    ])
    await server.runJobs()
    const [check] = await registrar.readChecks(id)
    expect(check).toMatchObject({
      state: 'READ',
      refusal: null,
      isPartlyRead: false,
      confidence: 'sure',
      patients: [{ id: patient.id, reasons: ['cnp', 'name'] }],
      people: 1,
      duplicates: [],
    })
    expect(linesOf(check)).toEqual({ cnp: 'agrees', name: 'agrees', 'birth-date': 'absent' })
  })

  it('of another patient says what disagrees, with its place and the CNP masked', async () => {
    const [patient, other] = [await registrar.makePerson(), await registrar.makePerson()]
    const files = { 'al-altuia.pdf': await makeReport(other), 'al-lui.pdf': await makeReport(patient) }
    const { id } = await registrar.makeDraft(files, { patient_id: patient.id })
    await server.runJobs()
    const checks = await registrar.readChecks(id)
    expect(checks[0].comparison).toMatchObject([
      {
        what: 'cnp',
        result: 'disagrees',
        disagreeing: [{ value: `*********${other.cnp!.slice(-4)}`, place: { in: 'text', page: 1 } }],
      },
      { what: 'name', result: 'disagrees', disagreeing: [{ value: `${other.surname} Ion` }] },
      { what: 'birth-date', result: 'absent' },
    ])
    expect(
      checks.map(({ patients }: { patients: { id: string }[] }) => patients.map((each) => each.id)),
    ).toEqual([[other.id], [patient.id]])
    expect(linesOf(checks[1])).toMatchObject({ cnp: 'agrees', name: 'agrees' })
    expect(JSON.stringify(checks)).not.toContain(other.cnp)
  })

  it('without a patient is compared with none, and proposed for the one that it names', async () => {
    const patient = await registrar.makePerson()
    const { id } = await registrar.makeDraft({ 'raport.pdf': await makeReport(patient) })
    await server.runJobs()
    const { upload } = await registrar.client.runQuery(
      'query ($id: ID!) { upload(id: $id) { fileChecks { comparison { what } } proposal { confidence patients { id } } } }',
      { id },
    )
    expect(upload).toEqual({
      fileChecks: [{ comparison: [] }],
      proposal: { confidence: 'sure', patients: [{ id: patient.id }] },
    })
  })

  it('that will be refused says why, as after the check', async () => {
    const files = {
      'program.pdf': Buffer.from('MZ\x90\0 un program'),
      'arhiva.zip': await makeZip({ 'a.zip': await makeZip({ 'b.txt': Buffer.from('b') }) }),
    }
    const patient = await registrar.makePerson()
    const { id } = await registrar.makeDraft(files, { patient_id: patient.id })
    await server.runJobs()
    const checks = await registrar.readChecks(id)
    expect(checks).toMatchObject([
      {
        state: 'REFUSED',
        refusal: {
          code: 'executable',
          sentence: FILE_REJECTIONS.executable,
          facts: { reason: 'executable' },
        },
        comparison: [],
        people: 0,
      },
      { state: 'REFUSED', refusal: { code: 'zip-nested' } },
    ])
    await registrar.client.runQuery(SUBMIT, { id })
    await server.runJobs()
    const { upload } = await registrar.client.runQuery(
      'query ($id: ID!) { upload(id: $id) { state files { facts } fileChecks { state } } }',
      { id },
    )
    expect(upload).toEqual({
      state: 'quarantined',
      files: checks.map(({ refusal }: { refusal: { facts: object } }) => ({ facts: refusal.facts })),
      fileChecks: [],
    })
  })

  it('with active content is refused as soon as the site does, also one that was read before', async () => {
    const [name, bytes] = Object.entries(makeActivePdfs())[0]!
    const { id } = await registrar.makeDraft({ [name]: bytes })
    await server.runJobs()
    expect((await registrar.readChecks(id))[0].refusal).toBeNull()
    await upsertSettings(server.db, { upload_active_content: 'refuse' })
    expect(await registrar.readChecks(id)).toMatchObject([
      { state: 'REFUSED', refusal: { code: 'active-content' } },
    ])
    await registrar.client.runQuery(SUBMIT, { id })
    await server.runJobs()
    const { upload } = await registrar.client.runQuery('query ($id: ID!) { upload(id: $id) { state } }', {
      id,
    })
    await upsertSettings(server.db, { upload_active_content: 'mark' })
    expect(upload.state).toBe('quarantined')
  })

  it('is unreadable if it is locked, a picture, or a scan without a code, and read if a code says whose it is', async () => {
    const patient = await registrar.makePerson()
    const files = {
      'parola.pdf': await makePdf(1, { userPassword: 'secret' }),
      'poza.png': await makeImage('png'),
      'cod.jpg': await makeScan([{ format: 'Code128', text: patient.cnp! }], { dpi: 200, quality: 80 }),
      'fara-nume.dcm': writeDicom({ '0008,0018': '1.2.840.99.8' }),
      'poze.zip': await makeZip({ 'a.png': await makeImage('png') }),
    }
    const { id } = await registrar.makeDraft(files, { patient_id: patient.id })
    await server.runJobs()
    const checks = await registrar.readChecks(id)
    expect(checks.map(({ state }: { state: string }) => state)).toEqual([
      'UNREADABLE',
      'UNREADABLE',
      'READ',
      'UNREADABLE',
      'UNREADABLE',
    ])
    expect(linesOf(checks[0])).toEqual({ cnp: 'unread', name: 'unread', 'birth-date': 'unread' })
    expect(linesOf(checks[2])).toMatchObject({ cnp: 'agrees' })
    expect(checks.map(({ unreadable }: { unreadable: string | null }) => unreadable)).toEqual([
      'locked',
      null,
      null,
      null,
      null,
    ])
  })

  it('that is an archive of two patients names two people, and says that some of it was not read', async () => {
    const [one, two] = [await registrar.makePerson(), await registrar.makePerson()]
    const zip = await makeZip({
      'unu.pdf': await makeReport(one),
      'doi.pdf': await makeReport(two),
      'poza.png': await makeImage('png'),
    })
    const { id } = await registrar.makeDraft({ 'arhiva.zip': zip }, { patient_id: one.id })
    await server.runJobs()
    const [check] = await registrar.readChecks(id)
    expect(check).toMatchObject({ state: 'READ', people: 2, confidence: 'conflict', isPartlyRead: true })
    expect(linesOf(check)).toMatchObject({ cnp: 'disagrees' })
  })
})

it('of hundreds of names in a file only twenty are compared with one another', async () => {
  const letters = 'abcdefghijklmnopqrst'
  const lines = Array.from({ length: 300 }, (_, index) => {
    const ending = `${letters[index % 20]}${letters[Math.floor(index / 20)]}`
    return `Pacient: Vasil${ending}escu Grig${ending}ore`
  })
  const { id } = await registrar.makeDraft({ 'lista.txt': Buffer.from(lines.join('\n')) })
  await server.runJobs()
  const read = async () => expect(await registrar.readChecks(id)).toMatchObject([{ people: 20 }])
  expect(await countCalls('matching/compare-names.ts', 'compareName', read)).toBeLessThanOrEqual(20 * 20)
})

describe('a file that is filed already', () => {
  it('names the uploads of this patient, of another and a rejected one, but no draft and no withdrawn one', async () => {
    const [patient, other] = [await registrar.makePerson(), await registrar.makePerson()]
    const bytes = await makeReport(patient)
    const file = async (patient_id: string, state: UploadState) => {
      const made = await makeUpload(server.db, server.services.storage, {
        patient_id,
        state,
        files: [{ bytes }],
      })
      return { kind: 'bytes', upload: { id: made.id, state, patient: { id: patient_id } } }
    }
    const filed = [
      await file(patient.id, 'released'),
      await file(other.id, 'in_review'),
      await file(patient.id, 'rejected'),
    ]
    await file(patient.id, 'withdrawn')
    await registrar.makeDraft({ 'iar.pdf': bytes }, { patient_id: patient.id })
    const { id } = await registrar.makeDraft(
      { 'raport.pdf': bytes, 'altul.pdf': await makePdf(1) },
      { patient_id: patient.id },
    )
    // The bytes are known before the file is read.
    const checks = await registrar.readChecks(id)
    expect(checks[0].duplicates).toEqual(expect.arrayContaining(filed))
    expect(checks[0].duplicates).toHaveLength(3)
    expect(checks[1].duplicates).toEqual([])
  })

  it('names an upload with the same DICOM image in another file, but not the draft of a colleague', async () => {
    const patient = await registrar.makePerson()
    const image = (description: string) =>
      writeDicom({ '0008,0018': '1.2.840.99.5', '0010,0020': patient.cnp!, '0008,1030': description })
    const colleague = await createRegistrar(server)
    await colleague.makeDraft({ 'a.dcm': image('a') }, { patient_id: patient.id })
    await server.runJobs()
    const { id } = await registrar.makeDraft({ 'b.dcm': image('b') }, { patient_id: patient.id })
    await server.runJobs()
    expect((await registrar.readChecks(id))[0].duplicates).toEqual([])
    await registrar.client.runQuery(SUBMIT, { id })
    await server.runJobs()
    const later = await registrar.makeDraft({ 'c.dcm': image('c') }, { patient_id: patient.id })
    await server.runJobs()
    expect((await registrar.readChecks(later.id))[0].duplicates).toMatchObject([
      { kind: 'instance', upload: { id, state: 'in_review' } },
    ])
  })
})

describe('the readers', () => {
  it('are the author and reviewers; for colleagues the list is empty, and institutions do not see the draft', async () => {
    const { db } = server
    const patient = await registrar.makePerson()
    const institution = await makeInstitution(db)
    await makeReferral(db, { patient_id: patient.id, institution_id: institution.id })
    const { id } = await registrar.makeDraft(
      { 'raport.pdf': await makeReport(patient) },
      { patient_id: patient.id, institution_id: institution.id },
    )
    await server.runJobs()
    const signIn = async (over: Parameters<typeof makeUser>[1]) =>
      server.signIn((await makeUser(db, over)).email)
    const reviewer = await signIn({ features: ['patient::files', 'admin::review-files'] })
    const colleague = await signIn({ features: ['patient::files'] })
    const guest = await signIn({ role: 'institution', institutionIds: [institution.id] })
    expect(await registrar.readChecks(id, reviewer)).toMatchObject([{ state: 'READ' }])
    expect(await registrar.readChecks(id, colleague)).toEqual([])
    expect((await guest.graphql(FILE_CHECKS, { id })).errors[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it('cannot ask under many names, nor for the uploads of a list', async () => {
    const { id } = await registrar.makeDraft({ 'note.txt': Buffer.from('bine') })
    const names = Array.from({ length: 20 }, (_, index) => `a${index}: fileChecks { state }`).join(' ')
    for (const fields of [
      `upload(id: "${id}") { ${names} }`,
      `myUploads(states: [receiving], first: 50) { nodes { fileChecks { state } } }`,
    ]) {
      const { errors } = await registrar.client.graphql(`{ ${fields} }`)
      expect(errors[0]?.message).toContain('costs too much')
    }
  })
})
