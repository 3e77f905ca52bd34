import { makeInstitution, makePatient, makeReferral, makeUpload } from '../../db/factories.ts'
import { publish } from '../../server/platform/events.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { readArchive, sha256 } from '../harness/documents.ts'
import { makeClerk } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const HOUR_MS = 3_600_000

/** Makes a morning's results: two namesakes with three results each, and 24 other patients with one. */
async function makeMorning(product: Product, institutionId: string) {
  const storage = await openDiskStorage(`${product.dataDir}/files`)
  const people = [
    { surname: 'Popescu', given_names: 'Maria', birth_date: '1959-03-12' },
    { surname: 'Popescu', given_names: 'Maria', birth_date: '2014-07-01' },
    ...Array.from({ length: 24 }, (_, index) => ({ surname: `Dimineață${index}`, given_names: 'Ion' })),
  ]
  const release = async (patientId: string, title: string, releasedAt: Date) => {
    const made = await makeUpload(product.db, storage, {
      title,
      patient_id: patientId,
      institution_id: institutionId,
      referring_doctor: 'Dr. Vlad Hățieganu',
      examined_on: '2026-03-02',
      state: 'released',
      released_at: releasedAt,
      files: [{ name: 'Raport.pdf', bytes: Buffer.from(`%PDF-1.7 ${title}`) }],
    })
    return { id: made.id, title }
  }
  const results = []
  for (const [place, person] of people.entries()) {
    const { id } = await makePatient(product.db, person)
    await makeReferral(product.db, { patient_id: id, institution_id: institutionId })
    for (let count = 0; count < (place < 2 ? 3 : 1); count += 1)
      results.push(
        await release(id, `Analize ${place}.${count}`, new Date(Date.now() - (results.length + 1) * HOUR_MS)),
      )
  }
  const { id: late } = await makePatient(product.db, { surname: 'Sosit', given_names: 'Târziu' })
  await makeReferral(product.db, { patient_id: late, institution_id: institutionId })
  return { results, releaseLate: () => release(late, 'Analize târzii', new Date()) }
}

const rowOf = (page: Page, { id }: { id: string }) => page.locator(`[data-result="${id}"]`)
const tab = (page: Page) => page.getByRole('tab', { name: /^Rezultate/ })
const view = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Starea rezultatelor' }).getByRole('button', { name })

