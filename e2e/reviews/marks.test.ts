import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePdf } from '../../db/demo/pdf.ts'
import { makeCnp, parseCnp } from '../../shared/romania/cnp.ts'
import { formatDate } from '../../shared/romania/romanian.ts'
import { makeScan } from '../../test/inspection/scans.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { sha256 } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { expect, type Locator, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-marks-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

/** Makes a report whose pages have these lines. */
async function makePages(name: string, pages: readonly (readonly string[])[]) {
  const { bytes } = await writePdf({ title: 'Raport', at: new Date() }, (document) => {
    for (const [index, lines] of pages.entries()) {
      if (index > 0) document.addPage()
      document.font('regular').fontSize(12)
      for (const line of lines) document.text(line)
      document.moveDown().text('Structuri osoase fără modificări. '.repeat(40))
    }
  })
  return keep(name, bytes)
}

async function keep(name: string, bytes: Buffer) {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return { path, name, size: bytes.length, sha256: sha256(bytes) }
}

const birthDateOf = (cnp: string): string => {
  const parsed = parseCnp(cnp)
  return parsed.ok && parsed.birthDate ? formatDate(parsed.birthDate) : ''
}

const pageOf = (page: Page, number: number) => page.locator(`[data-page="${number}"]`)

/** Expects the mark to lie around a text of its page. */
async function expectAround(mark: Locator, text: Locator): Promise<void> {
  const [outer, inner] = [(await mark.boundingBox())!, (await text.boundingBox())!]
  const middle = { x: inner.x + inner.width / 2, y: inner.y + inner.height / 2 }
  expect(middle.x).toBeGreaterThan(outer.x)
  expect(middle.x).toBeLessThan(outer.x + outer.width)
  expect(middle.y).toBeGreaterThan(outer.y)
  expect(middle.y).toBeLessThan(outer.y + outer.height)
  expect(outer.height).toBeLessThan(3 * inner.height)
}

test('what was compared is marked in the document, and its page is shown on request', async ({
  open,
  client,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const foreign = makeCnp({ sex: 'male', birthDate: '1962-02-03', county: 40, serial: 71 })
  const report = await makePages('Raport.pdf', [
    [patient.name, `Data nașterii: ${birthDateOf(patient.cnp)}`, `CNP: ${patient.cnp}`],
    ['Concluzii'],
    ['Anexă', `CNP: ${foreign}`],
  ])
  const { uploadId } = await uploadDocument(await client(REGISTRAR), patient, 'Radiografie', report)
  const page = await open(REVIEWER)
  await page.goto(`/uploads/${uploadId}`)
  const first = pageOf(page, 1)
  await expect(first.locator('canvas')).toBeVisible()
  await expect(first.locator('[data-mark="agrees"]')).toHaveCount(2)
  await expectAround(first.locator('[data-mark="agrees"]').first(), first.getByText(patient.cnp))
  await expect(first.locator('[data-mark="disagrees"]')).toHaveCount(0)

  const lines = page.getByRole('list', { name: 'În fișiere' })
  await lines.getByRole('button', { name: 'Raport.pdf' }).click()
  const third = pageOf(page, 3)
  await expect(third.getByText(foreign)).toBeInViewport()
  await expect(third.locator('[data-mark="disagrees"]')).toHaveCount(1)
  await expectAround(third.locator('[data-mark="disagrees"]'), third.getByText(foreign))
  await lines.getByRole('button', { name: 'pagina 1' }).first().click()
  await expect(first.getByText(patient.name)).toBeInViewport()

  await page.keyboard.press('+')
  await expectAround(first.locator('[data-mark="agrees"]').first(), first.getByText(patient.cnp))
  await expectAccessible(page)
})

test('a disagreeing file is opened at the page that says so', async ({ open, client, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const foreign = makeCnp({ sex: 'female', birthDate: '1990-12-13', county: 12, serial: 33 })
  const registrar = await client(REGISTRAR)
  const own = await makePages('Al pacientului.pdf', [[`CNP: ${patient.cnp}`]])
  const { uploadId } = await uploadDocument(registrar, patient, 'Radiografie', own, {})
  const other = await makePages('Străin.pdf', [['Pagina întâi'], ['Pagina a doua'], [`CNP: ${foreign}`]])
  const { uploadId: second } = await uploadDocument(registrar, patient, 'Ecografie', other)
  await product.db
    .updateTable('file')
    .set({ upload_id: uploadId, position: 2 })
    .where('upload_id', '=', second)
    .execute()
  const page = await open(REVIEWER)
  await page.goto(`/uploads/${uploadId}`)
  await expect(pageOf(page, 1).locator('canvas')).toBeVisible()
  await page.getByRole('list', { name: 'În fișiere' }).getByRole('button', { name: 'Străin.pdf' }).click()
  await expect(pageOf(page, 3).getByText(foreign)).toBeInViewport()
  await expect(pageOf(page, 3).locator('[data-mark="disagrees"]')).toBeVisible()
})

test('a bar code on a picture is marked', async ({ open, client, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const code = { format: 'QRCode', text: `CNP: ${patient.cnp}` } as const
  const scan = await keep('Scan.jpg', await makeScan([code], { dpi: 200, quality: 90 }))
  const { uploadId } = await uploadDocument(await client(REGISTRAR), patient, 'Radiografie', scan)
  const page = await open(REVIEWER)
  await page.goto(`/uploads/${uploadId}`)
  const picture = page.getByRole('region', { name: 'Imaginea' })
  const mark = picture.locator('[data-mark="agrees"]')
  await expect(mark).toBeVisible()
  const [outer, inner] = [(await picture.getByRole('img').boundingBox())!, (await mark.boundingBox())!]
  expect((inner.x - outer.x) / outer.width).toBeCloseTo(200 / 1654, 1)
  expect(inner.width / inner.height).toBeCloseTo(1, 0)
})
