import { readFile } from 'node:fs/promises'
import { makePatient } from '../../db/factories.ts'
import { makeCnp } from '../../shared/romania/cnp.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { REGISTRAR } from '../harness/accounts.ts'
import { expect, test } from '../harness/test.ts'

const BORN = '1987-03-05'
const cnpOf = (serial: number) => makeCnp({ sex: 'female', birthDate: BORN, county: 12, serial })

test('a registrar imports patients from a table of Excel, and mends what was refused [2.5]', async ({
  open,
  product,
}) => {
  const known = await makePatient(product.db, {
    surname: 'Importescu',
    given_names: 'Doina',
    cnp: null,
    birth_date: BORN,
  })
  const table = [
    'Nume;Prenume;CNP;Data nașterii;Telefon;Cod intern',
    `Importescu;Ștefania;${cnpOf(701)};;0722 333 444;A-1`,
    `Importescu;Ioana;${cnpOf(702)};;722333555;A-2`,
    'Importescu;Vlad;2.87E+12;;;A-3',
    'Importescu;Doina;;05.03.1987;0744 555 666;A-4',
  ].join('\r\n')
  const page = await open(REGISTRAR, { viewport: { width: 360, height: 800 } })
  await page.goto('/bulk')
  await page.getByRole('tab', { name: 'Import de pacienți' }).click()
  await expect(page.getByText('Niciun import încă')).toBeVisible()
  await expectAccessibleInBothModes(page)
  // Romanian letters of an older Excel: windows-1250.
  const bytes = Buffer.from(table.replace('ș', '\xba').replace('Ș', '\xaa'), 'latin1')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'pacienți.csv', mimeType: 'text/csv', buffer: bytes })
  await expect(page.getByRole('button', { name: 'Codificarea textului' })).toContainText('Windows-1250')
  await expect(page.getByRole('button', { name: 'Câmpul coloanei „CNP”' })).toContainText('CNP')
  await expect(page.getByRole('button', { name: 'Câmpul coloanei „Cod intern”' })).toContainText(
    'Nu se importă',
  )
  await expectAccessibleInBothModes(page)
  await page.getByRole('button', { name: 'Verifică rândurile' }).press('Enter')

  await expect(page.getByText('Verificat: nu s-a scris încă nimic')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Rândurile fișierului' })
  await expect(rows.getByText('îi lipsește 0 de la început')).toBeVisible()
  await expect(rows.getByText('Excel a rotunjit CNP-ul')).toBeVisible()
  await expectAccessibleInBothModes(page)
  await page.getByRole('button', { name: 'Posibil duplicat (1)' }).click()
  await expect(rows.getByRole('link', { name: 'Importescu Doina' })).toHaveAttribute(
    'href',
    new RegExp(known.id),
  )
  // The rows of the filter before are inert.
  await expect(rows.getByRole('row')).toHaveCount(2)
  await rows.getByRole('checkbox', { name: 'E altă persoană: adaugă' }).press('Space')
  await expect(rows.getByRole('checkbox', { name: 'E altă persoană: adaugă' })).toBeChecked()
  await page.getByRole('button', { name: 'Importă', exact: true }).press('Enter')
  await expect(page.getByText('Pacient nou: 2 · Refuzat: 2.')).toBeVisible()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Descarcă rândurile refuzate' }).click()
  const refused = await readFile(await (await saved).path(), 'utf8')
  await page.getByRole('button', { name: 'Toate importurile' }).click()
  await expect(page.getByRole('link', { name: 'pacienți.csv' })).toBeVisible()
  const mended = refused.replace('722333555', '0722333555').replace('2.87E+12', cnpOf(703))
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'corectat.csv', mimeType: 'text/csv', buffer: Buffer.from(mended) })
  await page.getByRole('button', { name: 'Verifică rândurile' }).click()
  await page.getByRole('button', { name: 'Importă', exact: true }).click()
  await expect(page.getByText('Pacient nou: 2.')).toBeVisible()
  await page.getByRole('link', { name: 'Importescu Vlad' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Importescu Vlad' })).toBeVisible()
})
