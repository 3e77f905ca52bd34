import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { READ_UPLOAD_STATE } from '../../test/documents.ts'
import { DEMO_PASSWORD, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { acceptByKey } from '../harness/review.ts'
import { expect, type Locator, type Page, test } from '../harness/test.ts'

const MAX_TABS = 60

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-files-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

// Reads the page directly: while a list is open, elements under it are hidden from roles.
const isFocused = async (target: Locator) => (await target.and(target.page().locator(':focus')).count()) > 0

/** Whether the focused element or its container shows the focus. */
const showsFocus = (page: Page) =>
  page.evaluate(() => {
    let element = document.activeElement
    for (let level = 0; element && level < 5; level += 1, element = element.parentElement) {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      if ((outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none') return true
    }
    return false
  })

/** Presses Tab until the element has the focus; fails where it cannot be reached or the focus cannot be seen. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < MAX_TABS && !(await isFocused(target)); presses += 1)
    await page.keyboard.press(key)
  await expect(target).toBeFocused()
  expect(await showsFocus(page), `a visible focus on ${target}`).toBe(true)
}

test('sign in, find a patient, open them and go back, without a mouse [2.20]', async ({ open, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const page = await open(null)
  await page.goto('/patients')
  await expect(page.getByLabel('E-mail')).toBeFocused()
  await page.keyboard.type(REGISTRAR)
  await page.keyboard.press('Tab')
  await page.keyboard.type(DEMO_PASSWORD)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(patient.name.toLowerCase().replace('ă', 'a'))
  await expect(page.getByRole('table', { name: 'Pacienți găsiți' }).getByRole('link')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: patient.name })).toBeFocused()
  expect(await showsFocus(page)).toBe(true)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: patient.name })).toBeVisible()
  const choose = page.getByRole('button', { name: 'Alege fișiere' })
  await tabTo(page, choose)
  await tabTo(
    page,
    page.getByRole('navigation', { name: 'Unde vă aflați' }).getByRole('link', { name: 'Pacienți' }),
    'Shift+Tab',
  )
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Pacienți' })).toBeVisible()
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('the first Tab of a page leads past the navigation to its content', async ({ open }) => {
  const page = await open(REVIEWER)
  await page.goto('/institutions')
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Sari la conținut' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('a review by keyboard alone: open, read, open the rejection with one key, accept', async ({
  open,
  client,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', `${patient.name}, CNP ${patient.cnp}`, 6)
  const registrar = await client(REGISTRAR)
  const { uploadId } = await uploadDocument(registrar, patient, 'Radiografie toracică', report)

  const page = await open(REVIEWER)
  await page.goto('/uploads')
  const row = page.getByRole('row').filter({ hasText: patient.name }).getByRole('link')
  await tabTo(page, page.getByRole('table').getByRole('link').first())
  for (let rows = 0; rows < 100 && !(await isFocused(row)); rows += 1) await page.keyboard.press('ArrowDown')
  await expect(row).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Radiografie toracică' })).toBeVisible()
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()

  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[data-page="2"]')).toBeInViewport({ ratio: 0.3 })
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByText('Acceptă încărcarea')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.keyboard.press('r')
  await expect(page.getByRole('dialog')).toBeVisible()
  // A letter in the dialog is not a verdict.
  await page.keyboard.press('a')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect((await registrar.runQuery(READ_UPLOAD_STATE, { id: uploadId })).upload.state).toBe('in_review')

  await acceptByKey(page)
  await expect(page.getByText(new RegExp(`acceptată: ${patient.name}`))).toBeVisible()
  expect((await registrar.runQuery(READ_UPLOAD_STATE, { id: uploadId })).upload.state).toBe('released')
  // The next upload is open already.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(page.url()).not.toContain(uploadId)
})
