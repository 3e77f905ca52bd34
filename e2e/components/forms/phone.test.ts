import { expect, test } from '../../harness/catalogue.ts'

test('a phone number is typed in any format, and grouped once the field is left; its value is E.164 [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/phone', { state: 'gol' })
  const phone = page.getByLabel('Telefon')
  const values = page.getByTestId('values')
  await page.keyboard.press('Tab')
  await expect(phone).toBeFocused()
  await expect(phone).toHaveAttribute('type', 'tel')
  for (const [typed, shown, e164] of [
    ['0722.123-456', '0722 123 456', '+40722123456'],
    ['(021)1234567', '021 123 4567', '+40211234567'],
    ['0040 264 123456', '0264 123 456', '+40264123456'],
    ['+373 22 123 456', '+37322123456', '+37322123456'],
  ] as const) {
    await phone.focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type(typed)
    await expect(phone).toHaveValue(typed)
    await page.keyboard.press('Tab')
    await expect(phone).toHaveValue(shown)
    await expect(values).toContainText(`"phone": "${e164}"`)
  }
  await phone.fill('')
  await expect(values).toContainText('"phone": ""')
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByText('Telefon este necesar.')).toBeVisible()
})

test('an invalid phone number stays as typed, shows the reason once it is left, and blocks the form [3.10] [5.3]', async ({
  openStory,
}) => {
  const page = await openStory('forms/phone', { state: 'gol' })
  const phone = page.getByLabel('Telefon')
  await phone.click()
  await page.keyboard.type('0722 12')
  await expect(phone).not.toHaveAttribute('aria-invalid')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Numărul de telefon nu are numărul corect de cifre.')).toBeVisible()
  await expect(page.getByText('Trimis: 0')).toBeVisible()
  await expect(phone).toHaveValue('0722 12')
  await page.keyboard.type('3456')
  await expect(phone).not.toHaveAttribute('aria-invalid')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()
})

test('the initial value is shown in the Romanian format [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/phone', { state: 'completat' })
  await expect(page.getByLabel('Mobil')).toHaveValue('0722 123 456')
  await expect(page.getByLabel('Fix')).toHaveValue('021 123 4567')
  await expect(page.getByLabel('Din străinătate')).toHaveValue('+37322123456')
  await expect(page.getByLabel('Dezactivat')).toBeDisabled()
})
