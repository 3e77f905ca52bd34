import { makeUpload } from '../../db/factories.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN, INSTITUTION } from '../harness/accounts.ts'
import { expect, type Page, test } from '../harness/test.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

test('a file is removed from an upload with a reason, and restored for a new verdict [3.2]', async ({
  open,
  product,
}) => {
  const storage = await openDiskStorage(`${product.dataDir}/files`)
  const { id } = await makeUpload(product.db, storage, {
    files: ['Primul', 'Al doilea'].map((name) => ({
      bytes: Buffer.from(name),
      name: `${name}.txt`,
      type: 'text/plain',
      kind: 'other',
    })),
  })
  const page = await open(ADMIN, { reducedMotion: 'reduce' })
  await page.goto(`/uploads/${id}`)
  await button(page, 'Elimină Primul.txt').click()
  const dialog = page.getByRole('dialog', { name: 'Elimină fișierul' })
  await dialog.getByRole('button', { name: 'Elimină' }).click()
  await expect(dialog.getByText('Motivul este necesar.')).toBeVisible()
  await expectAccessibleInBothModes(page)
  await dialog.getByRole('textbox', { name: 'Motivul' }).fill('Este al altui pacient')
  await page.keyboard.press('Enter')
  const removed = page.getByRole('region', { name: 'Fișiere eliminate' })
  await expect(removed).toContainText('Este al altui pacient')
  await expect(button(page, 'Elimină Al doilea.txt')).toBeVisible()
  // The user's own action is not reported.
  await expect(page.getByText('Încărcarea s-a schimbat')).toHaveCount(0)

  await button(page, 'Elimină Al doilea.txt').click()
  await dialog.getByRole('textbox', { name: 'Motivul' }).fill('Dublură')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Niciun fișier', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Acceptă/ })).toBeDisabled()
  await button(page, 'Repune: Primul.txt').click()
  await expect(button(page, 'Elimină Primul.txt')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Acceptă/ })).toBeEnabled()
  await expectAccessibleInBothModes(page)
})

test('an institution corrects its own contact data, on a phone too [3.2]', async ({ open, product }) => {
  const page = await open(INSTITUTION, {
    viewport: { width: 360, height: 740 },
    reducedMotion: 'reduce',
  })
  await page.goto('/institution?tab=profil')
  await expect(page.getByRole('tab', { name: 'Profil' })).toBeInViewport({ ratio: 0.9 })
  await page
    .getByRole('button', { name: /^Editează/ })
    .first()
    .click()
  const sheet = page.getByRole('dialog', { name: 'Datele instituției' })
  await sheet.getByRole('textbox', { name: 'Telefon' }).fill('0264 999 111')
  await expectAccessibleInBothModes(page)
  await sheet.getByRole('button', { name: 'Salvează' }).click()
  await expect(page.getByText('Datele instituției au fost salvate.')).toBeVisible()
  await expect(page.getByRole('link', { name: '0264 999 111' })).toBeVisible()
  const saved = await product.db
    .selectFrom('institution')
    .select('name')
    .where('phone', '=', '+40264999111')
    .execute()
  expect(saved).toHaveLength(1)
  await expectAccessibleInBothModes(page)
})

test('an administrator reads the state of the server, and that a proxy is not trusted', async ({
  open,
  product,
}) => {
  await fetch(`${product.url}/healthz`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  const page = await open(ADMIN, { viewport: { width: 360, height: 740 } })
  await page.goto('/admin?tab=sistem')
  await expect(page.getByRole('tab', { name: 'Sistem' })).toBeInViewport({ ratio: 0.9 })
  await expect(page.getByText('Liber pe disc')).toBeVisible()
  await expect(page.getByText('Arhivarea este oprită')).toBeVisible()
  const warning = page.getByText('Serverul nu ține seama de proxy-ul din fața lui')
  await expect(warning).toBeVisible()
  await expect(page.getByText('TRUST_PROXY=true', { exact: true })).toBeVisible()
  await expectAccessibleInBothModes(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})
