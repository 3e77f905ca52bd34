import { sql } from 'kysely'
import { makePatient, makeReferral, makeUpload } from '../../db/factories.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { pauseClock } from '../harness/graphql-line.ts'
import { makeReferredPatient } from '../harness/new-upload.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Caută în site' })
const options = (page: Page) => page.getByRole('dialog').getByRole('option')
const chosen = (page: Page) => page.locator('[role=option][data-focused]')

/** Opens the search by keyboard and types; resolves when the results are shown. */
async function searchFor(page: Page, text: string, first: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(text)
  await expect(chosen(page)).toContainText(first)
}

const plain = (name: string) => name.toLowerCase().replaceAll('ă', 'a')

/** Makes an upload of the patient that the institution may read. */
async function makeReleased(product: Product, patient: { id: string; institutionId: string }, title: string) {
  const storage = await openDiskStorage(`${product.dataDir}/files`)
  const { patient_id, institution_id } = { patient_id: patient.id, institution_id: patient.institutionId }
  const released = { state: 'released', released_at: new Date() } as const
  return makeUpload(product.db, storage, { patient_id, institution_id, title, ...released })
}

test('Ctrl K finds and opens a patient, an upload and a screen, by keyboard alone [1.7]', async ({
  open,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const { id, number } = await makeReleased(product, patient, 'Ecografie de căutat')
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await expect(page.getByRole('searchbox')).toBeFocused()

  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await expect(options(page).first()).toBeVisible()
  await expect(options(page)).toContainText([
    'Pacienți',
    'Instituții',
    'Încărcările mele',
    'Jurnal de activitate',
  ])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('searchbox')).toBeFocused()

  await searchFor(page, plain(patient.name), patient.name)
  await expect(page.getByRole('group', { name: 'Pacienți' }).getByRole('option')).toHaveCount(1)
  await expect(field(page)).toHaveAttribute('aria-activedescendant', /.+/)
  await page.keyboard.press('ArrowDown')
  await expect(chosen(page)).toContainText('Ecografie de căutat')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: patient.name })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(page.url()).toMatch(new RegExp(`/patients/${patient.id}$`))

  await searchFor(page, String(number), 'Ecografie de căutat')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/uploads/${id}$`))
  await expect(page.getByRole('heading', { level: 1, name: 'Ecografie de căutat' })).toBeVisible()

  await searchFor(page, 'institut', 'Instituții')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/institutions$/)
})

test('a name with a wrong letter finds near names, marked as such, and Enter alone opens none of them', async ({
  open,
  product,
}) => {
  const { id } = await makePatient(product.db, {
    surname: 'Kurylenko',
    given_names: 'Oksana',
    birth_date: '1971-02-03',
  })
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  const search = page.getByRole('searchbox')
  const link = page.getByRole('link', { name: /Kurylenko Oksana/ })
  await search.fill('kurilenko')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nimic exact: arătăm nume apropiate.')).toBeVisible()
  await expect(page.getByRole('row').filter({ has: link })).toContainText('nume apropiat')
  await expect(link).toBeFocused()
  await expectAccessibleInBothModes(page)
  await search.fill('kurylenko 1971')
  await expect(page.getByRole('row').filter({ has: link })).toContainText('născută 03.02.1971')
  await expect(page.getByText('Nimic exact')).toHaveCount(0)

  await searchFor(page, 'kurilenko', 'Kurylenko Oksana')
  await expect(page.getByRole('dialog').getByText('Nimic exact: arătăm nume apropiate.')).toBeVisible()
  await expect(chosen(page)).toContainText('nume apropiat')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/patients/${id}$`))
})