/** Shows a view and waits for its results: until then those of the view before are dimmed and inert. */
async function showView(page: Page, name: string): Promise<void> {
  await view(page, name).click()
  await expect(view(page, name)).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

test('two clerks share a morning of results: marks, counts and undo, by keyboard; a selection is downloaded', async ({
  expectError,
  open,
  product,
}) => {
  test.setTimeout(180_000)
  const institution = await makeInstitution(product.db)
  const [ana, bogdan] = [
    await makeClerk(product, 'Ana Pop', institution.id),
    await makeClerk(product, 'Bogdan Rus', institution.id),
  ]
  const { results, releaseLate } = await makeMorning(product, institution.id)
  const [first, second, third] = [results[0]!, results[1]!, results[2]!]
  const page = await open(ana.email)
  const other = await open(bogdan.email)
  for (const each of [page, other]) {
    await each.goto('/institution')
    await expect(rowOf(each, first)).toContainText('nou')
    await expect(tab(each)).toContainText('30')
    await expect(each).toHaveTitle(/^\(30\) /)
  }

  await test.step('one takes a result, and the other sees by whom', async () => {
    await page.keyboard.press('j')
    await expect(rowOf(page, first).getByRole('link')).toBeFocused()
    await page.keyboard.press('p')
    await expect(rowOf(page, first)).toContainText('preluat · dvs.')
    await expect(rowOf(other, first)).toContainText('preluat · Ana Pop')
    await expect(page).toHaveTitle(/^\(30 · 1 ale mele\) /)
    await expect(tab(other)).toContainText('30')
    await expect(view(page, 'Noi')).toContainText('29')
    await expect(view(other, 'Noi')).toContainText('29')
  })

  await test.step('handled, undone by the toast and by the key', async () => {
    await page.keyboard.press('e')
    await expect(rowOf(other, first)).toContainText('rezolvat · Ana Pop')
    for (const each of [page, other]) await expect(tab(each)).toContainText('29')
    await page
      .getByRole('alertdialog')
      .filter({ hasText: 'rezolvat' })
      .getByRole('button', { name: 'Anulează' })
      .click()
    await expect(rowOf(other, first)).toContainText('preluat · Ana Pop')
    await rowOf(page, first).getByRole('link').focus()
    await page.keyboard.press('u')
    await expect(rowOf(other, first)).toContainText('nou')
    for (const each of [page, other]) await expect(tab(each)).toContainText('30')
  })

  await test.step('Enter opens a result; the list of keys opens with ?', async () => {
    await page.keyboard.press('j')
    await expect(rowOf(page, second).getByRole('link')).toBeFocused()
    // A result that is opened while the network is away loads by itself when it is back.
    expectError(/net::ERR_INTERNET_DISCONNECTED/)
    await page.context().setOffline(true)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Nu am putut încărca datele')
    await page.context().setOffline(false)
    const header = dialog.locator('header')
    await expect(header).toContainText(second.title)
    // What a colleague does meanwhile is shown beside the open result.
    await rowOf(other, second).getByRole('link').focus()
    await other.keyboard.press('p')
    await expect(header).toContainText('preluat · Bogdan Rus')
    await other.keyboard.press('u')
    await expect(header).not.toContainText('preluat')
    await dialog.getByRole('button', { name: 'Închide' }).last().press('Enter')
    await expect(dialog).toHaveCount(0)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Taste' })).toContainText('Marchează rezolvat')
    await dialog.getByRole('button', { name: 'Închide' }).press('Enter')
    await expect(dialog).toHaveCount(0)
  })

  await test.step('in the new results a handled row gives its place and the focus to the next', async () => {
    await showView(page, 'Noi')
    await rowOf(page, first).getByRole('link').focus()
    await expect(rowOf(page, first).getByRole('link')).toBeFocused()
    await page.keyboard.press('x')
    await page.keyboard.press('e')
    await expect(rowOf(page, first)).toHaveCount(0)
    await expect(rowOf(page, second).getByRole('link')).toBeFocused()
    // The row under the cursor has no mark to take back: the key takes back the last one.
    await page.keyboard.press('u')
    await rowOf(page, first).getByRole('link').focus()
    await page.keyboard.press('e')
    await expect(rowOf(page, first)).toHaveCount(0)
    await showView(page, 'Rezolvate')
    await expect(page.locator('[data-result]')).toHaveCount(1)
    await showView(page, 'Toate')
    await expect(rowOf(page, first)).toContainText('rezolvat · Ana Pop')
    await expect(page.locator('[data-has-selection]')).toHaveCount(0)
  })

  await test.step('a range is chosen with Shift and downloaded as one archive', async () => {
    await rowOf(page, second).locator('label').click()
    await rowOf(page, results[5]!)
      .locator('label')
      .click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: 'Rezultatele alese' })
    await expect(bar).toContainText('5 rezultate alese')
    const chooseThird = async () => {
      await rowOf(page, third).getByRole('link').focus()
      await page.keyboard.press('x')
    }
    await chooseThird()
    await expect(bar).toContainText('4 rezultate alese')
    await rowOf(page, results[6]!).getByRole('link').focus()
    await page.keyboard.press('Shift+X')
    await expect(bar).toContainText('6 rezultate alese')
    await page.keyboard.press('x')
    await chooseThird()
    await expect(bar).toContainText('4 rezultate alese')
    await expectAccessibleInBothModes(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      bar.getByRole('link', { name: 'Descarcă selecția' }).click(),
    ])
    const archive = await readArchive(await download.path())
    const chosen = [1, 3, 4, 5].map((place) => results[place]!)
    expect(archive).toEqual(
      Object.fromEntries(
        chosen.map(({ title }) => [
          `Popescu Maria – 2026-03-02 – ${title}/Raport.pdf`,
          sha256(Buffer.from(`%PDF-1.7 ${title}`)),
        ]),
      ),
    )
    await bar.getByRole('button', { name: 'Preia', exact: true }).click()
    await expect(rowOf(other, results[5]!)).toContainText('preluat · Ana Pop')
    // What a colleague has handled is not reopened with the marks that the key takes back.
    await rowOf(other, results[5]!).getByRole('link').focus()
    await other.keyboard.press('e')
    await expect(rowOf(page, results[5]!)).toContainText('rezolvat · Bogdan Rus')
    await rowOf(page, second).getByRole('link').focus()
    await page.keyboard.press('e')
    await expect(rowOf(page, second)).toContainText('rezolvat · Ana Pop')
    await page.keyboard.press('u')
    await expect(rowOf(page, second)).toContainText('preluat · dvs.')
    await expect(rowOf(page, results[5]!)).toContainText('rezolvat · Bogdan Rus')
    await page.keyboard.press('Escape')
    await expect(bar).toHaveCount(0)
    await other.keyboard.press('u')
    await expect(rowOf(page, results[5]!)).toContainText('preluat · dvs.')
  })

  await test.step('namesakes are grouped by person', async () => {
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await page.keyboard.type('popescu maria')
    await expect(page.locator('[data-result]')).toHaveCount(6)
    await expect(page.locator('.group-heading')).toHaveText([
      /Popescu Maria.*12\.03\.1959.*CNP \*+\d{4}/,
      /Popescu Maria.*01\.07\.2014.*CNP \*+\d{4}/,
    ])
    await page.getByRole('searchbox').fill('')
    await expect(page.locator('[data-result]')).toHaveCount(30)
  })

  await test.step('a result that arrives is announced by a button that goes to it', async () => {
    const late = await releaseLate()
    await publish(product.db, { kind: 'upload', id: late.id, patientId: null, institutionId: institution.id })
    await page.getByRole('button', { name: '1 rezultat nou' }).click()
    await expect(rowOf(page, late).getByRole('link')).toBeFocused()
    await expect(tab(other)).toContainText('30')
  })
})

