import { expect, test } from '../../harness/catalogue.ts'

test('a field shows its error once it has lost the focus, in Romanian and in the theme genesis [1.6] [5.3] [5.5]', async ({
  openStory,
}) => {
  const page = await openStory('forms/text', { state: 'un rând' })
  const name = page.getByLabel('Nume')
  await name.pressSequentially('P')
  await expect(page.getByText('Nume trebuie să aibă')).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(page.getByText('Nume trebuie să aibă între 2 și 20 de caractere.')).toBeVisible()
  const theme = () => getComputedStyle(document.documentElement).getPropertyValue('--formkit-theme')
  expect(await page.evaluate(theme)).toBe('genesis')
  await expect(page.locator('.formkit-outer .formkit-inner .formkit-input').first()).toBeVisible()
})

test('the caret stays in the middle while typing there', async ({ openStory }) => {
  const page = await openStory('forms/text', { state: 'un rând' })
  const name = page.getByLabel('Nume')
  await name.pressSequentially('Ppescu')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('oo')
  await expect(name).toHaveValue('Poopescu')
})

test('an invalid form shows a message and moves the focus to the first invalid field [5.4]', async ({
  openStory,
}) => {
  const page = await openStory('forms/text', { state: 'un rând' })
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByRole('alert')).toContainText('Pare rău, unele câmpuri nu sunt corect completate.')
  await expect(page.getByLabel('Nume')).toBeFocused()
  await expect(page.getByText('Trimis: 0')).toBeVisible()
  await page.keyboard.type('Popescu')
  await expect(page.getByRole('alert')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()
})