test('near names are called so in the queue, whose search leads to its first row, and in an institution’s inbox', async ({
  open,
  product,
}) => {
  const referred = await makeReferredPatient(product, INSTITUTION)
  const { id } = await makePatient(product.db, { surname: 'Zwierzynski', given_names: 'Olga' })
  const { institutionId } = referred
  await makeReferral(product.db, { patient_id: id, institution_id: institutionId })
  await makeReleased(product, { id, institutionId }, 'Ecografie apropiată')
  const reviewer = await open(REVIEWER)
  await reviewer.goto('/uploads?state=released')
  await reviewer.getByRole('searchbox').fill('zwierzinski')
  await reviewer.keyboard.press('Enter')
  await expect(reviewer.getByText('Nimic exact: arătăm nume apropiate.')).toBeVisible()
  await expect(reviewer.getByRole('row').getByRole('link').first()).toBeFocused()

  const clerk = await open(INSTITUTION)
  await clerk.goto('/institution?view=all')
  await clerk.getByRole('searchbox').fill('zwierzinski')
  await expect(clerk.getByText('Nimic exact: arătăm nume apropiate.')).toBeVisible()
  await expect(clerk.locator('.group-heading')).toContainText('Zwierzynski Olga')
})

test('Enter right after typing opens the result of the typed text, not an earlier result', async ({
  open,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const page = await open(REGISTRAR)
  await page.goto('/institutions')
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  await searchFor(page, 'popa', 'Popa')
  await field(page).fill('')
  await page.keyboard.type(plain(patient.name))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: patient.name })).toBeVisible()
})

test('Ctrl Enter opens a result in another tab and keeps the search open', async ({ open, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const page = await open(REGISTRAR)
  await page.goto('/institutions')
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  await searchFor(page, plain(patient.name), patient.name)
  const arrived = page.context().waitForEvent('page')
  await page.keyboard.press('Control+Enter')
  const tab = await arrived
  await expect(tab.getByRole('heading', { level: 1, name: patient.name })).toBeVisible()
  await expect(field(page)).toBeVisible()
  expect(page.url()).toMatch(/\/institutions$/)
})

test('the search opens from a field of a dialog, and returns the focus', async ({ open }) => {
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await page.getByRole('button', { name: 'Adaugă pacient' }).click()
  const cnp = page.getByRole('dialog').getByLabel('CNP', { exact: true })
  await cnp.focus()
  await page.keyboard.press('Meta+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(cnp).toBeFocused()
})

test('an institution’s user finds its patients and results and opens them in its own page [1.7]', async ({
  open,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  await makeReleased(product, patient, 'Rezultat de căutat')
  const page = await open(INSTITUTION)
  await page.goto('/institution')
  await page.getByRole('button', { name: 'Caută' }).click()
  await expect(options(page)).toHaveText([/Rezultate/, /Pacienți/, /Cereri de acces/, /Întrebări/, /Profil/])
  await page.keyboard.type(plain(patient.name))
  await expect(chosen(page)).toContainText(patient.name)
  await expect(options(page)).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: patient.name })).toBeVisible()

  await searchFor(page, plain(patient.name), patient.name)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: patient.name })).toContainText('Rezultat de căutat')
})

test('the search shows that nothing was found, shows a failure, and retries [1.7]', async ({
  open,
  expectError,
}) => {
  expectError(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const page = await open(REGISTRAR)
  await page.goto('/institutions')
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(options(page).first()).toBeVisible()
  await page.keyboard.type('nimeni nicaieri')
  await expect(page.getByText('Niciun rezultat pentru „nimeni nicaieri”')).toBeVisible()
  // The typed text is neither in the address nor in the history.
  expect(page.url()).not.toContain('nimeni')

  await page.route('**/graphql', (route) => route.abort())
  await page.keyboard.type(' acum')
  const retry = page.getByRole('dialog').getByRole('button', { name: 'Încearcă din nou' })
  await expect(retry).toBeVisible()
  await page.unroute('**/graphql')
  await retry.click()
  await expect(page.getByText('Niciun rezultat pentru „nimeni nicaieri acum”')).toBeVisible()
})

test('typing without a pause sends one query, and writes one audit entry', async ({ open, product }) => {
  const count = async () =>
    (await product.db.selectFrom('audit_event').select('id').where('action', '=', 'search').execute()).length
  const patient = await makeReferredPatient(product, INSTITUTION)
  const page = await open(REGISTRAR)
  await page.clock.install()
  await page.goto('/institutions')
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(options(page).first()).toBeVisible()
  const before = await count()
  // On any machine exactly this time passes between the keys.
  await pauseClock(page)
  for (const key of plain(patient.name)) {
    await page.keyboard.type(key)
    await page.clock.runFor(50)
  }
  await page.clock.resume()
  await expect(chosen(page)).toContainText(patient.name)
  expect(await count()).toBe(before + 1)
})

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
]) {
  test(`the search is accessible, in both modes, ${viewport.width} px [1.7]`, async ({ open }) => {
    const page = await open(REVIEWER, { viewport, reducedMotion: 'reduce' })
    await page.goto('/institutions')
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(options(page).first()).toBeVisible()
    await expectAccessibleInBothModes(page)
    await page.keyboard.type('popa')
    await expect(chosen(page)).toContainText('Popa')
    await expectAccessibleInBothModes(page)
    const overflow = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
    expect(overflow).toBe(0)
    await field(page).fill('nimeni nicaieri')
    await expect(page.getByText('Niciun rezultat pentru')).toBeVisible()
    await expectAccessibleInBothModes(page)
  })
}

