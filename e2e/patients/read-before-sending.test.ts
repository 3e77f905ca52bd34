import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePdf, makeZip } from '../../test/hostile-files.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { type Document, makeReport, sha256 } from '../harness/documents.ts'
import { openFlakyProxy } from '../harness/flaky-proxy.ts'
import {
  chooseFiles,
  FILE_ADDRESS,
  makeReferredPatient,
  type ReferredPatient,
  SEND_LABEL,
  submittedMessage,
  uploadDocument,
} from '../harness/new-upload.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-files-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const makePatients = (product: Product, count: number) =>
  Promise.all(Array.from({ length: count }, () => makeReferredPatient(product, INSTITUTION)))

/** Makes a report of this patient, with further lines. */
const reportOf = ({ name, cnp }: ReferredPatient, fileName: string, ...lines: string[]) =>
  makeReport(folder, fileName, [`Nume: ${name}`, `CNP: ${cnp}`, ...lines].join('\n'), 1)

async function keep(name: string, bytes: Uint8Array): Promise<Document> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return { path, name, size: bytes.length, sha256: sha256(bytes) }
}

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).first()
const send = (page: Page) => page.getByRole('button', { name: SEND_LABEL }).click()
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Trimiți totuși?' })

/** The files of the patient's uploads that were not withdrawn, by the state of their upload. */
const filesOf = async ({ db }: Product, { id }: ReferredPatient) => {
  const rows = await db
    .selectFrom('file')
    .innerJoin('upload', 'upload.id', 'file.upload_id')
    .select(['file.name', 'upload.state'])
    .where('patient_id', '=', id)
    .where('upload.state', '!=', 'withdrawn')
    .where('file.removed_at', 'is', null)
    .orderBy('file.name')
    .execute()
  return rows.map(({ name, state }) => `${name} ${state === 'receiving' ? 'draft' : 'submitted'}`)
}

test('a file of another patient is moved there in one click, and the rest is submitted', async ({
  open,
  product,
}) => {
  const [patient, other] = await makePatients(product, 2)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient!.id}`)
  await chooseFiles(page, [await reportOf(patient!, 'al-lui.pdf'), await reportOf(other!, 'strain.pdf')])
  await expect(row(page, 'al-lui.pdf')).toContainText('CNP-ul se potrivește')
  await expect(row(page, 'strain.pdf')).toContainText(`CNP-ul din pagina 1 este al lui ${other!.name}`)
  await row(page, 'strain.pdf').getByRole('button', { name: 'Mută acolo' }).press('Enter')
  await expect(page.getByText(`1 fișier așteaptă la ${other!.name}`)).toBeVisible()
  await expect(row(page, 'strain.pdf')).toHaveCount(0)
  // The next Tab leads to what is left of the list.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Scoate al-lui.pdf' })).toBeFocused()
  expect(await filesOf(product, other!)).toEqual(['strain.pdf draft'])
  await send(page)
  await expect(submittedMessage(page)).toBeVisible()
  expect(await filesOf(product, patient!)).toEqual(['al-lui.pdf submitted'])

  await page.getByRole('button', { name: 'Mergi la pacient' }).click()
  await expect(page.getByRole('heading', { level: 1, name: other!.name })).toBeVisible()
  await page.getByRole('button', { name: 'Continuă', exact: true }).click()
  await expect(row(page, 'strain.pdf')).toContainText('CNP-ul se potrivește')
  await expect(page.getByLabel('Titlu')).toHaveValue('Strain')
  await send(page)
  await expect(submittedMessage(page).first()).toBeVisible()
  await expect.poll(() => filesOf(product, other!)).toEqual(['strain.pdf submitted'])
})

test('a drop of three people is sorted: the files of each are moved together', async ({ open, product }) => {
  const [patient, second, third] = await makePatients(product, 3)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient!.id}`)
  await chooseFiles(page, [
    await reportOf(patient!, 'unu.pdf'),
    await reportOf(second!, 'doi-a.pdf', 'Pagina A'),
    await reportOf(second!, 'doi-b.pdf', 'Pagina B'),
    await reportOf(third!, 'trei.pdf'),
  ])
  await page.getByRole('button', { name: `Mută cele 2 fișiere la ${second!.name}` }).click()
  await expect(page.getByText(`2 fișiere așteaptă la ${second!.name}`)).toBeVisible()
  await row(page, 'trei.pdf').getByRole('button', { name: 'Mută acolo' }).click()
  await expect(page.getByText(`1 fișier așteaptă la ${third!.name}`)).toBeVisible()
  await send(page)
  await expect(submittedMessage(page)).toBeVisible()
  expect(await Promise.all([patient!, second!, third!].map((each) => filesOf(product, each)))).toEqual([
    ['unu.pdf submitted'],
    ['doi-a.pdf draft', 'doi-b.pdf draft'],
    ['trei.pdf draft'],
  ])
})

