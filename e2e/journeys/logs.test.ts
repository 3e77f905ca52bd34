import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expectAccessible, expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN, INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { makeReferredPatient } from '../harness/new-upload.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const READ = 'a deschis fișa unui pacient'
const entries = (page: Page) => page.getByRole('main').getByRole('listitem')
const title = (page: Page) => page.getByRole('heading', { level: 1, name: 'Jurnal de activitate' })
const searchOf = (page: Page) => new URL(page.url()).search

/** Opens a patient as staff. */
async function makeEntries(
  product: Product,
  client: (
    email: string,
  ) => Promise<{ runQuery: (query: string, variables: Record<string, unknown>) => Promise<unknown> }>,
) {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const registrar = await client(REGISTRAR)
  await registrar.runQuery('query ($id: ID!) { patient(id: $id) { id } }', { id: patient.id })
  return patient
}

test('the filters are in the address, survive a reload and back, and are set by keyboard [2.9]', async ({
  open,
  product,
  client,
}) => {
  const patient = await makeEntries(product, client)
  const page = await open(ADMIN)
  await page.goto('/logs')
  const entry = entries(page).filter({ hasText: READ }).filter({ hasText: patient.name })
  await expect(entry).toHaveCount(1)

  const action = page.getByRole('combobox', { name: 'Acțiune' })
  await action.focus()
  await page.keyboard.type('deschis fisa')
  await expect(page.getByRole('option', { name: 'A deschis fișa unui pacient' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/action=patient\.read$/)
  await expect(entries(page).filter({ hasNotText: READ })).toHaveCount(0)

  const person = page.getByRole('combobox', { name: 'Persoană' })
  const name = await nameOf(product, REGISTRAR)
  await person.focus()
  await page.keyboard.type(name.split(' ')[0]!)
  await expect(page.getByRole('option', { name })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/person=/)
  await expect(person).toHaveValue(name)

  await page.getByRole('textbox', { name: 'De la' }).fill('01.01.2020')
  await page.keyboard.press('Tab')
  await expect(page).toHaveURL(/from=2020-01-01/)
  await entry.getByRole('button', { name: `Doar despre ${patient.name}` }).click()
  await expect(page).toHaveURL(new RegExp(`patient=${patient.id}`))
  await expect(entries(page)).toHaveCount(1)

  const address = searchOf(page)
  await page.reload()
  await expect(entries(page)).toHaveCount(1)
  await expect(person).toHaveValue(name)
  await expect(action).toHaveValue('A deschis fișa unui pacient')
  await expect(page.getByRole('textbox', { name: 'De la' })).toHaveValue('01.01.2020')
  await entry.getByRole('link', { name: patient.name }).click()
  await expect(page.getByRole('heading', { level: 1, name: patient.name })).toBeVisible()
  await page.goBack()
  await expect(title(page)).toBeVisible()
  expect(searchOf(page)).toBe(address)
  await expect(entries(page)).toHaveCount(1)

  await page.getByRole('button', { name: 'Șterge filtrele' }).click()
  await expect.poll(() => searchOf(page)).toBe('')
  await page.goto('/logs?from=2001-01-01&to=2001-01-02')
  await expect(page.getByText('Nicio înregistrare')).toBeVisible()
  await page.getByRole('button', { name: 'Arată tot jurnalul' }).click()
  await expect(entries(page).first()).toBeVisible()
})

test('the filtered entries are exported as a file for spreadsheets [2.9]', async ({
  open,
  product,
  client,
}) => {
  const patient = await makeEntries(product, client)
  const page = await open(ADMIN)
  await page.goto(`/logs?patient=${patient.id}&action=patient.read`)
  await expect(entries(page)).toHaveCount(1)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportă CSV' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/^jurnal-\d{4}-\d{2}-\d{2}\.csv$/)
  const text = await readFile(await download.path(), 'utf8')
  expect(text.startsWith('\uFEFF"Nr.";"Data și ora";"Cine"')).toBe(true)
  const lines = text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(
    `"${await nameOf(product, REGISTRAR)}";"Personal";"${READ}";"${patient.name}";"Reușit"`,
  )
})

test('the found patients and the filtered queue are exported, and the exports are in the log', async ({
  open,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const page = await open(ADMIN)
  const exportLines = async () => {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Exportă CSV' }).click()
    const download = await saved
    const text = await readFile(await download.path(), 'utf8')
    return { name: download.suggestedFilename(), lines: text.trimEnd().split('\r\n') }
  }
  await page.goto('/patients')
  await page.getByRole('searchbox', { name: 'Caută un pacient' }).fill(patient.name)
  await expect(page.getByRole('table', { name: 'Pacienți găsiți' }).getByText(patient.name)).toBeVisible()
  const patients = await exportLines()
  expect(patients.name).toMatch(/^pacienti-\d{4}-\d{2}-\d{2}\.csv$/)
  expect(patients.lines).toHaveLength(2)
  expect(patients.lines[1]).toContain(`"${patient.name}"`)

  await page.goto('/uploads?state=%5B"quarantined"%5D&mine=true')
  await expect(page.getByRole('heading', { name: 'Verificare' })).toBeVisible()
  const uploads = await exportLines()
  expect(uploads.name).toMatch(/^incarcari-/)
  expect(uploads.lines).toHaveLength(1)

  await page.goto('/logs?action=patient.export')
  await expect(entries(page).filter({ hasText: 'a descărcat lista pacienților' })).toHaveCount(1)
})

test('a patient’s page shows administrators who saw the patient [2.9]', async ({ open, product, client }) => {
  const patient = await makeEntries(product, client)
  const page = await open(ADMIN)
  await page.goto(`/patients/${patient.id}`)
  const button = page.getByRole('button', { name: 'Cine a văzut' })
  await button.focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Cine a văzut acest pacient' })
  await expect(
    sheet
      .getByRole('listitem')
      .filter({ hasText: await nameOf(product, REGISTRAR) })
      .first(),
  ).toContainText(READ)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()

  const colleague = await open(REGISTRAR)
  await colleague.goto(`/patients/${patient.id}`)
  await expect(colleague.getByRole('heading', { level: 1, name: patient.name })).toBeVisible()
  await expect(colleague.getByRole('button', { name: 'Cine a văzut' })).toHaveCount(0)
})

test('staff see their own entries and neither the chain nor the file [2.9]', async ({
  open,
  product,
  client,
}) => {
  await makeEntries(product, client)
  const page = await open(REGISTRAR)
  await page.goto('/logs')
  await expect(entries(page).first()).toContainText(await nameOf(product, REGISTRAR))
  await expect(page.getByRole('button', { name: /Verifică acum|Exportă CSV/ })).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Persoană' })).toHaveCount(0)
})

test('the audit log fits a phone and is accessible, in both modes [2.9]', async ({
  open,
  product,
  client,
}) => {
  await makeEntries(product, client)
  const page = await open(ADMIN, { viewport: { width: 360, height: 740 } })
  await page.goto('/logs')
  await expect(entries(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Filtre' }).click()
  await expect(page.getByRole('combobox', { name: 'Persoană' })).toBeVisible()
  await expectAccessibleInBothModes(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('a verification reports a valid chain and, after tampering, the changed entry [2.9]', async ({
  open,
}) => {
  test.slow()
  // A separate product: a found fault is an error in the server's log.
  const product = await startProduct()
  try {
    const page = await open(ADMIN, { at: product.url })
    await findTampering(product, page)
    // Otherwise it may look for the stopped server.
    await page.close()
  } finally {
    await product.stop()
  }
})

async function findTampering(product: Product, page: Page): Promise<void> {
  await page.goto('/logs')
  await page.getByRole('button', { name: 'Verifică acum' }).click()
  await expect(page.getByText('Jurnalul este întreg')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText(/înregistr(are|ări) citit[ăe] la .*verificare cerută de/)).toBeVisible()

  const { id, outcome } = await product.db
    .selectFrom('audit_event')
    .select(['id', 'outcome'])
    .where('action', '=', 'session.sign-in')
    .limit(1)
    .executeTakeFirstOrThrow()
  const tamper = (to: string) =>
    product.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await tx
        .updateTable('audit_event')
        .set({ outcome: to as 'ok' })
        .where('id', '=', id)
        .execute()
    })
  await tamper('failed')
  await page.getByRole('button', { name: 'Verifică acum' }).click()
  await expect(page.getByText('Jurnalul nu mai este așa cum a fost scris')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText(`Înregistrarea nr. ${id} a fost modificată`)).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByText(`Înregistrarea nr. ${id} a fost modificată`)).toBeVisible()
  expect(product.faults().join()).toContain(`"kind":"changed","entry":"${id}"`)
  await tamper(outcome)
  await page.getByRole('button', { name: 'Verifică acum' }).click()
  await expect(page.getByText('Jurnalul este întreg')).toBeVisible({ timeout: 20_000 })
}

async function nameOf({ db }: Product, email: string): Promise<string> {
  const { name } = await db
    .selectFrom('app_user')
    .select('name')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return name
}
