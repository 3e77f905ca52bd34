import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../server/platform/ids.ts'
import { makeCnp } from '../../shared/romania/cnp.ts'
import type { TestClient } from '../../test/client.ts'
import { ACCEPT_UPLOAD } from '../../test/documents.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { ADMIN, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { setSetting } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-notices-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

async function fileReport(product: Product, registrar: TestClient, text?: string) {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', text ?? patient.name, 1)
  const { uploadId } = await uploadDocument(registrar, patient, 'Ecografie', report)
  return { uploadId, patient }
}

const openReview = async (page: Page, id: string) => {
  await page.goto(`/uploads/${id}`)
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
}

const REJECT = `mutation ($id: ID!, $version: Int!, $reason: String!) {
  rejectUpload(id: $id, version: $version, reason: $reason) { id } }`
const VERSION = 'query ($id: ID!) { upload(id: $id) { version } }'
const versionOf = async (person: TestClient, id: string): Promise<number> =>
  (await person.runQuery(VERSION, { id })).upload.version

/** Records from now on whether the page has shown any of these texts, even briefly. */
const watchFor = (page: Page, words: string) =>
  page.evaluate((text) => {
    const seen = () => {
      if (document.body.textContent.includes(text)) Object.assign(window, { hasShownWords: true })
    }
    new MutationObserver(seen).observe(document.body, { childList: true, subtree: true, characterData: true })
  }, words)
const hasShown = (page: Page): Promise<boolean> => page.evaluate(() => 'hasShownWords' in window)

test('after a colleague’s verdict the reviewer sees who gave it and which, and N opens the next upload', async ({
  open,
  client,
  product,
}) => {
  const registrar = await client(REGISTRAR)
  const colleague = await client(ADMIN)
  const { name } = await product.db
    .selectFrom('app_user')
    .select('name')
    .where('email', '=', ADMIN)
    .executeTakeFirstOrThrow()
  const reviewer = await open(REVIEWER)
  for (const [act, said] of [
    [REJECT, `${name} a respins-o acum`],
    [ACCEPT_UPLOAD, `${name} a acceptat-o acum`],
  ] as const) {
    const { uploadId: id } = await fileReport(product, registrar)
    await openReview(reviewer, id)
    const version = await versionOf(colleague, id)
    await colleague.runQuery(act, { id, version, ...(act === REJECT ? { reason: 'unreadable' } : {}) })
    const notice = reviewer.getByRole('alert').filter({ hasText: said })
    await expect(notice).toBeVisible()
    await expect(reviewer.getByRole('button', { name: 'Am văzut, continuă' })).toHaveCount(0)
    await expect(notice.getByRole('button', { name: 'Treci la următoarea' })).toBeVisible()
    await expectAccessible(reviewer)
    await reviewer.keyboard.press('n')
    await expect(reviewer).not.toHaveURL(new RegExp(id))
    await expect(reviewer).toHaveURL(/\/uploads\/.+/)
  }
})

test('the user’s own withdrawal, release or resubmission is not reported as another user’s change', async ({
  open,
  client,
  product,
}) => {
  const registrar = await client(REGISTRAR)
  const { uploadId: id } = await fileReport(product, registrar)
  const reviewer = await open(REVIEWER)

  await test.step('the reviewer withdraws', async () => {
    await openReview(reviewer, id)
    await watchFor(reviewer, 'Încărcarea s-a schimbat')
    await reviewer.getByRole('button', { name: 'Retrage încărcarea' }).click()
    await reviewer.getByRole('alertdialog').getByRole('button', { name: 'Retrage' }).click()
    await expect(reviewer.getByText('a fost retrasă')).toBeVisible()
    await expect(reviewer.getByText('retrasă', { exact: true })).toBeVisible()
    expect(await hasShown(reviewer)).toBe(false)
    await expect(reviewer.getByRole('alert').filter({ hasText: 'acum' })).toHaveCount(0)
  })

  await test.step('the author, who also reviews, sends it again', async () => {
    const own = await client(REVIEWER)
    const { uploadId } = await fileReport(product, own)
    const colleague = await client(ADMIN)
    const version = await versionOf(colleague, uploadId)
    await colleague.runQuery(REJECT, { id: uploadId, version, reason: 'unreadable' })
    await reviewer.goto(`/uploads/${uploadId}`)
    await expect(reviewer.locator('[data-page="1"] canvas')).toBeVisible()
    await watchFor(reviewer, 'Încărcarea s-a schimbat')
    await reviewer.getByRole('button', { name: 'Trimite din nou' }).click()
    await expect(reviewer.getByText('a fost trimisă din nou la verificare')).toBeVisible()
    await expect(reviewer.getByRole('button', { name: 'Respinge' })).toBeEnabled()
    expect(await hasShown(reviewer)).toBe(false)
  })
})