test('the only file, of another patient, takes its upload there; what is chosen next stays here', async ({
  open,
  product,
}) => {
  const [patient, other] = await makePatients(product, 2)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient!.id}`)
  await chooseFiles(page, [await reportOf(other!, 'strain.pdf')])
  await row(page, 'strain.pdf').getByRole('button', { name: 'Mută acolo' }).click()
  await expect(page.getByText('Trage aici rezultatele pacientului')).toBeVisible()
  await chooseFiles(page, [await reportOf(patient!, 'al-lui.pdf')])
  await page.getByLabel('Titlu').fill('Raport')
  await send(page)
  await expect(submittedMessage(page)).toBeVisible()
  expect(await filesOf(product, patient!)).toEqual(['al-lui.pdf submitted'])
  expect(await filesOf(product, other!)).toEqual(['strain.pdf draft'])
})

test('what the files say fills untouched fields, and no other', async ({ open, product }) => {
  const [patient] = await makePatients(product, 1)
  const lines = ['Data examinării: 05.03.2024', 'Medic trimițător: Dr. Ana Ionescu', 'Nr. examinare: EX-4711']
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient!.id}`)
  const creation = Promise.withResolvers<void>()
  await page.route(/\/files$/, async (route) => {
    await creation.promise
    await route.continue()
  })
  await chooseFiles(page, [await reportOf(patient!, 'Scan 12.pdf', ...lines)])
  await page.getByLabel('Medic trimițător').fill('Dr. Scris De Mână')
  creation.resolve()
  await expect(page.getByLabel('Nr. examinare')).toHaveValue('EX-4711')
  await expect(page.getByLabel('Medic trimițător')).toHaveValue('Dr. Scris De Mână')
  await expect(page.getByText('Propus din fișiere')).toHaveCount(2)
  await page.getByLabel('Titlu').fill('Raport')
  await page.getByLabel('Nr. examinare').fill('')
  await send(page)
  await expect(submittedMessage(page)).toBeVisible()
  const stored = await product.db
    .selectFrom('upload')
    .select(['title', 'referring_doctor', 'accession_number', 'examined_on'])
    .where('patient_id', '=', patient!.id)
    .executeTakeFirstOrThrow()
  expect(stored).toEqual({
    title: 'Raport',
    referring_doctor: 'Dr. Scris De Mână',
    accession_number: null,
    examined_on: '2024-03-05',
  })
})

test('a file that is already filed is kept or skipped', async ({ open, client, product }) => {
  const [patient, other] = await makePatients(product, 2)
  const [mine, theirs] = [await reportOf(patient!, 'al-meu.pdf'), await reportOf(other!, 'al-altuia.pdf')]
  const registrar = await client(REGISTRAR)
  await uploadDocument(registrar, patient!, 'Ecografie veche', mine)
  await uploadDocument(registrar, other!, 'Radiografie veche', theirs)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient!.id}`)
  const later = await reportOf(patient!, 'mai-tarziu.pdf', 'Pagina mea')
  await chooseFiles(page, [mine, theirs, later])
  const form = page.getByRole('list').filter({ has: page.getByText('Același fișier') })
  await expect(form.getByText('Același fișier este deja la acest pacient: Ecografie veche')).toBeVisible()
  await expect(form.getByText(`Același fișier este deja la ${other!.name}: Radiografie veche`)).toBeVisible()
  await uploadDocument(registrar, patient!, 'De pe alt calculator', later)
  await expect(
    form.getByText('Același fișier este deja la acest pacient: De pe alt calculator'),
  ).toBeVisible()
  await form.getByRole('listitem').filter({ hasText: 'mai-tarziu.pdf' }).getByText('Sări peste').click()
  await expect(form.getByText('mai-tarziu.pdf')).toHaveCount(0)
  await form.getByRole('listitem').filter({ hasText: 'al-altuia.pdf' }).getByText('Sări peste').click()
  await expect(form.getByText('al-altuia.pdf')).toHaveCount(0)
  await form.getByRole('button', { name: 'Păstrează' }).click()
  await expect(page.getByText('Același fișier este deja')).toHaveCount(0)
  await page.getByLabel('Titlu').fill('Din nou')
  await send(page)
  await expect(submittedMessage(page)).toBeVisible()
  expect(await filesOf(product, patient!)).toEqual([
    'al-meu.pdf submitted',
    'al-meu.pdf submitted',
    'mai-tarziu.pdf submitted',
  ])
})

test('a file is compared again when the patient is corrected', async ({ open, product }) => {
  const [patient] = await makePatients(product, 1)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient!.id}`)
  const report = `Nume: Popescu Smaranda\nCNP: ${patient!.cnp}`
  await chooseFiles(page, [await makeReport(folder, 'corectat.pdf', report, 1)])
  await expect(row(page, 'corectat.pdf')).toContainText('Nume Popescu Smaranda')
  await page.getByRole('button', { name: 'Editează' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('textbox', { name: 'Nume', exact: true }).fill('Popescu')
  await sheet.getByRole('textbox', { name: 'Prenume' }).fill('Smaranda')
  await sheet.getByRole('button', { name: 'Salvează' }).click()
  await expect(row(page, 'corectat.pdf')).toContainText('CNP și nume se potrivesc')
})

