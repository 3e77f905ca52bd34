import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OTHER_INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { acceptByKey } from '../harness/review.ts'
import { expect, test } from '../harness/test.ts'

const TITLE = 'Analize aduse de pacient'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-sent-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

test('an institution sends files for its patient on a phone, the centre accepts them, and it opens the result', async ({
  open,
  client,
  product,
}) => {
  test.setTimeout(180_000)
  const patient = await makeReferredPatient(product, OTHER_INSTITUTION)
  const documents = [
    await makeReport(folder, 'Analize.pdf', `${patient.name}, CNP ${patient.cnp}`, 1),
    await makeReport(folder, 'Scrisoare medicala.pdf', `${patient.name}, CNP ${patient.cnp}`, 2),
  ]
  const institution = await open(OTHER_INSTITUTION, { viewport: { width: 360, height: 740 } })
  const reviewer = await open(REVIEWER)
  await reviewer.goto('/uploads')
  await expect(reviewer.getByRole('table', { name: 'Încărcări' })).toHaveAttribute('aria-busy', 'false')

  await test.step('the institution chooses the patient and two files, which say whose they are', async () => {
    await institution.goto('/institution')
    await institution.getByRole('tab', { name: 'Trimite fișiere' }).click()
    await institution.getByRole('combobox', { name: 'Pacientul' }).fill(patient.name)
    await institution.getByRole('option', { name: patient.name }).click()
    await institution.locator('input[type=file]').setInputFiles(documents.map(({ path }) => path))
    for (const { name } of documents)
      await expect(
        institution
          .getByRole('listitem')
          .filter({ hasText: name })
          .getByText(/CNP.*potriv/),
      ).toBeVisible({ timeout: 60_000 })
    // One that is released with its acceptance.
    await institution.getByRole('combobox', { name: 'Categorie' }).fill('CT torace')
    await institution.getByRole('option', { name: /CT torace$/ }).click()
    await institution.getByLabel('Titlu').fill(TITLE)
    await institution.getByRole('button', { name: 'Trimite centrului' }).click()
  })

  const sent = institution.locator('[data-sent]').filter({ hasText: TITLE })
  await test.step('it follows them to the review', async () => {
    await expect(sent.getByText('la verificare')).toBeVisible({ timeout: 60_000 })
    await expect(sent).toContainText('2 fișiere')
    await expect(sent).toContainText(patient.name)
  })

  await test.step('the reviewer sees who has sent them, and accepts', async () => {
    const row = reviewer.getByRole('row').filter({ hasText: patient.name })
    await expect(row.getByText(/^Trimis de /)).toBeVisible()
    const source = reviewer.getByRole('button', { name: /Sursă/ })
    await source.click()
    await reviewer.getByRole('option', { name: 'Trimise de personal' }).click()
    await expect(reviewer).toHaveURL(/sender=staff/)
    await expect(row).toHaveCount(0)
    await source.click()
    await reviewer.getByRole('option', { name: 'Trimise de instituții' }).click()
    await expect(reviewer).toHaveURL(/sender=institution/)
    await row.getByRole('link', { name: TITLE }).click()
    await expect(reviewer.getByRole('heading', { level: 1, name: TITLE })).toBeVisible()
    await expect(reviewer.getByText(/^Trimis de /)).toBeVisible()
    // The files arrive in any order.
    const list = reviewer.getByRole('list', { name: 'Fișiere', exact: true })
    for (const [name, pages] of [
      ['Analize.pdf', 1],
      ['Scrisoare medicala.pdf', 2],
    ] as const) {
      await list.getByRole('button', { name }).click()
      await expect(reviewer.locator('[data-page]')).toHaveCount(pages)
      await expect(reviewer.locator('[data-page="1"] canvas')).toBeVisible()
    }
    await acceptByKey(reviewer)
    await expect(reviewer.getByText(new RegExp(`acceptată: ${patient.name}`))).toBeVisible()
  })

  await test.step('the institution sees it released without reloading, and opens it', async () => {
    await expect(sent.getByText('eliberat')).toBeVisible({ timeout: 30_000 })
    await sent.getByRole('link', { name: `Deschide: ${TITLE}` }).click()
    const result = institution.getByRole('dialog')
    await expect(result).toContainText('Scrisoare medicala.pdf')
    await institution.keyboard.press('Escape')
    await expect(result).toBeHidden()
  })

  await test.step('the page of a patient says what is under way at the centre', async () => {
    await uploadDocument(await client(REGISTRAR), patient, 'Ecografie', documents[0]!)
    await institution.goto(`/institution?tab=pacienti&patient=${patient.id}`)
    await expect(institution.getByText('În lucru la centru: 1 examinare')).toBeVisible()
  })
})

