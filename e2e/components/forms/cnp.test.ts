import { expect, test } from '../../harness/catalogue.ts'

const KNOWN = '1630615123457'
const WRONG = '1630615123458'
/** The CNP of no patient, with the same birth date. */
const UNKNOWN = '1630615123465'

test('a wrong check digit is reported at once, any other error once the field is left [3.10] [5.3]', async ({
  openStory,
}) => {
  const page = await openStory('forms/cnp', { state: 'completează data nașterii și sexul' })
  const cnp = page.getByLabel('CNP')
  await page.keyboard.press('Tab')
  await expect(cnp).toBeFocused()
  await expect(cnp).toHaveAttribute('inputmode', 'numeric')
  await page.keyboard.type(WRONG.slice(0, 12))
  await expect(cnp).not.toHaveAttribute('aria-invalid')
  await page.keyboard.type(WRONG.slice(12))
  await expect(cnp).toHaveAccessibleDescription(/cifra de control nu se potrivește/)
  await page.keyboard.press('Backspace')
  await expect(cnp).not.toHaveAttribute('aria-invalid')
  await page.keyboard.press('Tab')
  await expect(cnp).toHaveAccessibleDescription(/CNP-ul are 13 cifre, nu 12\./)
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByText('Trimis: 0')).toBeVisible()
  await expect(cnp).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type('7')
  await expect(cnp).not.toHaveAttribute('aria-invalid')
  await page.keyboard.type('9')
  await expect(cnp).toHaveValue(KNOWN)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()
})

test('a complete CNP fills in birth date and sex; its values replace others, and missing values leave the fields [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/cnp', { state: 'completează data nașterii și sexul' })
  const cnp = page.getByLabel('CNP')
  const birthDate = page.getByRole('textbox', { name: 'Data nașterii' })
  const sex = (name: string) => page.getByRole('radio', { name })
  await birthDate.fill('01.01.1999')
  await page.getByText('Feminin').click()
  await cnp.click()
  await page.keyboard.type(KNOWN.slice(0, 12))
  await expect(birthDate).toHaveValue('01.01.1999')
  await page.keyboard.type(KNOWN.slice(12))
  await expect(birthDate).toHaveValue('15.06.1963')
  await expect(sex('Masculin')).toBeChecked()
  await expect(page.getByTestId('values')).toContainText('"birthDate": "1963-06-15"')
  await expect(page.getByTestId('values')).toContainText('"sex": "male"')
  // A foreigner's CNP has the sex but not the century; the birth date of the previous CNP is removed.
  await cnp.fill('8000229400129')
  await expect(sex('Feminin')).toBeChecked()
  await expect(birthDate).toHaveValue('01.01.1999')
})

test('the patient with the CNP is shown under the field, requested once, and removed with the CNP [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/cnp', { state: 'caută pacientul' })
  const cnp = page.getByLabel('CNP')
  const known = page.getByRole('alert')
  await cnp.click()
  await page.keyboard.type(KNOWN)
  await expect(known).toContainText('Ion Popescu')
  await page.keyboard.type('0')
  await page.keyboard.press('Tab')
  await expect(page.getByTestId('searched')).toHaveText(KNOWN)
  await expect(page.getByTestId('found')).toHaveText('Ion Popescu')
  await cnp.click()
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  await expect(known).toBeHidden()
  await expect(page.getByTestId('found')).toHaveText('Ion Popescu nimeni')
})

test('a response for a CNP that was changed since is dropped [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/cnp', { state: 'răspunsul vine târziu' })
  const cnp = page.getByLabel('CNP', { exact: true })
  const response = (place: number) => page.getByRole('button', { name: `Răspunde la ${place}` }).click()
  await cnp.fill(KNOWN)
  await expect(page.getByTestId('searched')).toHaveText(KNOWN)
  await cnp.fill(WRONG)
  await cnp.fill(UNKNOWN)
  await expect(page.getByTestId('searched')).toHaveText(`${KNOWN} ${UNKNOWN}`)
  await response(1)
  await response(2)
  await expect(page.getByTestId('found')).toHaveText('nimeni')
  await expect(page.getByRole('alert')).toBeHidden()
})
