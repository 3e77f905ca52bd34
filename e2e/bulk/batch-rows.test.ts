import { randomBytes } from 'node:crypto'
import { makePatient, makeReferral } from '../../db/factories.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReferredPatient } from '../harness/new-upload.ts'
import { expect, type Page, test } from '../harness/test.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** Begins a batch with text files, and waits until they were read. */
async function sendFiles(page: Page, files: Record<string, string>): Promise<void> {
  await page.goto('/bulk')
  await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(
    Object.entries(files).map(([name, text]) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })),
  )
  await expect(page.getByText('se citește')).toHaveCount(0)
  for (const name of Object.keys(files))
    await expect(row(page, name)).toContainText(/sigur|necunoscut|probabil|conflict/)
}

/** A surname that no other patient has, of letters alone: with digits it is read as no name. */
const uniqueSurname = () =>
  `Zărn${[...randomBytes(6)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')}escu`

test('a namesake is named in the form of a new patient by the name alone, and is chosen there', async ({
  open,
  product,
}) => {
  const surname = uniqueSurname()
  const known = await makePatient(product.db, {
    surname,
    given_names: 'Ilinca',
    cnp: null,
    birth_date: '1980-02-03',
  })
  const page = await open(REGISTRAR)
  await sendFiles(page, { 'analiza.txt': `Pacient: ${surname} Ilinca\nvalori în limite ${surname}` })
  await row(page, 'analiza.txt')
    .getByRole('button', { name: /Mai mult/ })
    .press('Enter')
  await page.getByRole('menuitem', { name: 'Pacient nou' }).press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Pacient nou' })
  await expect(sheet.getByRole('textbox', { name: 'Nume', exact: true })).toHaveValue(surname)
  const notice = sheet.getByRole('status').filter({ hasText: `Poate există deja: ${surname}` })
  await expect(notice).toContainText('03.02.1980')
  await expect(notice).toBeInViewport()
  await notice.getByRole('button', { name: 'Alege pacientul' }).press('Enter')
  await expect(row(page, 'analiza.txt')).toContainText(`nr. ${known.number}`)
  await expect(row(page, 'analiza.txt')).toContainText('ales')
  await expect(row(page, 'analiza.txt')).toBeFocused()

  await test.step('the last of two choices counts, also if the first one is slow', async () => {
    const surnames = [uniqueSurname(), uniqueSurname()] as const
    for (const surname of surnames) await makePatient(product.db, { surname, given_names: 'Ilinca' })
    const choices: string[] = []
    const first = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    await page.route('**/graphql', async (route) => {
      const { operationName, variables } = route.request().postDataJSON()
      if (operationName !== 'ChooseGroupPatient') return route.fallback()
      choices.push(variables.patientId)
      if (choices.length === 1) await first.promise
      await route.fulfill({ response: await route.fetch() })
      if (choices.length === 2) done.resolve()
    })
    for (const surname of surnames) {
      await row(page, 'analiza.txt').getByRole('button', { name: 'Alege pacientul: analiza.txt' }).click()
      await page.getByRole('combobox').fill(surname)
      await page.getByRole('option', { name: surname }).click()
      await expect(row(page, 'analiza.txt')).toContainText(surname)
    }
    // The second one is sent once the server has answered the first.
    expect(choices).toHaveLength(1)
    first.resolve()
    await done.promise
    await page.reload()
    await expect(row(page, 'analiza.txt')).toContainText(surnames[1])
    await expect(row(page, 'analiza.txt')).toContainText('ales')
  })
})

