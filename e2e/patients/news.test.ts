import { makePatient, makeReferral, makeUpload } from '../../db/factories.ts'
import { newId } from '../../server/platform/ids.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

/** Makes a patient whom the institution of the demo account has referred, with a result that is released to it. */
async function makeReferred({ db, dataDir }: Product) {
  const { id: institution_id, name } = await db
    .selectFrom('app_user')
    .innerJoin('user_institution', 'user_id', 'app_user.id')
    .innerJoin('institution', 'institution.id', 'institution_id')
    .select(['institution.id', 'institution.name'])
    .where('app_user.email', '=', INSTITUTION)
    .executeTakeFirstOrThrow()
  const surname = `Vestea${newId().replaceAll(/[^a-f]/g, '')}`
  const { id } = await makePatient(db, { surname, given_names: 'Eva', cnp: null })
  await makeReferral(db, { patient_id: id, institution_id })
  const upload = await makeUpload(db, await openDiskStorage(`${dataDir}/files`), {
    patient_id: id,
    institution_id,
    state: 'released',
    released_at: new Date(),
    title: `Rezultat ${surname}`,
  })
  return { id, surname, uploadId: upload.id, institution: name }
}

async function choose(page: Page, label: string, option: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('staff write a warning, the institution is named before it reads it, follows it live, and reads nothing after the removal', async ({
  open,
  product,
}) => {
  const patient = await makeReferred(product)
  const clerk = await open(INSTITUTION)
  await clerk.goto(`/institution?q=${patient.surname}`)
  const row = clerk.locator(`[data-result="${patient.uploadId}"]`)
  await expect(row).toBeVisible()
  await expect(row.getByText('avertizare')).toHaveCount(0)

  const staff = await open(REGISTRAR)
  await staff.goto(`/patients/${patient.id}`)
  const card = staff.getByRole('region', { name: 'Noutăți' })
  await card.getByRole('button', { name: 'Scrie' }).click()
  const form = staff.getByRole('dialog', { name: 'Scrie despre pacient' })
  await choose(staff, 'Tip', 'Avertizare')
  await choose(staff, 'Cine citește', 'Personalul și instituțiile')
  await form.getByRole('textbox', { name: 'Text' }).fill('Alergie la <b>iod</b>\nfără contrast')
  await expect(form.getByText(patient.institution)).toBeVisible()
  await form.getByRole('button', { name: 'Salvează' }).click()
  // Not before it is confirmed.
  await expect(form.getByRole('checkbox', { name: 'Confirm că pot citi' })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await expectAccessible(staff)
  await form.getByText('Confirm că pot citi').click()
  await form.getByRole('button', { name: 'Salvează' }).click()
  await expect(form).toHaveCount(0)
  await expect(card.getByText('Alergie la <b>iod</b>')).toBeVisible()
  await expect(card.getByText('necitită')).toHaveCount(0)

  // The open list has followed.
  await expect(row.getByText('1 avertizare, 1 noutate necitită')).toBeAttached()
  await row.getByRole('link').click()
  const shown = clerk.getByRole('dialog').getByRole('region', { name: 'Noutăți despre pacient' })
  await expect(shown.getByText('Alergie la <b>iod</b>')).toBeVisible()
  await expect(shown.getByText('necitită')).toBeVisible()
  await expectAccessible(clerk)

  const act = async (name: string) => {
    await card.getByRole('button', { name: /^Acțiuni: Alergie/ }).click()
    await staff.getByRole('menuitem', { name }).click()
  }
  await act('Versiuni și cititori')
  await expect(staff.getByRole('dialog', { name: 'Versiuni și cititori' })).toContainText('Cine a citit')
  await expect(staff.getByRole('dialog').getByRole('listitem')).toHaveCount(1)
  await staff.getByRole('dialog').getByRole('button', { name: 'Închide' }).last().click()
  await act('Modifică')
  await staff.getByRole('dialog').getByRole('textbox', { name: 'Text' }).fill('Alergie la latex')
  // They read it already.
  await expect(staff.getByRole('dialog').getByRole('checkbox')).toHaveCount(0)
  await staff.getByRole('dialog').getByRole('button', { name: 'Salvează' }).click()
  await expect(shown.getByText('Alergie la latex')).toBeVisible()
  await act('Șterge')
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Șterge' }).click()
  await expect(shown).toHaveCount(0)
  await expect(card.getByText('Alergie la latex')).toHaveCount(0)
  await clerk.keyboard.press('Escape')
  await expect(row).toBeVisible()
  await expect(row.getByText('avertizare')).toHaveCount(0)
})
