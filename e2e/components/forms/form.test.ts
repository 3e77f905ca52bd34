import { expect, test } from '../../harness/catalogue.ts'

test('a field that goes away takes its refusal along, and comes back as the form began', async ({
  openStory,
}) => {
  const page = await openStory('forms/form', { state: 'câmp care apare' })
  const values = async () => JSON.parse((await page.getByTestId('values').textContent()) ?? '')
  const company = page.getByLabel('Denumirea firmei')
  await page.getByLabel('Este firmă').focus()
  await page.keyboard.press('Space')
  await company.fill('Analize SRL')
  await expect.poll(values).toEqual({ isCompany: true, company: 'Analize SRL' })
  await company.fill('')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Pare rău, unele câmpuri nu sunt corect completate.')

  await page.getByLabel('Este firmă').focus()
  await page.keyboard.press('Space')
  await expect(company).toBeHidden()
  await expect.poll(values).toEqual({ isCompany: false, company: 'fără nume' })
  await expect(page.getByRole('alert')).toBeHidden()
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByText('Trimis: 1')).toBeVisible()

  await page.getByLabel('Este firmă').focus()
  await page.keyboard.press('Space')
  await expect(company).toHaveValue('fără nume')
  await expect.poll(values).toEqual({ isCompany: true, company: 'fără nume' })
})

test('a field that React threw away or replaced leaves nothing in the form', async ({ openStory }) => {
  const page = await openStory('forms/form', { state: 'câmp lângă ce se încarcă' })
  const name = page.getByLabel('Nume')
  await expect(page.getByText('Se încarcă…')).toBeVisible()
  await page.getByRole('button', { name: 'Încarcă' }).click()
  await expect(page.getByText('S-a încărcat.')).toBeVisible()
  await expect(name).toHaveValue('Popescu')

  await name.fill('')
  await name.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Pare rău, unele câmpuri nu sunt corect completate.')
  await name.fill('Ionescu')
  await expect(page.getByRole('alert')).toBeHidden()
  await name.press('Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()

  await page.getByRole('button', { name: 'Înlocuiește câmpul' }).click()
  await expect(name).toHaveValue('Ionescu')
  await expect(page.getByTestId('values')).toContainText('"surname": "Ionescu"')
  await name.fill('Marin')
  await name.press('Enter')
  await expect(page.getByText('Trimis: 2')).toBeVisible()
  await expect(page.getByTestId('values')).toContainText('"surname": "Marin"')
})
