import { expect, test } from '../../harness/catalogue.ts'

const STATE = 'când se arată mesajele'

test('a field shows its error once it has lost the focus; „live” at once, „dirty” once it was changed [5.3]', async ({
  openStory,
}) => {
  const page = await openStory('forms/form', { state: STATE })
  const rejection = (label: string) => page.getByText(`${label} trebuie să aibă cel puțin 3 caractere.`)

  // Before any input only „live” shows its error.
  await expect(page.getByText('Imediat este necesar.')).toBeVisible()
  await expect(page.locator('.formkit-message')).toHaveCount(1)

  await page.getByLabel('La părăsire').pressSequentially('ab')
  await expect(page.getByTestId('values')).toContainText('"blur": "ab"')
  await expect(rejection('La părăsire')).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Imediat')).toBeFocused()
  await expect(rejection('La părăsire')).toBeVisible()

  await page.keyboard.type('a')
  await expect(rejection('Imediat')).toBeVisible()
  await page.keyboard.type('bc')
  await expect(rejection('Imediat')).toBeHidden()

  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByLabel('La schimbare')).toBeFocused()
  await expect(rejection('La schimbare')).toBeHidden()
  await page.keyboard.type('a')
  await expect(rejection('La schimbare')).toBeVisible()
})

test('a field that was left updates its error at each key [5.3]', async ({ openStory }) => {
  const page = await openStory('forms/form', { state: STATE })
  const field = page.getByLabel('La părăsire')
  const rejection = page.getByText('La părăsire trebuie să aibă cel puțin 3 caractere.')
  await field.fill('ab')
  await page.keyboard.press('Tab')
  await expect(rejection).toBeVisible()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('End')
  await page.keyboard.type('c')
  await expect(rejection).toBeHidden()
  await expect(field).not.toHaveAttribute('aria-invalid')
  await page.keyboard.press('Backspace')
  await expect(rejection).toBeVisible()
})

test('a checkbox shows its error when it is left, like every other field [5.3]', async ({ openStory }) => {
  const page = await openStory('forms/form', { state: STATE })
  const rejection = page.getByText('Te rog acceptă Acordul.')
  await page.getByLabel('Acordul').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Space')
  await expect(page.getByTestId('values')).toContainText('"accepted": false')
  await expect(rejection).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(rejection).toBeVisible()
})

test('an invalid form shows one message and all errors of its fields [5.3] [5.4]', async ({ openStory }) => {
  const page = await openStory('forms/form', { state: STATE })
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Nu s-a salvatPare rău, unele câmpuri nu sunt corect completate.',
  )
  await expect(page.getByText('Te rog acceptă Acordul.')).toBeVisible()
  await expect(page.getByLabel('Imediat')).toBeFocused()
  await expect(page.getByText('Trimis: 0')).toBeVisible()
})