test('a locked document is submitted without a question, a refused or foreign one only after it', async ({
  open,
  product,
}) => {
  const [patient, other] = await makePatients(product, 2)
  const locked = await keep('incuiat.pdf', await makePdf(1, { userPassword: 'x' }, patient!.cnp))
  const program = await keep('program.pdf', Buffer.from('MZ\x90\0 un program'))
  const archive = await keep(
    'arhiva.zip',
    await makeZip({
      'unu.pdf': await makePdf(1, {}, `CNP: ${patient!.cnp}`),
      'doi.pdf': await makePdf(1, {}, `CNP: ${other!.cnp}`),
    }),
  )
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient!.id}`)
  await chooseFiles(page, [locked, program, archive])
  await expect(row(page, 'incuiat.pdf')).toContainText(
    'Nu se poate citi automat (se deschide numai cu parolă); verificatorul îl va compara',
  )
  await expect(row(page, 'program.pdf')).toContainText('Va fi respins la control')
  await expect(row(page, 'arhiva.zip')).toContainText('Conține rezultatele a 2 persoane')
  await page.getByLabel('Titlu').fill('Raport')
  await send(page)
  await expect(question(page)).toContainText('program.pdf')
  await expect(question(page)).toContainText('arhiva.zip')
  await expect(question(page)).not.toContainText('incuiat.pdf')
  await expectAccessibleInBothModes(page)
  await expect(question(page).getByRole('button', { name: 'Mă întorc la fișiere' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Titlu')).toHaveValue('Raport')
  expect(await filesOf(product, patient!)).toHaveLength(3)
  await row(page, 'program.pdf').getByRole('button', { name: 'Scoate', exact: true }).click()
  await row(page, 'arhiva.zip').getByRole('button', { name: 'Scoate arhiva.zip' }).click()
  await expect(row(page, 'arhiva.zip')).toHaveCount(0)
  await send(page)
  await expect(submittedMessage(page)).toBeVisible()
  expect(await filesOf(product, patient!)).toEqual(['incuiat.pdf submitted'])
})

test('a file that was handed in before it was read is asked about before it is submitted', async ({
  open,
  product,
}) => {
  const [patient, other] = await makePatients(product, 2)
  const page = await open(REGISTRAR)
  const arrival = Promise.withResolvers<void>()
  await page.route(FILE_ADDRESS, async (route) => {
    await arrival.promise
    await route.continue()
  })
  await page.goto(`/patients/${patient!.id}`)
  await chooseFiles(page, [await reportOf(other!, 'grabit.pdf')])
  await page.getByLabel('Titlu').fill('Raport')
  await send(page)
  await expect(page.getByRole('heading', { name: 'Se încarcă: Raport' })).toBeVisible()
  arrival.resolve()
  await expect(question(page)).toContainText(`este al lui ${other!.name}`)
  await question(page).getByRole('button', { name: 'Mă întorc la fișiere' }).click()
  await expect(page.getByLabel('Titlu')).toHaveValue('Raport')
  expect(await filesOf(product, patient!)).toEqual(['grabit.pdf draft'])
  await send(page)
  await question(page).getByRole('button', { name: 'Trimite totuși' }).click()
  await expect(submittedMessage(page)).toBeVisible()
  expect(await filesOf(product, patient!)).toEqual(['grabit.pdf submitted'])
})

test('an answer from before the details were saved does not stop the submission', async ({
  open,
  product,
}) => {
  const [patient] = await makePatients(product, 1)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient!.id}`)
  await chooseFiles(page, [await reportOf(patient!, 'raport.pdf')])
  await expect(row(page, 'raport.pdf')).toContainText('CNP-ul se potrivește')
  const [asked, saved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isFirst = true
  await page.route('**/graphql', async (route) => {
    const { operationName } = route.request().postDataJSON()
    const isHeld = operationName === 'FileChecks' && isFirst
    if (isHeld) isFirst = false
    const response = await route.fetch()
    if (isHeld) {
      asked.resolve()
      await saved.promise
    }
    await route.fulfill({ response })
    if (operationName === 'SaveDetails') setTimeout(saved.resolve, 300)
  })
  // The page reads again what the files say, as after any change of the upload.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await asked.promise
  await page.getByLabel('Titlu').fill('Raport')
  await send(page)
  await expect(submittedMessage(page)).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('on a network that is cut nothing is lost, and the rows say so', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/net::ERR_|WebSocket/)
  const [patient] = await makePatients(product, 1)
  const line = await openFlakyProxy(product.port)
  const page = await open(REGISTRAR, { at: line.url })
  await page.goto(`/patients/${patient!.id}`)
  const created = page.waitForResponse(
    (response) => response.request().postDataJSON?.()?.operationName === 'CreateUpload',
  )
  const arrival = Promise.withResolvers<void>()
  await page.route(FILE_ADDRESS, async (route) => {
    await arrival.promise
    await route.continue().catch(() => undefined)
  })
  await chooseFiles(page, [await reportOf(patient!, 'raport.pdf')])
  await created
  await page.getByLabel('Titlu').fill('Raport')
  line.cut()
  arrival.resolve()
  await expect(row(page, 'raport.pdf')).toContainText('Legătura s-a întrerupt, continuă singur')
  line.restore()
  await expect(row(page, 'raport.pdf')).toContainText('CNP-ul se potrivește', { timeout: 60_000 })
  await expect(page.getByLabel('Titlu')).toHaveValue('Raport')
  await send(page)
  await expect(submittedMessage(page)).toBeVisible({ timeout: 60_000 })
  await line.close()
})

