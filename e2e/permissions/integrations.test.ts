import { expectAccessible, expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN } from '../harness/accounts.ts'
import { expect, type Page, test } from '../harness/test.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

test('an administrator makes a key for a program, sees what it sends, and revokes it', async ({
  open,
  product,
}) => {
  const page = await open(ADMIN, { reducedMotion: 'reduce' })
  await page.goto('/admin?tab=integrari')
  await button(page, 'Integrare nouă').click()
  const form = dialog(page, 'Integrare nouă')
  await form.getByRole('textbox', { name: 'Nume' }).fill('Sistemul laboratorului')
  await form.getByText('Program', { exact: true }).click()
  const addresses = form.getByRole('textbox', { name: 'Adrese permise' })
  await addresses.fill('laborator')
  await button(page, 'Creează').click()
  await expect(
    form.getByText('„laborator” nu este o adresă IP și nici o rețea (ca 10.0.0.0/8).'),
  ).toBeVisible()
  await addresses.fill('127.0.0.1\n::1')
  await form.getByRole('combobox', { name: 'Instituția' }).fill('zorile')
  const institution = page.getByRole('option').filter({ hasText: 'Zorile Noi' }).first()
  await expect(institution).toBeVisible()
  await institution.click()
  await button(page, 'Creează').click()

  const key = dialog(page, 'Cheia integrării „Sistemul laboratorului”')
  await expect(key.getByText(/^di_/)).toBeVisible()
  await expect(key.getByText(`curl ${new URL(page.url()).origin}/api/intake`)).toBeVisible()
  await expectAccessibleInBothModes(page)
  const secret = await key.getByText(/^di_/).textContent()
  await button(page, 'Am păstrat cheia').click()
  await expect(page.getByText(/^di_/)).toBeHidden()

  const row = page.getByRole('row', { name: /Sistemul laboratorului/ })
  await expect(row).toContainText('Program')
  await expect(row).toContainText('Zorile Noi')
  await expect(row).toContainText('niciodată')

  const body = new FormData()
  body.append('file', new File(['Hemoleucogramă: valori normale.'], 'buletin.txt'))
  const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': 'buletin-1' }
  const answer = await fetch(`${product.url}/api/intake`, { method: 'POST', headers, body })
  expect(answer.status).toBe(201)
  await page.goto('/bulk')
  await page.getByRole('link', { name: /^Sistemul laboratorului, / }).click()
  await expect(page.getByRole('heading', { name: /^Sistemul laboratorului, / })).toBeVisible()
  await expect(page.getByText('trimis de o integrare')).toBeVisible()
  await expect(page.getByRole('row', { name: /buletin\.txt/ })).toBeVisible()
  // Files of people do not belong in it.
  await expect(page.getByText('Trage aici')).toHaveCount(0)

  await page.goto('/admin?tab=integrari')
  await expect(row).not.toContainText('niciodată')
  await row.getByRole('button', { name: /^Editează/ }).click()
  const sheet = dialog(page, 'Editează: Sistemul laboratorului')
  await expect(sheet.getByRole('textbox', { name: 'Adrese permise' })).toHaveValue('127.0.0.1\n::1')
  await sheet.getByRole('switch', { name: 'Trimite direct la verificare' }).press('Space')
  await button(page, 'Salvează').click()
  await expect(row).toContainText('Direct la verificare')

  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
  await row.getByRole('button', { name: /^Revocă/ }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revocă' }).click()
  await expect(row).toContainText('Revocată')
  await expect(row.getByRole('button')).toHaveCount(0)
})
