import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeHugeImage, makeMixedPages, makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { expect, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-preview-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const LEFT_OUT = 'O imagine din document este prea mare ca să fie afișată aici'

test('a PDF with an image of 60,000 × 60,000 pixels is shown without it, and the preview says so', async ({
  open,
  client,
  product,
}) => {
  test.slow()
  const registrar = await client(REGISTRAR)
  const patient = await makeReferredPatient(product, INSTITUTION)
  const huge = await makeHugeImage(folder, 'Imagine.pdf')
  const { uploadId } = await uploadDocument(registrar, patient, 'Radiografie', huge)
  const plain = await makeReport(folder, 'Raport.pdf', patient.name, 1)
  const other = await uploadDocument(registrar, patient, 'Raport', plain)

  const page = await open(REVIEWER)
  await page.goto(`/uploads/${uploadId}`)
  await expect(page.getByText(LEFT_OUT)).toBeVisible({ timeout: 20_000 })
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
  await page.goto(`/uploads/${other.uploadId}`)
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
  await expect(page.getByText(LEFT_OUT)).toHaveCount(0)
})

/** Returns the number of the page whose top is at the top of the visible part of the document. */
const pageAtTop = (page: Page): Promise<number> =>
  page.getByRole('region', { name: 'Paginile documentului' }).evaluate((box) => {
    const tops = [...box.querySelectorAll<HTMLElement>('[data-page]')].map((sheet) => ({
      number: Number(sheet.dataset.page),
      distance: Math.abs(sheet.getBoundingClientRect().top - box.getBoundingClientRect().top),
    }))
    return tops.reduce((nearest, each) => (each.distance < nearest.distance ? each : nearest)).number
  })

test('in a PDF of portrait and landscape pages each press turns one page, the counter is right, Home and End work', async ({
  open,
  client,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const mixed = await makeMixedPages(folder, 'Registru.pdf', 60)
  const { uploadId } = await uploadDocument(await client(REGISTRAR), patient, 'Registru', mixed)
  const page = await open(REVIEWER)
  await page.goto(`/uploads/${uploadId}`)
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
  const counter = page.getByRole('toolbar', { name: 'Document' })

  const isOn = async (number: number) => {
    await expect(counter).toContainText(`Pagina ${number} din 60`)
    await expect(page.locator(`[data-page="${number}"] canvas`)).toBeVisible()
    await expect.poll(() => pageAtTop(page)).toBe(number)
    await expect(counter).toContainText(`Pagina ${number} din 60`)
  }
  const press = async (key: string, times: number) => {
    for (let count = 0; count < times; count += 1) await page.keyboard.press(key)
  }
  await press('ArrowRight', 10)
  await isOn(11)
  await press('ArrowRight', 25)
  await isOn(36)
  await press('ArrowLeft', 10)
  await isOn(26)
  await press('Home', 1)
  await isOn(1)
  await press('End', 1)
  await expect(counter).toContainText('Pagina 60 din 60')
  await expect(page.locator('[data-page="60"]')).toBeInViewport()
  await press('ArrowLeft', 5)
  await isOn(55)
  await press('Home', 1)
  // Turning pages continues from the scroll position.
  await page.locator('[data-page="2"]').hover()
  await page.mouse.wheel(0, 3_000)
  await expect(counter).not.toContainText('Pagina 1 din')
  const reached = Number(/Pagina (\d+)/.exec((await counter.textContent()) ?? '')?.[1])
  await press('ArrowRight', 3)
  await isOn(reached + 3)
})