test('a registrar whose open upload is rejected is not asked to look before a verdict', async ({
  open,
  client,
  product,
}) => {
  const { uploadId: id } = await fileReport(product, await client(REGISTRAR))
  const registrar = await open(REGISTRAR)
  await openReview(registrar, id)
  await watchFor(registrar, 'Încărcarea s-a schimbat')
  const colleague = await client(ADMIN)
  await colleague.runQuery(REJECT, { id, version: await versionOf(colleague, id), reason: 'unreadable' })
  await expect(registrar.getByText('Respinsă: Nu se poate citi')).toBeVisible()
  await registrar.getByRole('button', { name: 'Trimite din nou' }).click()
  await expect(registrar.getByText('a fost trimisă din nou la verificare')).toBeVisible()
  await expect(registrar.getByText('de verificat', { exact: true })).toBeVisible()
  expect(await hasShown(registrar)).toBe(false)
})

test('twenty files with a foreign CNP are one line, and the details stay visible', async ({
  open,
  client,
  product,
}) => {
  const foreign = makeCnp({ sex: 'female', birthDate: '1981-06-26', county: 12, serial: 162 })
  const { uploadId } = await fileReport(product, await client(REGISTRAR), `CNP ${foreign}`)
  const { id: _, ...file } = await product.db
    .selectFrom('file')
    .selectAll()
    .where('upload_id', '=', uploadId)
    .executeTakeFirstOrThrow()
  const others = Array.from({ length: 19 }, (_each, index) => ({
    ...file,
    facts: JSON.stringify(file.facts),
    id: newId(),
    name: `Buletin de analize medicale, pagina ${index + 2}.pdf`,
    position: file.position + index + 1,
    storage_key: `${file.storage_key}-${index}`,
  }))
  await product.db.insertInto('file').values(others).execute()

  const page = await open(REVIEWER, { viewport: { width: 1440, height: 900 } })
  await openReview(page, uploadId)
  const alert = page.getByRole('list', { name: 'În fișiere' })
  await expect(alert).toContainText('CNP: nu se potrivește')
  await expect(alert).toContainText(/\*+\d+ în 20 de fișiere/)
  await alert.getByText('în 20 de fișiere').click()
  await expect(alert.getByRole('button', { name: 'pagina 7.pdf' })).toBeAttached()

  const facts = page.getByRole('region', { name: 'Date', exact: true })
  await expect(facts).toBeInViewport({ ratio: 0.3 })
  await page.getByRole('button', { name: 'Editează' }).click({ trial: true })
  const tooHigh = await page.evaluate(
    () => document.documentElement.scrollHeight - document.documentElement.clientHeight,
  )
  expect(tooHigh).toBeLessThanOrEqual(1)
})

test('on a low screen the patient is in sight above long notices', async ({ open, client, product }) => {
  const { uploadId, patient } = await fileReport(product, await client(REGISTRAR))
  const findings = ['pdf-attachment', 'macros', 'unexamined'].flatMap((kind) =>
    [2, 3, 4].map((page) => ({ kind, where: `Buletin de analize medicale, anexa cu pagina ${page}.pdf` })),
  )
  await product.db
    .updateTable('file')
    .set({ facts: JSON.stringify({ findings }) })
    .where('upload_id', '=', uploadId)
    .execute()

  const page = await open(REVIEWER, { viewport: { width: 1280, height: 720 } })
  await openReview(page, uploadId)
  await expect(page.getByText('De verificat în fișiere')).toBeAttached()
  await expect(page.getByRole('link', { name: patient.name })).toBeInViewport({ ratio: 1 })
  await expect(page.getByText(`*********${patient.cnp.slice(-4)}`)).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('list', { name: 'În fișiere' })).toBeInViewport({ ratio: 0.5 })
})