test('an upload is continued after a reload, with what its files say', async ({ open, product }) => {
  const [patient, other] = await makePatients(product, 2)
  const page = await open(REGISTRAR)
  page.on('dialog', (dialog) => dialog.accept())
  await page.goto(`/patients/${patient!.id}`)
  await chooseFiles(page, [await reportOf(patient!, 'al-lui.pdf'), await reportOf(other!, 'strain.pdf')])
  await expect(row(page, 'strain.pdf')).toContainText(`este al lui ${other!.name}`)
  await page.reload()
  await page.getByRole('button', { name: 'Continuă', exact: true }).click()
  await expect(row(page, 'strain.pdf')).toContainText(`este al lui ${other!.name}`)
  await expect(page.getByLabel('Titlu')).not.toHaveValue('')
  await row(page, 'strain.pdf').getByRole('button', { name: 'Mută acolo' }).click()
  await expect(page.getByText(`1 fișier așteaptă la ${other!.name}`)).toBeVisible()
  await send(page)
  await expect(submittedMessage(page)).toBeVisible()
  expect(await filesOf(product, patient!)).toEqual(['al-lui.pdf submitted'])
  expect(await filesOf(product, other!)).toEqual(['strain.pdf draft'])
})

test('the form with what the files say is accessible and fits a phone', async ({ open, product }) => {
  const [patient, other] = await makePatients(product, 2)
  const page = await open(REGISTRAR, { viewport: { width: 360, height: 740 } })
  await page.goto(`/patients/${patient!.id}`)
  const long = `${'raport-cu-un-nume-foarte-lung-'.repeat(4)}.pdf`
  await chooseFiles(page, [await reportOf(patient!, long), await reportOf(other!, 'strain.pdf')])
  await expect(row(page, 'strain.pdf')).toContainText(`este al lui ${other!.name}`)
  await expect(row(page, long)).toContainText('CNP-ul se potrivește')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await expectAccessibleInBothModes(page)
})