test('a new colleague finds what nobody has taken above the open results, and takes it', async ({
  open,
  product,
}) => {
  const institution = await makeInstitution(product.db)
  const { results } = await makeMorning(product, institution.id)
  const clerk = await makeClerk(product, 'Dana Nou', institution.id)
  await product.db
    .updateTable('user_institution')
    .set({ joined_at: new Date() })
    .where('user_id', '=', clerk.id)
    .execute()
  const page = await open(clerk.email)
  // Without live updates, what the clerk marks is counted all the same.
  await page.routeWebSocket('**/graphql', () => undefined)
  await page.goto('/institution')
  await showView(page, 'De rezolvat')
  await expect(page.getByText('Nimic de rezolvat')).toBeVisible()
  await expect(page.getByText('30 de rezultate mai vechi sunt încă nepreluate.')).toBeVisible()
  await page.getByRole('button', { name: 'Arată-le' }).click()
  await expect(view(page, 'Mai vechi')).toHaveAttribute('aria-pressed', 'true')
  await expect(rowOf(page, results[0]!)).toBeVisible()
  await rowOf(page, results[0]!).getByRole('link').focus()
  await page.keyboard.press('p')
  await expect(rowOf(page, results[0]!)).toHaveCount(0)
  await showView(page, 'De rezolvat')
  await expect(rowOf(page, results[0]!)).toContainText('preluat')
  await expect(page.getByText('29 de rezultate mai vechi sunt încă nepreluate.')).toBeVisible()

  await test.step('another computer begins with the same view, in its first request; a shared link keeps nothing', async () => {
    const elsewhere = await open(clerk.email)
    const asked: string[] = []
    elsewhere.on('request', (request) => {
      const body = request.postData() ?? ''
      if (body.includes('"operationName":"Inbox"')) asked.push(JSON.parse(body).variables.view)
    })
    await elsewhere.goto('/institution')
    await expect(rowOf(elsewhere, results[0]!)).toContainText('preluat')
    await expect(elsewhere).toHaveURL(/view=open/)
    expect(asked).toEqual(['open'])
    await elsewhere.goto('/institution?view=handled')
    await expect(view(elsewhere, 'Rezolvate')).toHaveAttribute('aria-pressed', 'true')
    await elsewhere.goto('/institution')
    await expect(view(elsewhere, 'De rezolvat')).toHaveAttribute('aria-pressed', 'true')
    await elsewhere.goto('/institution?view=open&since=2026-03-02')
    const kept = elsewhere.waitForResponse(
      (response) => response.request().postData()?.includes('KeepInboxFilters') ?? false,
    )
    await elsewhere.getByRole('button', { name: 'Șterge filtrele' }).click()
    expect((await kept).status()).toBe(200)
    await elsewhere.goto('/institution')
    await expect(rowOf(elsewhere, results[1]!)).toBeVisible()
    await expect(view(elsewhere, 'Toate')).toHaveAttribute('aria-pressed', 'true')
  })
})
