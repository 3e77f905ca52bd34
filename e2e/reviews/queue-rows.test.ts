import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { expect, type Locator, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-queue-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const TITLE = 'Radiografie toracică, incidență postero-anterioară și de profil, cu descriere completă'

test('the queue has one line a row, counts while others work, and edits an upload beside its document', async ({
  open,
  client,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', `${patient.name}, CNP ${patient.cnp}`, 2)
  const page = await open(REVIEWER, { viewport: { width: 1440, height: 900 } })
  await page.goto('/uploads')

  await test.step('the tab and the menu count what is in review, also after a new upload', async () => {
    const numberIn = async (counted: Locator) => Number(/\d+/.exec((await counted.textContent()) ?? '')?.[0])
    const tab = page.getByRole('tab', { name: 'De verificat' })
    const menu = page.getByRole('link', { name: 'Verificare' }).getByText(/^\d+ de verificat$/)
    const areCurrent = async () => {
      const { count } = await product.db
        .selectFrom('upload')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('state', '=', 'in_review')
        .executeTakeFirstOrThrow()
      return (await numberIn(tab)) === Number(count) && (await numberIn(menu)) === Number(count)
    }
    await expect.poll(areCurrent).toBe(true)
    await uploadDocument(await client(REGISTRAR), patient, TITLE, report)
    await expect.poll(areCurrent, { timeout: 60_000 }).toBe(true)
  })

  const row = page.getByRole('row').filter({ hasText: patient.name })
  await test.step('a row is 40 px high, and its tooltip has what is cut off', async () => {
    await expect(row).toBeVisible()
    expect((await row.boundingBox())!.height).toBe(40)
    await row.getByRole('link').hover()
    await expect(page.getByRole('tooltip')).toContainText(TITLE)
  })

  await test.step('the form covers no part of the document, which stays usable', async () => {
    await row.getByRole('link').click()
    await expect(page.getByText(/^\d+ din \d+$/)).toBeVisible()
    const firstPage = page.locator('[data-page="1"]')
    await expect(firstPage.locator('canvas')).toBeVisible()
    await page.keyboard.press('e')
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByLabel('Titlu')).toHaveValue(TITLE)
    const [document, form] = [(await firstPage.boundingBox())!, (await sheet.boundingBox())!]
    expect(document.x + document.width).toBeLessThanOrEqual(form.x)
    await page.getByRole('button', { name: 'Mărește' }).click()
    await expect.poll(async () => (await firstPage.boundingBox())!.width).toBeGreaterThan(document.width)
    // A key of the review does nothing while the form is open.
    await page.keyboard.press('r')
    await expect(sheet).toHaveCount(1)
    await sheet.getByLabel('Titlu').press('Escape')
    await expect(sheet).toHaveCount(0)
    await page.keyboard.press('r')
    await expect(page.getByRole('dialog').getByText('Alt pacient decât cel ales')).toBeVisible()
  })
})
