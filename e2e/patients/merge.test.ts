import { makeEmptyUpload, makePatient, makeReferral } from '../../db/factories.ts'
import { newId } from '../../server/platform/ids.ts'
import { REGISTRAR } from '../harness/accounts.ts'
import { expect, test } from '../harness/test.ts'

const SAME = { surname: 'Unificata', given_names: 'Maria', birth_date: '1989-03-08', cnp: null }

test('two patients are merged side by side by keyboard, the old address leads on, and the merge is undone', async ({
  open,
  product,
}) => {
  const { db } = product
  const institution = await db.selectFrom('institution').select('id').limit(1).executeTakeFirstOrThrow()
  const surname = `Unificata${newId().replaceAll(/[^a-f]/g, '')}`
  const one = await makePatient(db, { ...SAME, surname, phone: '+40735555111' })
  const other = await makePatient(db, {
    ...SAME,
    surname,
    given_names: 'Maria Elena',
    email: 'maria@exemplu.test',
  })
  await makeReferral(db, { patient_id: other.id, institution_id: institution.id })
  await makeEmptyUpload(db, {
    patient_id: other.id,
    institution_id: institution.id,
    state: 'released',
    title: 'Ecografie unită',
  })
  const page = await open(REGISTRAR, { viewport: { width: 360, height: 740 } })
  await page.goto(`/patients/${one.id}`)
  await page.getByRole('button', { name: 'Compară și unește' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Unește doi pacienți' })
  await expect(dialog.getByText('1 încărcare')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  const givenNames = dialog.getByRole('radiogroup', { name: 'Prenume' })
  await expect(givenNames.getByRole('radio', { name: 'Maria', exact: true })).toBeChecked()
  await givenNames.getByRole('radio', { name: 'Maria', exact: true }).press('ArrowRight')
  await expect(givenNames.getByRole('radio', { name: 'Maria Elena' })).toBeChecked()
  // A value that only one has is proposed.
  const email = dialog.getByRole('radiogroup', { name: 'E-mail' })
  await expect(email.getByRole('radio', { name: 'maria@exemplu.test' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Unește pacienții' }).press('Enter')

  await expect(page.getByRole('heading', { level: 1, name: `${surname} Maria Elena` })).toBeVisible()
  await expect(page.getByText('Ecografie unită')).toBeVisible()
  await expect(page.getByText(`Unit cu ${surname} Maria Elena, nr. ${other.number}`)).toBeVisible()
  await page.goto(`/patients/${other.id}`)
  await expect(page).toHaveURL(`/patients/${one.id}`)
  await expect(page.getByText('Ecografie unită')).toBeVisible()

  await page.getByRole('button', { name: 'Anulează unirea' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: `${surname} Maria`, exact: true })).toBeVisible()
  await expect(page.getByText('Ecografie unită')).toHaveCount(0)
  await page.goto(`/patients/${other.id}`)
  await expect(page).toHaveURL(`/patients/${other.id}`)
  await expect(page.getByText('Ecografie unită')).toBeVisible()
})

test('a patient is merged with one whom the user finds, where no duplicate was proposed', async ({
  open,
  product,
}) => {
  const { db } = product
  const mark = newId().replaceAll(/[^a-f]/g, '')
  const one = await makePatient(db, {
    surname: `Gasitescu${mark}`,
    given_names: 'Ion',
    cnp: null,
    birth_date: null,
  })
  const other = await makePatient(db, {
    surname: `Altulescu${mark}`,
    given_names: 'Radu',
    cnp: null,
    birth_date: null,
    phone: '+40735123456',
  })
  await makeEmptyUpload(db, { patient_id: other.id, title: 'Radiografie găsită' })
  const page = await open(REGISTRAR, { viewport: { width: 360, height: 740 } })
  await page.goto(`/patients/${one.id}`)
  await expect(page.getByText('Poate fi aceeași persoană')).toHaveCount(0)
  await page.getByRole('button', { name: 'Unește cu alt pacient…' }).press('Enter')
  const picker = page.getByRole('dialog', { name: 'Unește cu alt pacient' })
  const field = picker.getByRole('combobox', { name: 'Celălalt pacient' })
  await expect(field).toBeFocused()

  // Nobody is no answer, and the patient of the page is not offered.
  await picker.getByRole('button', { name: 'Compară' }).click()
  await expect(picker.getByText('este necesar')).toBeVisible()
  await field.fill(`Gasitescu${mark}`)
  await expect(page.getByText('Niciun pacient găsit')).toBeVisible()
  await field.fill(`Altulescu${mark}`)
  await expect(page.getByRole('option', { name: other.surname })).toContainText(`nr. ${other.number}`)
  await field.press('Enter')
  await picker.getByRole('button', { name: 'Compară' }).press('Enter')

  const dialog = page.getByRole('dialog', { name: 'Unește doi pacienți' })
  await expect(dialog.getByText('1 încărcare')).toBeVisible()
  await dialog.getByRole('button', { name: 'Unește pacienții' }).press('Enter')
  await expect(page.getByText(`Unit cu ${other.surname} Radu, nr. ${other.number}`)).toBeVisible()
  await expect(page.getByText('Radiografie găsită')).toBeVisible()
})
