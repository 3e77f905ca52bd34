import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readQrCodes, readSlip } from '../../test/inspection/read-slip.ts'
import { sha256 } from '../../test/sha256.ts'
import { expectAccessible, expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { releaseReport } from '../harness/new-upload.ts'
import { expect, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-share-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

/** Sends the released result of the patient's page on a slip, and returns the slip, the PIN and the code. */
async function makeSlip(page: Page) {
  await page.getByRole('button', { name: 'Trimite rezultate' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Ecografie').click()
  // Another recipient gets neither the name nor the address of the patient.
  await sheet.getByText('Medic', { exact: true }).click()
  await expect(sheet.getByLabel('Numele destinatarului')).toHaveValue('')
  await sheet.getByText('Prin e-mail', { exact: true }).click()
  await expect(sheet.getByLabel('E-mailul destinatarului')).toHaveValue('')
  await sheet.getByText('Pacient', { exact: true }).click()
  await expect(sheet.getByLabel('Numele destinatarului')).toHaveCount(0)
  await sheet.getByText('Bilet tipărit').click()
  await sheet.getByText('PIN', { exact: true }).click()
  await sheet.getByLabel('Motivul').fill('cererea pacientului')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Trimite', exact: true }).click()
  const shown = page.getByRole('dialog', { name: 'Rezultate pentru' })
  await expect(shown.locator('code')).toHaveCount(3)
  await expect(shown).toContainText('Dă biletul numai destinatarului.')
  const [, pin, code] = await shown.locator('code').allInnerTexts()
  const download = page.waitForEvent('download')
  await shown.getByRole('button', { name: 'Descarcă biletul' }).click()
  const slip = await readFile(await (await download).path())
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'Gata' }).click()
  return { slip, pin: pin!, code: code! }
}

async function typePin(page: Page, pin: string) {
  await page.getByLabel('Codul PIN').fill(pin)
  await page.getByRole('button', { name: 'Vedeți rezultatele' }).click()
}

test('a patient opens the slip on a phone, proves the PIN, reads and downloads, until staff end it [2.14] [3.2]', async ({
  open,
  client,
  product,
  expectError,
}) => {
  test.setTimeout(240_000)
  const { patient, fileId } = await releaseReport(
    product,
    await client(REGISTRAR),
    await client(REVIEWER),
    folder,
  )
  const staff = await open(ADMIN)
  await staff.goto(`/patients/${patient.id}`)
  const { slip, pin, code } = await makeSlip(staff)
  const printed = await readSlip(slip)
  expect(printed.words).toContain(code)
  for (const part of patient.name.split(' ')) expect(printed.words.join(' ')).not.toContain(part)
  const [address] = await readQrCodes(slip)
  expect(address).toMatch(new RegExp(`^${product.url}/s/[\\w-]{43}$`))

  const page = await open(null, PHONE)
  // On a slow network the page says that it is loading.
  const scripts = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto(address!, { waitUntil: 'commit' })
  const waiting = () => {
    const root = document.getElementById('root')
    const shown = root && getComputedStyle(root, '::before')
    return shown?.visibility === 'visible' ? shown.content : ''
  }
  await expect.poll(() => page.evaluate(waiting)).toContain('Se încarcă')
  scripts.resolve()
  await expect(page.getByLabel('Codul PIN')).toBeFocused()
  await expect(page.getByLabel('Codul PIN')).toHaveCSS('font-size', '18px')
  await expectAccessibleInBothModes(page)
  expect(await page.content()).not.toContain('Ecografie')
  await typePin(page, pin === '000000' ? '000001' : '000000')
  await expect(page.getByRole('alert')).toContainText('Mai aveți 4 încercări.')
  await typePin(page, pin)
  await expect(page.getByRole('heading', { name: 'Ecografie' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await expectAccessibleInBothModes(page)
  await page.getByRole('button', { name: 'Vedeți Raport.pdf' }).click()
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  // Without a network a press says so, and the next one downloads.
  expectError(/ERR_INTERNET_DISCONNECTED/)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Descărcați Raport.pdf' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Nu s-a descărcat/)
  await page.context().setOffline(false)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Descărcați Raport.pdf' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  const bytes = await readFile(await (await download).path())
  const { sha256: stored } = await product.db
    .selectFrom('file')
    .select('sha256')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
  expect(sha256(bytes).equals(stored!)).toBe(true)
  // The texts of the page are at least 18 px.
  const sizes = await page
    .locator('main :is(p, a, button, h2)')
    .evaluateAll((texts) => texts.map((text) => Number.parseFloat(getComputedStyle(text).fontSize)))
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(18)

  // A file that is stopped meanwhile leaves the open page, with its preview.
  const setScan = (scan_result: 'refused' | 'clean') =>
    product.db.updateTable('file').set({ scan_result }).where('id', '=', fileId).execute()
  await setScan('refused')
  await expect(page.locator('[data-page="1"] canvas')).toBeHidden({ timeout: 15_000 })
  await setScan('clean')
  await expect(page.getByRole('link', { name: 'Descărcați Raport.pdf' })).toBeVisible({ timeout: 15_000 })

  // What the recipient did is on the page of the patient, and the share is ended there while the page is open.
  const row = staff.getByRole('listitem').filter({ hasText: 'cererea pacientului' })
  await staff.reload()
  await row.getByRole('button', { name: /^Istoric/ }).click()
  await expect(staff.getByRole('dialog')).toContainText(/descărcat: Raport\.pdf/i)
  await expectAccessible(staff)
  await staff.getByRole('button', { name: 'Închide', exact: true }).last().click()
  await row.getByRole('button', { name: /^Încheie/ }).click()
  await staff.getByRole('dialog').getByLabel('Motivul').fill('greșit')
  await staff.getByRole('dialog').getByRole('button', { name: 'Încheie', exact: true }).click()
  await expect(staff.getByText('Niciun link în vigoare.')).toBeVisible()
  await expect(staff.getByRole('button', { name: 'În vigoare' })).toBeFocused()
  await page.getByRole('link', { name: 'Descărcați Raport.pdf' }).click()
  await expect(page.getByRole('heading', { name: 'Accesul a fost încheiat' })).toBeVisible()
  expect(await page.content()).not.toContain('Ecografie')
  await expectAccessible(page)

  // Five wrong proofs lock another slip, reached by its short code; a stranger does not learn that.
  const second = await makeSlip(staff)
  const stranger = await open(null, PHONE)
  await stranger.goto('/s')
  await stranger.getByLabel('Codul de pe bilet').fill('A'.repeat(10))
  await stranger.keyboard.press('Enter')
  await stranger.getByRole('link', { name: 'Scrieți codul de pe bilet' }).click()
  await stranger.getByLabel('Codul de pe bilet').fill(second.code.toLowerCase().replace(/.{5}/, '$& - '))
  await stranger.keyboard.press('Enter')
  const wrong = second.pin === '000000' ? '000001' : '000000'
  for (const left of [4, 3, 2, 1]) {
    await typePin(stranger, wrong)
    await expect(stranger.getByRole('alert')).toContainText(
      left === 1 ? 'o singură încercare' : `Mai aveți ${left} încercări`,
    )
  }
  await typePin(stranger, wrong)
  await expect(stranger.getByRole('heading', { name: 'Pagina nu se poate deschide' })).toBeVisible()
  await expectAccessible(stranger)
})