test.describe('with a search service in the settings', () => {
  const set = async ({ db }: Product, settings: Record<string, string>) => {
    await db.deleteFrom('site_setting').where('key', 'like', 'search_%').execute()
    const rows = Object.entries(settings).map(([key, value]) => ({ key, value: JSON.stringify(value) }))
    if (rows.length > 0) await db.insertInto('site_setting').values(rows).execute()
  }
  test.afterEach(({ product }) => set(product, {}))

  test('institutions are searched there, patients never [1.7]', async ({ open, product }) => {
    const patient = await makeReferredPatient(product, INSTITUTION)
    await set(product, { search_application_id: 'ABC123', search_public_key: 'cheie-publica' })
    const page = await open(ADMIN)
    const requested: string[] = []
    // The address of the service, which the page's policy has to allow.
    await page.route(/algolia/, (route) => {
      requested.push(`${new URL(route.request().url()).hostname} ${route.request().postData()}`)
      const hits = [{ objectID: 'abc', name: 'Clinica din serviciu', code: 'SERV', locality: 'Cluj' }]
      return route.fulfill({
        headers: { 'access-control-allow-origin': '*' },
        json: { results: [{ index: 'institutions', hits }] },
      })
    })
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

    await searchFor(page, plain(patient.name), patient.name)
    await page.getByRole('radio', { name: 'Instituții' }).click()
    await expect(page.getByText('Niciun rezultat pentru')).toBeVisible()
    expect(requested).toEqual([])

    await field(page).fill('clin')
    await expect(options(page)).toContainText(['Clinica din serviciu'])
    expect(requested).toEqual([expect.stringMatching(/^abc123-dsn\.algolia\.net .*"query":"clin"/)])
  })
})

test('a few digits that many patients have show a request for more digits, to staff and to an institution', async ({
  open,
  product,
}) => {
  const { institutionId } = await makeReferredPatient(product, INSTITUTION)
  await sql`
    with many as (
      insert into patient (id, surname, given_names, name_key, cnp, created_at)
      select gen_random_uuid(), 'Zugrăvescu', 'Ana', 'zugra{vescu ana', '777' || lpad(n::text, 10, '0'), '2001-01-01'
      from generate_series(1, 1001) n returning id)
    insert into referral (id, patient_id, institution_id, created_by)
    select gen_random_uuid(), many.id, ${institutionId}, author.id
    from many, (select id from app_user where email = ${REGISTRAR}) author`.execute(product.db)
  try {
    for (const [person, path, label] of [
      [REGISTRAR, '/patients', 'Caută un pacient'],
      [INSTITUTION, '/institution?tab=pacienti', 'Căutați un pacient'],
    ] as const) {
      const page = await open(person)
      await page.goto(path)
      const search = page.getByRole('searchbox', { name: label })
      const sentence = page.getByText('Sunt prea mulți pacienți cu aceste cifre')
      await search.fill('777')
      await expect(sentence).toBeVisible()
      await expectAccessibleInBothModes(page)
      await search.fill('777000000010')
      await expect(page.getByRole('table').getByRole('row')).toHaveCount(11)
      await expect(sentence).toHaveCount(0)
      await page.close()
    }
  } finally {
    const many = product.db.selectFrom('patient').select('id').where('name_key', '=', 'zugra{vescu ana')
    await product.db.deleteFrom('referral').where('patient_id', 'in', many).execute()
    await product.db.deleteFrom('patient').where('id', 'in', many).execute()
  }
})