test('the author of an upload that the check has stopped sees each file with its reason, and what to do next', async ({
  open,
  client,
  product,
}) => {
  const { uploadId, patient } = await fileReport(product, await client(REGISTRAR))
  const { id: fileId, ...file } = await product.db
    .selectFrom('file')
    .selectAll()
    .where('upload_id', '=', uploadId)
    .executeTakeFirstOrThrow()
  const refused = (reason: string) => ({
    facts: JSON.stringify({ reason }),
    scan_result: 'refused' as const,
  })
  await product.db.updateTable('file').set(refused('executable')).where('id', '=', fileId).execute()
  const second = {
    id: newId(),
    name: 'Scris.docx',
    kind: 'other' as const,
    position: file.position + 1,
    storage_key: `${file.storage_key}-2`,
  }
  await product.db
    .insertInto('file')
    .values({ ...file, ...second, ...refused('damaged') })
    .execute()
  await product.db.updateTable('upload').set({ state: 'quarantined' }).where('id', '=', uploadId).execute()

  const registrar = await open(REGISTRAR, { reducedMotion: 'reduce', viewport: { width: 360, height: 740 } })
  const program = 'Raport.pdf: Numele se termină în „.pdf”, dar conținutul este un program'
  await registrar.goto('/bulk')
  const row = registrar.getByRole('row').filter({ hasText: patient.name })
  await expect(row).toContainText(program)
  await expect(row).toContainText('Scris.docx: Fișierul este deteriorat')
  await expectAccessible(registrar)
  await registrar.goto(`/uploads/${uploadId}`)
  await expect(registrar.getByText(program)).toBeVisible()
  await expect(registrar.getByText('Ce urmează: retrage încărcarea')).toBeVisible()
  await expectAccessible(registrar)
  await registrar.getByRole('link', { name: 'Mergi la pacient' }).click()
  await expect(registrar).toHaveURL(new RegExp(patient.id))

  const reviewer = await open(REVIEWER)
  await reviewer.goto(`/uploads/${uploadId}`)
  await expect(reviewer.getByText(program)).toBeVisible()
  await expect(reviewer.getByText('Ce urmează')).toHaveCount(0)
})

test('at 360 px the search field of a filtered queue keeps room for text', async ({ open }) => {
  const page = await open(REVIEWER, { viewport: { width: 360, height: 740 } })
  await page.goto('/uploads?mine=true&q=popescu')
  const field = page.getByRole('searchbox', { name: /Caută după numele pacientului/ })
  await expect(field).toHaveValue('popescu')
  await expect(page.getByRole('button', { name: 'Filtre (1)' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Șterge filtrele' }).first()).toBeVisible()
  const fits = await field.evaluate((element) => {
    const { clientWidth, scrollWidth } = element as HTMLInputElement
    return clientWidth >= 80 && scrollWidth <= clientWidth
  })
  expect(fits).toBe(true)
})

test('a reviewer sees in the queue and on the page that another reviewer accepts what they filed', async ({
  open,
  client,
  product,
}) => {
  const { uploadId: id, patient } = await fileReport(product, await client(REVIEWER))
  const reviewer = await open(REVIEWER)
  await reviewer.goto('/uploads')
  const reason = 'Ai încărcat-o tu: o acceptă altcineva'
  await reviewer.getByLabel('Caută după numele pacientului').fill(patient.name)
  const row = reviewer.getByRole('row').filter({ hasText: patient.name })
  await expect(row.getByText(reason)).toBeVisible()
  await expect(reviewer.getByRole('link', { name: 'Începe verificarea' })).toHaveCount(0)
  await expectAccessible(reviewer)

  await openReview(reviewer, id)
  const toolbar = reviewer.getByRole('toolbar', { name: 'Verdict' })
  await expect(reviewer.getByRole('status').filter({ hasText: `${reason}.` })).toBeVisible()
  await expect(toolbar.getByRole('button', { name: 'Respinge' })).toBeEnabled()
  await expect(toolbar.getByRole('button', { name: 'Acceptă' })).toHaveCount(0)
  await expectAccessible(reviewer)
  await expect(async () => {
    await reviewer.keyboard.press('a')
    await expect(reviewer.getByText('Nu o poți accepta')).toBeVisible({ timeout: 500 })
  }).toPass()

  // With the setting that allows it, the upload is marked all the same.
  const restore = await setSetting(product, 'self_review', true)
  try {
    await reviewer.reload()
    const mark = reviewer
      .getByRole('status')
      .filter({ hasText: 'Ai încărcat-o tu: verifici propria încărcare.' })
    await expect(mark).toBeVisible()
    await expect(toolbar.getByRole('button', { name: 'Acceptă' })).toBeEnabled()
    await reviewer.goto(`/uploads?q=${encodeURIComponent(patient.name)}`)
    await expect(row.getByText('Ai încărcat-o tu')).toBeVisible()
  } finally {
    await restore()
  }
  await openReview(reviewer, id)

  const colleague = await client(ADMIN)
  await colleague.runQuery(ACCEPT_UPLOAD, { id, version: await versionOf(colleague, id) })
  await expect(reviewer.getByRole('alert').filter({ hasText: 'a acceptat-o acum' })).toBeVisible()
})
