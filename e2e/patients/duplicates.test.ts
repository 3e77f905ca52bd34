import { makePatient } from '../../db/factories.ts'
import { REGISTRAR } from '../harness/accounts.ts'
import { expect, type Page, test } from '../harness/test.ts'

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const sheet = (page: Page) => page.getByRole('dialog')
const DISTINCT = 'Nu e aceeași persoană'

test('a likely duplicate is named while the patient is typed, and the answer is remembered', async ({
  open,
  product,
}) => {
  const known = await makePatient(product.db, {
    surname: 'Văduva Dublurescu',
    given_names: 'Maria',
    birth_date: '1989-03-08',
    phone: '+40735555649',
    cnp: null,
    locality: 'Brașov',
  })
  const page = await open(REGISTRAR, { viewport: { width: 360, height: 740 } })
  await page.goto('/patients')
  await page.getByRole('button', { name: 'Adaugă pacient' }).click()
  await box(page, 'Nume').fill('Vaduva-Dublurescu')
  await box(page, 'Prenume').fill('Maria')
  await box(page, 'Data nașterii').fill('08.03.1989')
  await page.keyboard.press('Tab')

  const notice = sheet(page).getByRole('status').filter({ hasText: 'Poate există deja' })
  await expect(notice).toContainText('Văduva Dublurescu Maria')
  await expect(notice).toContainText('08.03.1989')
  await expect(notice).toContainText('Brașov')
  await expect(notice).toContainText(`nr. ${known.number}`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await notice.getByRole('button', { name: DISTINCT }).press('Enter')
  await expect(notice).toHaveCount(0)
  await box(page, 'Nume').press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Vaduva-Dublurescu Maria' })).toBeVisible()
  await expect(page.getByText('Poate fi aceeași persoană')).toHaveCount(0)

  // Nobody has answered for this pair.
  const third = await makePatient(product.db, {
    surname: 'Dublurescu',
    given_names: 'Maria Văduva',
    birth_date: '1989-03-08',
    cnp: null,
  })
  await page.reload()
  const question = page.getByText(`Poate fi aceeași persoană cu ${third.surname} ${third.given_names}`)
  await expect(question).toBeVisible()
  await page.getByRole('button', { name: DISTINCT }).press('Enter')
  await expect(question).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Poate fi aceeași persoană')).toHaveCount(0)
})

test('a possible duplicate opens from the form', async ({ open, product }) => {
  const known = await makePatient(product.db, { surname: 'Deschisescu', given_names: 'Ana', cnp: null })
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await page.getByRole('button', { name: 'Adaugă pacient' }).click()
  await box(page, 'Nume').fill('Ana')
  await box(page, 'Prenume').fill('Deschisescu')
  await sheet(page).getByRole('button', { name: 'Deschide pacientul' }).click()
  await expect(page).toHaveURL(`/patients/${known.id}`)
})
