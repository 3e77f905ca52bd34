import { expect, test } from '../../harness/catalogue.ts'

test('a CUI is typed with or without RO, and its value is the digits [3.10] [5.3]', async ({ openStory }) => {
  const page = await openStory('forms/cui', { state: 'gol' })
  const cui = page.getByLabel('CUI')
  const values = page.getByTestId('values')
  await page.keyboard.press('Tab')
  await expect(cui).toBeFocused()
  await page.keyboard.type('ro 1854.7291')
  await expect(cui).toHaveValue('RO18547291')
  await expect(cui).not.toHaveAttribute('aria-invalid')
  await page.keyboard.press('Tab')
  await expect(cui).toHaveAccessibleDescription(/^Cu sau fără RO\. CUI-ul nu este corect: cifra de control/)
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByText('Trimis: 0')).toBeVisible()
  await cui.click()
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('0')
  await expect(cui).toHaveAccessibleDescription('Cu sau fără RO.')
  await expect(values).toContainText('"cui": "18547290"')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()
  await cui.fill('')
  await page.keyboard.press('Tab')
  await expect(page.getByText('CUI este necesar.')).toBeVisible()
})

test('a digit typed into a full CUI changes nothing [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/cui', { state: 'gol' })
  const cui = page.getByLabel('CUI')
  for (const full of ['1234567897', 'RO1234567897']) {
    await cui.fill(full)
    await cui.evaluate((input: HTMLInputElement) => input.setSelectionRange(4, 4))
    await page.keyboard.press('9')
    await expect(cui).toHaveValue(full)
  }
})