test('the focus is on a row after files were chosen and forms closed, and leaves an empty list for its tab', async ({
  open,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const text = `Hemoleucogramă\nPacient: ${patient.name}\nCNP: ${patient.cnp}\nhemoglobina 14\n`
  const page = await open(REGISTRAR)
  await sendFiles(page, { '1 una.txt': text, '2 alta.txt': 'valori în limite' })
  await expect(row(page, '1 una.txt')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  for (const item of ['Editează și trimite', 'Pacient nou', 'Scoate din lot']) {
    await row(page, '2 alta.txt')
      .getByRole('button', { name: /Mai mult/ })
      .press('Enter')
    await page.getByRole('menuitem', { name: item }).press('Enter')
    // The menu that closes has the same role; a message is no form.
    const form = page.locator(
      '[role=dialog]:not([data-trigger=MenuTrigger]), [role=alertdialog]:not([role=region] *)',
    )
    await expect(form).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await expect(row(page, '2 alta.txt')).toBeFocused()
  }
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Închide fișierele' }).click()
  await expect(row(page, '2 alta.txt')).toBeFocused()
  await page.getByRole('tab', { name: /Sigure/ }).click()
  await row(page, '1 una.txt').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Niciun grup aici')).toBeVisible()
  await expect(page.getByRole('tab', { name: /Sigure/ })).toBeFocused()
})

test('Enter without a patient keeps the proposals and says why; without an institution it asks once', async ({
  open,
  product,
}) => {
  const surname = uniqueSurname()
  for (let count = 0; count < 2; count += 1)
    await makePatient(product.db, { surname, given_names: 'Ilinca', cnp: null, birth_date: '1980-02-03' })
  const page = await open(REGISTRAR)
  const text = `Hemoleucogramă\nPacient: ${surname} Ilinca\nData nașterii: 03.02.1980\nhemoglobina 14`
  await sendFiles(page, { '1 una.txt': text, '2 alta.txt': `${text}\npagina 2` })
  await row(page, '1 una.txt').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nu s-a ales nimeni')).toBeVisible()
  await expect(row(page, '1 una.txt').getByText(`${surname} Ilinca?`)).toHaveCount(2)
  const choose = async () => {
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { name: `${surname} Ilinca` })).toHaveCount(2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
  await choose()
  await expect(row(page, '1 una.txt')).toContainText('ales')

  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Trimiți fără instituție?' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(page.getByRole('tab', { name: /Trimise/ })).not.toContainText(/\d/)
  await row(page, '1 una.txt').focus()
  await page.keyboard.press('Enter')
  await expect(question).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: /Trimise/ })).toContainText('1')
  // The answer is the same for the next row.
  await row(page, '2 alta.txt').focus()
  await page.keyboard.press('Enter')
  await choose()
  await expect(row(page, '2 alta.txt')).toContainText('ales')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: /Trimise/ })).toContainText('2')
})

const REJECT = `mutation ($id: ID!, $version: Int!) {
  rejectUpload(id: $id, version: $version, reason: "incomplete", comment: "Lipsește pagina a doua.") { id } }`

test('rows say whose names disagree and why one came back, and nothing is cut off beside the files', async ({
  open,
  client,
  product,
}) => {
  const people: { id: string; name: string; cnp: string }[] = []
  for (let count = 0; count < 2; count += 1) {
    const { institutionId } = await makeReferredPatient(product, INSTITUTION)
    const surname = uniqueSurname()
    const { id, cnp } = await makePatient(product.db, { surname, given_names: 'Ilinca' })
    await makeReferral(product.db, { patient_id: id, institution_id: institutionId })
    people.push({ id, cnp: cnp!, name: `${surname} Ilinca` })
  }
  const [ana, dan] = people.map(
    ({ name, cnp }) => `Hemoleucogramă\nPacient: ${name}\nCNP: ${cnp}\nhemoglobina 14\n`,
  ) as [string, string]
  const long = 'rezultat cu un nume foarte lung al unui fisier care vine de la un aparat '
  const page = await open(REGISTRAR, { viewport: { width: 1440, height: 900 } })
  await sendFiles(page, { [`${long}1.txt`]: ana, [`${long}2.txt`]: ana + dan })
  const conflict = row(page, `${long}2.txt`)
  for (const { name } of people) await expect(conflict).toContainText(new RegExp(`în fișiere:.*${name}`))
  await row(page, `${long}1.txt`).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('region', { name: 'Fișierele grupului' })).toBeVisible()
  for (const button of await page.getByRole('button', { name: /^Mai mult/ }).all()) {
    const isOnTop = await button.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(x + width - 2, y + height / 2))
    })
    expect(isOnTop).toBe(true)
  }
  const cnp = row(page, `${long}1.txt`).getByText(/^CNP [\d*]+$/)
  expect(await cnp.evaluate((element) => element.getClientRects().length)).toBe(1)

  // A row that was proposed in the second before the key is not filed: the person looks, and presses again.
  await expect
    .poll(async () => {
      await row(page, `${long}1.txt`).press('Enter')
      return page.getByText('1 din 2 grupuri trimise · 1 rămas').isVisible()
    })
    .toBe(true)
  const { id } = await product.db
    .selectFrom('upload')
    .select('id')
    .where('patient_id', '=', people[0]!.id)
    .executeTakeFirstOrThrow()
  const reviewer = await client(REVIEWER)
  const read = async () =>
    (await reviewer.runQuery('query ($id: ID!) { upload(id: $id) { version state } }', { id })).upload
  await expect.poll(async () => (await read()).state).toBe('in_review')
  await reviewer.runQuery(REJECT, { id, version: (await read()).version })
  await expect(page.getByText('1 din 2 grupuri trimise · 1 rămas · 1 respins')).toBeVisible()
  await expect(row(page, `${long}1.txt`)).toContainText('Lipsește pagina a doua.')
  await page.setViewportSize({ width: 360, height: 780 })
  await expect(
    page.getByRole('link', { name: 'Încărcările mele' }).and(page.locator('nav ol a')),
  ).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.setViewportSize({ width: 1440, height: 900 })
  await row(page, `${long}1.txt`)
    .getByRole('link', { name: /Adaugă fișiere/ })
    .click()
  await expect(page.getByRole('dialog')).toContainText(/fișiere/)
})
