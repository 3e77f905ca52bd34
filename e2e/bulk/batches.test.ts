import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCnp } from '../../shared/romania/cnp.ts'
import { makePdf } from '../../test/hostile-files.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { makeReferredPatient, type ReferredPatient } from '../harness/new-upload.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

// A separate product, since the test kills it.
let product: Product
let folder: string
test.beforeAll(async () => {
  product = await startProduct()
  folder = join(await mkdtemp(join(tmpdir(), 'dosar-e2e-')), 'Luni')
  await mkdir(folder)
})
test.afterAll(async () => {
  await rm(join(folder, '..'), { recursive: true, force: true })
  await product.stop()
})

const report = ({ name, cnp }: ReferredPatient, day: string) =>
  `Hemoleucogramă completă\nPacient: ${name}\nCNP: ${cnp}\nData examinării: ${day}\nhemoglobina 14,1\n`

const NEW_CNP = makeCnp({ sex: 'female', birthDate: '1990-05-06', county: 12, serial: 77 })

/** Writes eleven files: two of one examination, three of other patients, and one each of what needs a person. */
async function writeFolder(): Promise<{ people: ReferredPatient[] }> {
  const people: ReferredPatient[] = []
  for (let count = 0; count < 4; count += 1) people.push(await makeReferredPatient(product, INSTITUTION))
  const [ana, barbu, corina, dan] = people as [
    ReferredPatient,
    ReferredPatient,
    ReferredPatient,
    ReferredPatient,
  ]
  const files: Record<string, string | Uint8Array> = {
    '01 ana.txt': report(ana, '02.03.2026'),
    '02 ana.txt': `${report(ana, '02.03.2026')}pagina 2`,
    '03 barbu.txt': report(barbu, '03.03.2026'),
    '04 corina.txt': report(corina, '04.03.2026'),
    '05 corina alta zi.txt': report(corina, '05.03.2026'),
    '06 fara nume.txt': 'valori în limite',
    '07 doi.txt': report(ana, '06.03.2026') + report(barbu, '06.03.2026'),
    '08 parola.pdf': await makePdf(1, { userPassword: 'secret' }),
    '09 copie.txt': report(barbu, '03.03.2026'),
    '10 dan.pdf': await makePdf(2, {}, `Pacient: ${dan.name} CNP: ${dan.cnp}`),
    '11 nou.pdf': await makePdf(1, {}, `Pacient: ZGUBILICI ANA CNP: ${NEW_CNP}`),
    'poza.heic': 'nu se primește',
  }
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  return { people }
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const dropFolder = (page: Page) => page.locator('input[type=file][webkitdirectory]').setInputFiles(folder)

/** The files of the batch by name, with whose they are and whether they were submitted. */
const stored = async () =>
  product.db
    .selectFrom('file')
    .innerJoin('upload', 'upload.id', 'file.upload_id')
    .where('upload.batch_id', 'is not', null)
    .where('upload.state', '!=', 'withdrawn')
    .where('file.removed_at', 'is', null)
    .select(['file.name', 'upload.patient_id', 'upload.filed_at'])
    .orderBy('file.name')
    .execute()

test('eleven files are filed with the keyboard alone, over a reload and a kill of the server', async ({
  open,
  expectError,
}) => {
  expectError(/Failed to load resource|ERR_CONNECTION|WebSocket|net::|fetch/)
  const { people } = await writeFolder()
  const page = await open(REGISTRAR, { at: product.url })
  await page.goto('/bulk')
  await dropFolder(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Luni' })).toBeVisible()
  await expect(page.getByText('fotografiile HEIC nu se primesc')).toBeVisible()
  await page.reload()
  await product.kill()
  await product.restart()
  await page.reload()
  await dropFolder(page)
  await expect(page.getByText('11 din 11 fișiere')).toBeVisible()
  await expect(row(page, '01 ana.txt')).toContainText('02 ana.txt')
  await expect(page.getByRole('tab', { name: /În citire/ })).not.toContainText(/\d/)
  await expect(row(page, '03 barbu.txt')).toContainText('CNP în rândul 3')
  await expect(row(page, '09 copie.txt')).toContainText('duplicat')
  await expectAccessibleInBothModes(page)

  // On another computer: what was found is marked on the page, and begins the form of a new patient.
  const other = await open(REGISTRAR, { at: product.url })
  await other.goto(page.url())
  await row(other, '10 dan.pdf').focus()
  // The buttons of the other rows are not on the way.
  await other.keyboard.press('Shift+Tab')
  await expect(other.getByRole('tab', { name: 'Toate' })).toBeFocused()
  await row(other, '10 dan.pdf').focus()
  await other.keyboard.press('Space')
  await expect(other.locator('[data-mark=agrees]')).not.toHaveCount(0)
  await row(other, '11 nou.pdf').focus()
  await expect(other.locator('[data-mark=found]')).not.toHaveCount(0)
  await other.keyboard.press('ArrowRight')
  await expect(other.getByRole('region', { name: 'Fișierele grupului' })).toBeFocused()
  await other.keyboard.press('Escape')
  await expect(row(other, '11 nou.pdf')).toBeFocused()
  await row(other, '11 nou.pdf')
    .getByRole('button', { name: /Mai mult/ })
    .press('Enter')
  await other.getByRole('menuitem', { name: 'Pacient nou' }).press('Enter')
  const sheet = other.getByRole('dialog', { name: 'Pacient nou' })
  await expect(sheet.getByRole('textbox', { name: 'CNP', exact: true })).toHaveValue(NEW_CNP)
  await expect(sheet.getByText('Din fișier', { exact: true })).toHaveCount(3)
  await sheet.getByRole('button', { name: 'Adaugă și alege' }).press('Enter')
  await expect(row(other, '11 nou.pdf')).toContainText('Zgubilici Ana')
  await other.close()

  // The sure ones at once, and back again.
  const ready = await page.getByRole('button', { name: /Trimite cele sigure/ }).textContent()
  const count = Number(/\d+/.exec(ready!)![0])
  expect(count).toBeGreaterThan(0)
  await page.getByRole('tab', { name: 'Toate' }).focus()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('alertdialog', { name: /la verificare\?/ })).toBeVisible()
  await page.keyboard.press('Enter')
  // Under the pointer the message stays until something closes it.
  const undo = page.getByRole('button', { name: 'Ia înapoi' })
  await undo.hover()
  await expect(page.getByRole('tab', { name: /Trimise/ })).toContainText(String(count))
  // A surname that begins with Z is searched: nothing is taken back.
  await row(page, '06 fara nume.txt').focus()
  await page.keyboard.type('Zgubilici')
  await expect(page.getByRole('option', { name: 'Zgubilici Ana' })).toBeVisible()
  await expect(page.getByRole('combobox')).toHaveValue('Zgubilici')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tab', { name: /Trimise/ })).toContainText(String(count))
  await expect(undo).toBeVisible()
  await page.keyboard.press('Control+z')
  // Its message no longer offers what was done.
  await expect(undo).toHaveCount(0)
  await expect(page.getByRole('tab', { name: /Trimise/ })).not.toContainText(/\d/)
  await expect(row(page, '03 barbu.txt')).toContainText('CNP în rândul 3')
  await expect(page.getByRole('tab', { name: /În citire/ })).not.toContainText(/\d/)

  // Who was chosen is kept, also when the page is left.
  await row(page, '06 fara nume.txt').focus()
  await page.keyboard.type(people[3]!.cnp)
  await expect(page.getByRole('option', { name: people[3]!.name })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(row(page, '06 fara nume.txt')).toContainText('ales')
  await page.reload()
  await expect(row(page, '06 fara nume.txt')).toContainText(people[3]!.name)
  await expect(row(page, '06 fara nume.txt')).toContainText('ales')

  // Row by row: Enter files it, or asks for the patient.
  for (let press = 0; press < 200; press += 1) {
    const left = (await stored()).filter(({ filed_at }) => filed_at === null)
    if (left.length === 0) break
    const [next] = left
    await row(page, next!.name).first().focus()
    await page.keyboard.press('Enter')
    const question = page.getByRole('alertdialog', { name: /deja trimis|refuzat|fără instituție/ })
    const changed = row(page, next!.name).getByText(/tocmai s-a schimbat|Încă nu s-a citit/)
    const search = page.getByRole('combobox')
    const filed = () =>
      stored().then((files) => files.find(({ name }) => name === next!.name)?.filed_at !== null)
    await expect
      .poll(async () => {
        const shown = await Promise.all([question, search, changed].map((each) => each.isVisible()))
        return shown.includes(true) || filed()
      })
      .toBe(true)
    // It was proposed anew in the second before the key: the person looks, and presses again.
    if (await changed.isVisible()) continue
    if (await search.isVisible()) {
      await page.keyboard.type(people[3]!.cnp)
      await expect(page.getByRole('option', { name: people[3]!.name })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(row(page, next!.name).first()).toBeFocused()
      await expect(row(page, next!.name).first()).toContainText('ales')
      await page.keyboard.press('Enter')
    }
    // One question may follow another.
    await expect
      .poll(async () => {
        const answer = question.getByRole('button', { name: /Păstrează|totuși|fără instituție/ })
        if (await answer.isVisible()) await answer.press('Enter')
        return filed()
      })
      .toBe(true)
  }
  const files = await stored()
  expect(files.map(({ name }) => name.slice(0, 2))).toEqual(
    Array.from({ length: 11 }, (_, index) => String(index + 1).padStart(2, '0')),
  )
  expect(files.filter(({ filed_at }) => filed_at === null)).toEqual([])
  const ownerOf = (name: string) => files.find((file) => file.name.startsWith(name))!.patient_id
  expect([ownerOf('01'), ownerOf('03'), ownerOf('04'), ownerOf('10')]).toEqual(people.map(({ id }) => id))
  await expect(page.getByText(/^(\d+) din \1 grupuri trimise$/)).toBeVisible()
})
