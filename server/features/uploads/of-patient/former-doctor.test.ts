import { expect, it } from 'vitest'
import {
  makeEmptyUpload,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUser,
} from '../../../../db/factories.ts'
import { createTestServer } from '../../../../test/test-server.ts'

const EDIT = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
  editUpload(id: $id, version: $version, upload: $upload) { version referringDoctor } }`

it('the former patient’s referring doctor does not stay when an upload moves to another patient', async () => {
  const server = await createTestServer()
  const { db } = server
  const author = await makeUser(db)
  const client = await server.signIn(author.email)
  const institution = await makeInstitution(db)
  const referred = async (doctor: string | null) => {
    const patient = await makePatient(db)
    await makeReferral(db, { patient_id: patient.id, institution_id: institution.id, doctor })
    return patient.id
  }
  const former = await referred('Dr. Bălășescu')
  const upload = await makeEmptyUpload(db, {
    patient_id: former,
    institution_id: institution.id,
    referring_doctor: 'Dr. Bălășescu',
    created_by: author.id,
  })
  let { version } = upload
  const move = async (patientId: string, referringDoctor: string) => {
    const details = { title: upload.title, patientId, institutionId: institution.id, referringDoctor }
    const { editUpload } = await client.runQuery(EDIT, { id: upload.id, version, upload: details })
    version = editUpload.version
    return editUpload.referringDoctor
  }
  // A client that sends the whole form sends the former doctor too.
  expect(await move(await referred('Dr. Țone'), 'Dr. Bălășescu')).toBe('Dr. Țone')
  expect(await move(await referred(null), 'Dr. Țone')).toBeNull()
  // A doctor whom the user has typed, or the document names, is not of the former patient's referrals.
  expect(await move(former, 'Dr. Avram')).toBe('Dr. Avram')
  expect(await move(await referred('Dr. Țone'), 'Dr. Avram')).toBe('Dr. Avram')
})
