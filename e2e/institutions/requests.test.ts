import { makePatient, makeUpload } from '../../db/factories.ts'
import { newId } from '../../server/platform/ids.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { makeCnp } from '../../shared/romania/cnp.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

/** Makes a patient whom nobody has referred, with a result that is released to the institution of the demo account. */
async function makeUnreferred({ db, dataDir }: Product) {
  const { id: institutionId } = await db
    .selectFrom('app_user')
    .innerJoin('user_institution', 'user_id', 'app_user.id')
    .select('institution_id as id')
    .where('email', '=', INSTITUTION)
    .executeTakeFirstOrThrow()
  const surname = `Căutescu${newId().replaceAll(/[^a-f]/g, '')}`
  const cnp = makeCnp({ sex: 'female', birthDate: '1981-06-26', county: 12, serial: 162 })
  const patient = await makePatient(db, { surname, given_names: 'Eva', birth_date: '1981-06-26', cnp: null })
  const title = `Rezultat ${surname}`
  const upload = await makeUpload(db, await openDiskStorage(`${dataDir}/files`), {
    patient_id: patient.id,
    institution_id: institutionId,
    state: 'released',
    released_at: new Date(),
    title,
  })
  return { uploadId: upload.id, surname, name: `${surname} Eva`, cnp, title }
}

/** Searches for the patient in vain and requests access. */
async function requestAccess(page: Page, { surname, cnp }: { surname: string; cnp: string }) {
  await page.goto('/institution?tab=pacienti')
  await page.getByRole('searchbox', { name: 'Căutați un pacient' }).fill(surname)
  await expect(page.getByText('Niciun pacient găsit')).toBeVisible()
  await page.getByRole('button', { name: 'Cere acces' }).click()
  const form = page.getByRole('dialog', { name: 'Cerere de acces la un pacient' })
  await expect(form.getByRole('textbox', { name: 'Nume', exact: true })).toHaveValue(surname)
  await form.getByRole('textbox', { name: 'Prenume' }).fill('Eva')
  await form.getByRole('textbox', { name: 'CNP' }).fill(cnp)
  await form.getByRole('textbox', { name: 'Pentru ce aveți nevoie de acces' }).fill('Consult de control')
  await form.getByRole('button', { name: 'Trimiteți cererea' }).click()
  await expect(form).toHaveCount(0)
}

test('a clerk requests access, which is refused and granted, and asks about the result, which staff answer', async ({
  open,
  product,
}) => {
  const patient = await makeUnreferred(product)
  const unknown = { surname: `Necunoscut${newId().replaceAll(/[^a-f]/g, '')}`, cnp: patient.cnp }
  const staff = await open(REGISTRAR)
  await staff.goto('/institutions?tab=cereri')
  const clerk = await open(INSTITUTION)
  await requestAccess(clerk, unknown)
  await requestAccess(clerk, patient)

  // The open list of staff has followed. The patient is compared with what was typed.
  await staff.getByRole('link', { name: unknown.surname }).click()
  const sheet = staff.getByRole('dialog', { name: 'Cerere de acces' })
  await sheet.getByRole('button', { name: 'Refuză…' }).click()
  const refusal = staff.getByRole('dialog', { name: 'Refuzi cererea?' })
  await refusal.getByRole('textbox', { name: 'Text pentru instituție' }).fill('Scrieți medicul.')
  await refusal.getByRole('button', { name: 'Refuză cererea' }).click()
  await expect(staff.getByText('Cerere refuzată')).toBeVisible()
  await staff.getByRole('link', { name: patient.surname }).click()
  await expect(sheet.getByText('numele se potrivește')).toBeVisible()
  await expect(sheet.getByText(patient.cnp)).toBeVisible()
  await sheet.getByRole('button', { name: `Dă acces la ${patient.name}` }).click()
  await staff
    .getByRole('dialog', { name: `Dai acces la ${patient.name}?` })
    .getByRole('button', { name: 'Acceptă cererea' })
    .click()
  await expect(staff.getByText('Cerere acceptată')).toBeVisible()

  await clerk.getByRole('tab', { name: 'Cereri de acces' }).click()
  const requests = clerk.getByRole('list', { name: 'Cereri de acces' })
  const refused = requests.getByRole('listitem').filter({ hasText: unknown.surname })
  await expect(refused).toContainText('refuzată')
  await expect(refused).toContainText('Nu putem da acces pe baza acestor date. Scrieți medicul.')
  const accepted = requests.getByRole('listitem').filter({ hasText: patient.surname })
  await expect(accepted).toContainText('acceptată')
  await accepted.getByRole('link', { name: 'Deschide pacientul' }).click()
  await clerk.getByRole('link', { name: patient.title }).click()

  await clerk
    .getByRole('dialog', { name: patient.name })
    .getByRole('button', { name: 'Întrebați centrul' })
    .click()
  const result = clerk.getByRole('dialog', { name: 'Întrebări pentru centru' })
  await expect(result.getByRole('textbox', { name: 'Întrebarea dumneavoastră' })).toBeFocused()
  await result.getByRole('textbox', { name: 'Întrebarea dumneavoastră' }).fill('Ce înseamnă <b>asta</b>?')
  await result.getByRole('button', { name: 'Trimiteți întrebarea' }).click()
  await expect(result.getByRole('log').getByText('Ce înseamnă <b>asta</b>?')).toBeVisible()

  await staff.getByRole('tab', { name: 'Întrebări' }).click()
  await staff.getByRole('link', { name: patient.name }).click()
  await expect(staff.getByText('Ce înseamnă <b>asta</b>?')).toBeVisible()
  await staff.getByRole('textbox', { name: 'Răspunsul tău' }).fill('Este în limite.')
  await staff.getByRole('button', { name: 'Răspunde', exact: true }).click()

  // The open result has followed.
  await expect(result.getByRole('log').getByText('Este în limite.')).toBeVisible()
  await expect(result.getByRole('log').getByText('Centrul', { exact: true })).toBeVisible()
  await result.getByRole('button', { name: 'Închide întrebarea' }).click()
  await expect(staff.getByText('Întrebarea este închisă.')).toBeVisible()
})

test('the dashboard counts what institutions ask, and leads to it', async ({ open }) => {
  const page = await open(REVIEWER)
  for (const [need, tab] of [
    [/întreb.*fără răspuns/, 'Întrebări'],
    [/cerer.*de hotărât/, 'Cereri de acces'],
  ] as const) {
    await page.goto('/dashboard')
    await page.getByRole('link', { name: need }).click()
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
  }
})
