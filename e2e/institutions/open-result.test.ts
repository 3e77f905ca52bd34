import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectAccessible } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { releaseReport } from '../harness/new-upload.ts'
import { expect, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-result-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const resultNamed = (page: Page, name: string) => page.getByRole('dialog', { name })
const firstPage = (page: Page) => page.locator('[data-page="1"]')

test('an open result that is withdrawn turns at once, stays as a struck row, and its acknowledgement reaches the reviewer', async ({
  open,
  client,
  product,
}) => {
  test.setTimeout(120_000)
  const { uploadId, patient } = await releaseReport(
    product,
    await client(REGISTRAR),
    await client(REVIEWER),
    folder,
  )
  const page = await open(INSTITUTION)
  await page.goto(`/institution?upload=${uploadId}`)
  await expect(resultNamed(page, patient.name).locator('[data-page="1"] canvas')).toBeVisible()

  const reviewer = await open(REVIEWER)
  await reviewer.goto(`/uploads/${uploadId}`)
  await reviewer.getByRole('button', { name: 'Retrage încărcarea' }).click()
  const confirmation = reviewer.getByRole('alertdialog')
  await expect(confirmation).toContainText('a deschis rezultatul')
  await confirmation.getByRole('button', { name: 'Retrage' }).click()
  await expect(reviewer.getByText('1 instituție nu a luat încă la cunoștință')).toBeVisible()

  const dialog = resultNamed(page, 'Nu mai este valabil')
  await expect(dialog.getByRole('alert')).toContainText(
    /Retras la \d\d\.\d\d\.\d{4}, \d\d:\d\d\. Nu îl folosiți; dacă l-ați tipărit, distrugeți-l\./,
  )
  await expect(dialog.getByRole('alert')).toContainText(`${patient.name} · Ecografie`)
  await expect(dialog.locator('[data-page], canvas')).toHaveCount(0)
  await expect(dialog.getByRole('link', { name: 'Descarcă' })).toHaveCount(0)
  const list = page.getByRole('navigation', { name: 'Lista rezultatelor' })
  await expect(list.locator('[aria-current]')).toHaveCSS('text-decoration-line', 'line-through')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  const row = page.locator(`[data-recall="${uploadId}"]`)
  await expect(row.locator('del')).toContainText(`${patient.name} · Ecografie`)
  await expect(page.locator(`[data-result="${uploadId}"]`)).toHaveCount(0)
  await expectAccessible(page)
  await row.getByRole('button', { name: 'Am luat la cunoștință' }).click()
  await expect(row).toContainText(/Luat la cunoștință la .*, de /)
  await expect(reviewer.getByText(/a luat la cunoștință la .*, prin /)).toBeVisible()
  await expect(reviewer.getByText('toate instituțiile au luat la cunoștință')).toBeVisible()
  await expectAccessible(reviewer)

  // The address, as from a mail.
  await page.goto(`/institution?upload=${uploadId}`)
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Nu îl folosiți')
})

test('keys lead through the results of the list and back to its row; on a phone two fingers zoom the page', async ({
  open,
  client,
  product,
}) => {
  test.setTimeout(120_000)
  const [registrar, reviewer] = [await client(REGISTRAR), await client(REVIEWER)]
  const older = await releaseReport(product, registrar, reviewer, folder)
  const newer = await releaseReport(product, registrar, reviewer, folder)

  const page = await open(INSTITUTION, { viewport: { width: 1440, height: 900 } })
  await page.addInitScript(() => {
    window.print = () =>
      document.documentElement.setAttribute(
        'data-printed',
        String(document.querySelectorAll('.print-pictures img').length),
      )
  })
  await page.goto('/institution')
  await page.locator(`[data-result="${newer.uploadId}"]`).click()
  await expect(resultNamed(page, newer.patient.name).locator('canvas')).toBeVisible()
  const list = page.getByRole('navigation', { name: 'Lista rezultatelor' })
  await expect(list.locator('[aria-current]')).toContainText(newer.patient.name)
  await page.keyboard.press('j')
  await expect(resultNamed(page, older.patient.name).locator('canvas')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`upload=${older.uploadId}`))
  await expect(list.locator('[aria-current]')).toContainText(older.patient.name)
  await page.keyboard.press('ArrowLeft')
  await expect(resultNamed(page, newer.patient.name).locator('canvas')).toBeVisible()
  await page.getByRole('button', { name: 'Rezultatul următor' }).click()
  await expect(resultNamed(page, older.patient.name).locator('canvas')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Tipărește', exact: true }).press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-printed', '1')
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(page.locator('.print-pictures')).toHaveCount(0)
  const upright = await firstPage(page).boundingBox()
  await page.getByRole('button', { name: 'Rotește' }).press('Enter')
  await expect
    .poll(async () => {
      const { width, height } = (await firstPage(page).boundingBox())!
      return width > height
    })
    .toBe(upright!.width < upright!.height)
  // The keys of the list mark the open result.
  await page.keyboard.press('e')
  await expect(page.getByRole('button', { name: 'Redeschide (U)' })).toBeVisible()
  await page.keyboard.press('u')
  await page.getByRole('button', { name: 'Marchează rezolvat (E)' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Redeschide (U)' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: older.patient.name })).toHaveCount(0)
  const row = page.locator(`[data-result="${older.uploadId}"]`)
  await expect(row).toContainText('rezolvat')
  await expect(row.locator('.row-link')).toBeFocused()

  const phone = await open(INSTITUTION, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  })
  await phone.goto(`/institution?upload=${older.uploadId}`)
  const dialog = resultNamed(phone, older.patient.name)
  await expect(dialog.locator('canvas')).toBeVisible()
  expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 740 })
  await expect(dialog.getByRole('link', { name: 'Descarcă' })).toHaveCount(1)
  await expect(dialog.getByText(/CNP \*+\d{4}/).filter({ visible: true })).toHaveCount(1)
  // The document begins in the first quarter of the screen, below whose it is.
  expect((await firstPage(phone).boundingBox())!.y).toBeLessThan(172)
  await expectAccessible(phone)
  const before = (await firstPage(phone).boundingBox())!.width
  await pinch(phone, 2)
  await expect.poll(async () => (await firstPage(phone).boundingBox())!.width).toBeCloseTo(2 * before, -1)
  expect(await phone.evaluate(() => visualViewport?.scale)).toBe(1)
})

/** Moves two fingers apart in the middle of the screen until their distance is `factor` times that of the beginning. */
async function pinch(page: Page, factor: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', distance: number | null) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        distance === null
          ? []
          : [
              { x: 180 - distance / 2, y: 370, id: 1 },
              { x: 180 + distance / 2, y: 370, id: 2 },
            ],
    })
  await touch('touchStart', 100)
  for (let step = 1; step <= 5; step += 1) await touch('touchMove', 100 * (1 + (step * (factor - 1)) / 5))
  await touch('touchEnd', null)
}
