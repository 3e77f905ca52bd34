import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, type Page, type Request } from '@playwright/test'
import { makePatient, makeReferral } from '../../db/factories.ts'
import type { TestClient } from '../../test/client.ts'
import { ACCEPT_UPLOAD, CREATE_UPLOAD, READ_UPLOAD_STATE, SUBMIT_UPLOAD } from '../../test/documents.ts'
import { tusRequests } from '../../test/tus.ts'
import { INSTITUTION } from './accounts.ts'
import { type Document, makeReport } from './documents.ts'
import type { Product } from './product.ts'

export type ReferredPatient = Awaited<ReturnType<typeof makeReferredPatient>>

/** Makes a patient with a unique name, referred by the institution of the user with this address. */
export async function makeReferredPatient({ db }: Product, email: string) {
  const { id, institution_id } = await db
    .selectFrom('app_user')
    .innerJoin('user_institution', 'user_id', 'app_user.id')
    .select(['app_user.id', 'institution_id'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const surname = `Văcărescu-${randomBytes(3).toString('hex')}`
  const patient = await makePatient(db, { surname, given_names: 'Ilinca' })
  await makeReferral(db, { patient_id: patient.id, institution_id, created_by: id })
  return { id: patient.id, institutionId: institution_id, cnp: patient.cnp!, name: `${surname} Ilinca` }
}

/** Begins an upload of which the server has the first 100 bytes of a document; returns the upload's id. */
export async function beginUpload(
  registrar: TestClient,
  patient: ReferredPatient,
  title: string,
  document: Document,
): Promise<string> {
  const upload = { title, patientId: patient.id, institutionId: patient.institutionId }
  const uploadId: string = (await registrar.runQuery(CREATE_UPLOAD, { upload })).createUpload.id
  const bytes = await readFile(document.path)
  const tus = tusRequests(registrar.fetch)
  await tus.patch(await tus.begin(uploadId, bytes, document.name), 0, bytes.subarray(0, 100))
  return uploadId
}

/** The addresses to which the pages send files. */
export const FILE_ADDRESS = /\/files(\/[0-9a-f]{32})?$/

/** Whether a request brings bytes of a file: the POST of a small file, and the PATCH of a large one. */
export const hasBytes = (request: Request): boolean =>
  request.headers()['content-type'] === 'application/offset+octet-stream'

/** Uploads a document without a browser; resolves, when it waits for review, with its upload and its tus transfer. */
export async function uploadDocument(
  registrar: TestClient,
  patient: ReferredPatient,
  title: string,
  document: Document,
  over: { patientId?: null; institutionId?: null; categorySlug?: string } = {},
): Promise<{ uploadId: string; transfer: string }> {
  const upload = { title, patientId: patient.id, institutionId: patient.institutionId, ...over }
  const uploadId: string = (await registrar.runQuery(CREATE_UPLOAD, { upload })).createUpload.id
  const tus = tusRequests(registrar.fetch)
  const bytes = await readFile(document.path)
  const path = await tus.begin(uploadId, bytes, document.name)
  expect((await tus.patch(path, 0, bytes)).status).toBe(204)
  await registrar.runQuery(SUBMIT_UPLOAD, { id: uploadId })
  const state = async () => (await registrar.runQuery(READ_UPLOAD_STATE, { id: uploadId })).upload.state
  // A file that is expensive to read takes a quarter of a minute of processor time, of which a busy machine gives it little.
  await expect.poll(state, { timeout: 150_000 }).toBe(upload.patientId ? 'in_review' : 'unassigned')
  return { uploadId, transfer: path.split('/').at(-1)! }
}

/** Chooses documents on a patient's page, in the first file input. */
export const chooseFiles = (page: Page, documents: readonly Document[]) =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles(documents.map(({ path }) => path))

export const SEND_LABEL = 'Încarcă și trimite la verificare'

/** Chooses documents on a patient's page and sends them as a new upload. */
export async function sendFiles(page: Page, documents: readonly Document[], title: string): Promise<void> {
  await chooseFiles(page, documents)
  await page.getByLabel('Titlu').fill(title)
  await page.getByRole('button', { name: SEND_LABEL }).click()
}

/** The message after a submission. */
export const submittedMessage = (page: Page) => page.getByText('Trimis la verificare')

/** Makes a released result of one file for the institution of the user `email`; `folder` is where the file is made. */
export async function releaseReport(
  product: Product,
  registrar: TestClient,
  reviewer: TestClient,
  folder: string,
  email: string = INSTITUTION,
) {
  const patient = await makeReferredPatient(product, email)
  const report = await makeReport(folder, 'Raport.pdf', patient.name, 1)
  const { uploadId } = await uploadDocument(registrar, patient, 'Ecografie', report)
  const read = 'query ($id: ID!) { upload(id: $id) { version files { id } } }'
  const { version, files } = (await reviewer.runQuery(read, { id: uploadId })).upload
  await reviewer.runQuery(ACCEPT_UPLOAD, { id: uploadId, version })
  return { uploadId, fileId: files[0].id as string, patient }
}