test('a file of another patient is asked about before it is sent, and goes to its own patient', async ({
  open,
  product,
}) => {
  const [chosen, owner] = [
    await makeReferredPatient(product, OTHER_INSTITUTION),
    await makeReferredPatient(product, OTHER_INSTITUTION),
  ]
  const document = await makeReport(folder, 'Trimitere.pdf', `${owner.name}, CNP ${owner.cnp}`, 1)
  const page = await open(OTHER_INSTITUTION)
  await page.goto('/institution')
  await page.getByRole('tab', { name: 'Trimite fișiere' }).click()
  await page.getByRole('combobox', { name: 'Pacientul' }).fill(chosen.name)
  await page.getByRole('option', { name: chosen.name }).click()
  await page.locator('input[type=file]').setInputFiles(document.path)
  const file = page.getByRole('listitem').filter({ hasText: document.name })
  await expect(file).toContainText('CNP-ul din fișier nu este al pacientului ales', { timeout: 60_000 })
  await page.getByLabel('Titlu').fill('Trimitere de urgență')
  await page.getByRole('button', { name: 'Trimite centrului' }).click()
  const question = page.getByRole('alertdialog', { name: 'Trimiteți totuși?' })
  await expect(question).toContainText('CNP-ul din fișier nu este al pacientului ales')
  await question.getByRole('button', { name: 'Mă întorc la fișiere' }).click()

  await page.getByRole('button', { name: `Alege pacientul ${owner.name}` }).click()
  await expect(file.getByText(/CNP.*potriv/)).toBeVisible()
  await page.getByRole('button', { name: 'Trimite centrului' }).click()
  const sent = page.locator('[data-sent]').filter({ hasText: 'Trimitere de urgență' })
  await expect(sent).toContainText(owner.name)
  await expect(question).toHaveCount(0)
})

test('what was typed about an unfinished sending is kept when the page is reloaded and when it is closed', async ({
  open,
  product,
}) => {
  const patient = await makeReferredPatient(product, OTHER_INSTITUTION)
  const document = await makeReport(folder, 'Neterminat.pdf', `${patient.name}, CNP ${patient.cnp}`, 1)
  const page = await open(OTHER_INSTITUTION)
  await page.goto('/institution?tab=trimite')
  await page.getByRole('combobox', { name: 'Pacientul' }).fill(patient.name)
  await page.getByRole('option', { name: patient.name }).click()
  await page.locator('input[type=file]').setInputFiles(document.path)
  const file = page.getByRole('listitem').filter({ hasText: document.name })
  await expect(file.getByText(/CNP.*potriv/)).toBeVisible({ timeout: 60_000 })
  const kept = page.waitForRequest(
    (request) =>
      request.url().endsWith('/graphql') &&
      request.postDataJSON().variables?.upload?.note === 'Vă rugăm azi.',
  )
  await page.getByLabel('Mesaj pentru centru').fill('Vă rugăm azi.')
  await (await kept).response()
  await page.reload()

  const unfinished = page.getByText(/^Trimitere neterminată: Neterminat/)
  const goOn = async () => {
    await expect(unfinished).toBeVisible()
    await page.getByRole('button', { name: 'Continuă' }).first().click()
  }
  await goOn()
  await expect(page.getByLabel('Mesaj pentru centru')).toHaveValue('Vă rugăm azi.')
  await page.getByLabel('Titlu').fill('Neterminat, dar cu titlu')
  // What had the focus is gone, and the focus stays in the part of the sendings.
  const expectFocus = () => expect(page.locator(':focus')).toHaveCount(1)
  await page.getByRole('button', { name: 'Închide', exact: true }).press('Enter')
  await expect(unfinished).toBeVisible()
  await expectFocus()
  await goOn()
  await expect(page.getByLabel('Titlu')).toHaveValue('Neterminat, dar cu titlu')
  await page.getByRole('button', { name: 'Trimite centrului' }).press('Enter')
  const sent = page.locator('[data-sent]').filter({ hasText: 'Neterminat, dar cu titlu' })
  await expect(sent).toContainText(patient.name)
  await expectFocus()

  const created = page.waitForResponse(
    (response) =>
      response.url().endsWith('/graphql') &&
      response.request().postDataJSON().operationName === 'CreateSentUpload',
  )
  await page.locator('input[type=file]').setInputFiles(document.path)
  await created
  await page.getByRole('button', { name: 'Renunță', exact: true }).press('Enter')
  await expect(file).toHaveCount(0)
  await expectFocus()
})
