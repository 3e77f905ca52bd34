import { makeInstitution, makeUpload, makeUser } from '../../db/factories.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import type { TestClient } from '../../test/client.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { blockResponses, failResponses, pauseClock, waitForOperation } from '../harness/graphql-line.ts'
import { makeReferredPatient } from '../harness/new-upload.ts'
import { makePerson } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Locator, type Page, test } from '../harness/test.ts'

/** A typed text, and the text of the one row that matches it. */
type Question = { typed: string; row: string }

const REFUSED = /status of 500/
const busy = (page: Page) => page.locator('[aria-busy="true"]')
const retryButton = (page: Page) => page.getByRole('button', { name: 'Încearcă din nou' })
const openDisk = ({ dataDir }: Product) => openDiskStorage(`${dataDir}/files`)

async function makePatients(product: Product): Promise<Question[]> {
  const patients = [
    await makeReferredPatient(product, INSTITUTION),
    await makeReferredPatient(product, INSTITUTION),
  ]
  return patients.map(({ name }) => ({ typed: name.split(' ')[0]!, row: name }))
}

const makeUploads =
  (state: 'in_review' | 'released') =>
  async (product: Product): Promise<Question[]> => {
    const storage = await openDisk(product)
    const questions = []
    for (let count = 0; count < 2; count += 1) {
      const { id, institutionId, name } = await makeReferredPatient(product, INSTITUTION)
      await makeUpload(product.db, storage, { patient_id: id, institution_id: institutionId, state })
      questions.push({ typed: name.split(' ')[0]!, row: name })
    }
    return questions
  }

async function makeInstitutions({ db }: Product): Promise<Question[]> {
  const institutions = [await makeInstitution(db), await makeInstitution(db)]
  return institutions.map(({ code, name }) => ({ typed: code, row: name }))
}

async function makeUsers({ db }: Product): Promise<Question[]> {
  const users = [await makeUser(db), await makeUser(db)]
  return users.map(({ email }) => ({ typed: email, row: email }))
}

type SearchedList = {
  name: string
  who: string
  path: string
  operation: string
  make: (product: Product) => Promise<Question[]>
  open?: (page: Page) => Promise<void>
  field?: (page: Page) => Locator
  /** The container of the rows. */
  area?: (page: Page) => Locator
}

const SEARCHED_LISTS: readonly SearchedList[] = [
  { name: 'patients', who: REGISTRAR, path: '/patients', operation: 'Patients', make: makePatients },
  {
    name: 'institutions',
    who: REGISTRAR,
    path: '/institutions',
    operation: 'Institutions',
    make: makeInstitutions,
  },
  {
    name: 'review queue',
    who: REVIEWER,
    path: '/uploads',
    operation: 'ReviewQueue',
    make: makeUploads('in_review'),
  },
  { name: 'accounts', who: ADMIN, path: '/admin?tab=conturi', operation: 'Users', make: makeUsers },
  {
    name: 'inbox',
    who: INSTITUTION,
    path: '/institution',
    operation: 'Inbox',
    make: makeUploads('released'),
  },
  {
    name: 'patients of an institution',
    who: INSTITUTION,
    path: '/institution?tab=pacienti',
    operation: 'MyPatients',
    make: makePatients,
  },
  {
    name: 'search palette',
    who: REGISTRAR,
    path: '/institutions',
    operation: 'Search',
    make: makePatients,
    open: async (page) => {
      await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
      await page.keyboard.press('Control+k')
    },
    field: (page) => page.getByRole('combobox', { name: 'Caută în site' }),
    area: (page) => page.getByRole('dialog'),
  },
]

const fieldOf = (page: Page, { field }: SearchedList) => field?.(page) ?? page.getByRole('searchbox')
const rowOf = (page: Page, { area }: SearchedList, { row }: Question) =>
  (area?.(page) ?? page.getByRole('main')).getByText(row).first()

/** Opens the list with the response to the first query. */
async function showFirst(page: Page, list: SearchedList, first: Question): Promise<void> {
  await page.goto(list.path)
  await list.open?.(page)
  await fieldOf(page, list).fill(first.typed)
  await expect(rowOf(page, list, first)).toBeVisible()
  await expect(busy(page)).toHaveCount(0)
}

const isWithin = (row: Locator, selector: string) =>
  row.evaluate((element, wanted) => element.closest(wanted) !== null, selector)

/** Expects that neither mouse nor keyboard reaches the row, and that its region is `aria-busy`. */
async function expectOutdated(page: Page, row: Locator): Promise<void> {
  await expect.poll(() => isWithin(row, '[aria-busy="true"]')).toBe(true)
  const before = page.url()
  const { x, y, width, height } = (await row.boundingBox())!
  await page.mouse.click(x + width / 2, y + height / 2)
  expect(page.url()).toBe(before)
  const takesFocus = await row.evaluate((element) => {
    const target =
      element.closest<HTMLElement>('a, [role=option]') ?? element.closest('tr')?.querySelector('a')
    target?.focus()
    return target === document.activeElement
  })
  expect(takesFocus).toBe(false)
}

for (const list of SEARCHED_LISTS) {
  test(`${list.name}: with a slow server the rows of another query cannot be opened`, async ({
    open,
    product,
  }) => {
    const [first, second] = (await list.make(product)) as [Question, Question]
    const page = await open(list.who, { reducedMotion: 'reduce' })
    await page.clock.install()
    await showFirst(page, list, first)
    const release = await blockResponses(page, list.operation)
    const row = rowOf(page, list, first)

    // No time passes: the debounce of the field does not end.
    await pauseClock(page)
    await fieldOf(page, list).fill(second.typed)
    await expectOutdated(page, row)
    const requested = waitForOperation(page, list.operation)
    await page.clock.resume()
    await requested
    await expectOutdated(page, row)

    release()
    await expect(rowOf(page, list, second)).toBeVisible()
    await expect(row).toHaveCount(0)
    await expect(busy(page)).toHaveCount(0)
  })

  test(`${list.name}: after a server error the old rows are removed, and a retry loads the new rows`, async ({
    open,
    product,
    expectError,
  }) => {
    expectError(REFUSED)
    const [first, second] = (await list.make(product)) as [Question, Question]
    const page = await open(list.who, { reducedMotion: 'reduce' })
    await showFirst(page, list, first)
    const repair = await failResponses(page, list.operation)
    await fieldOf(page, list).fill(second.typed)
    await expect(retryButton(page)).toBeVisible()
    await expect(rowOf(page, list, first)).toHaveCount(0)

    // The error of one query is not shown for another.
    await repair()
    const release = await blockResponses(page, list.operation)
    await fieldOf(page, list).fill(`${second.typed} x`)
    await expect(retryButton(page)).toHaveCount(0)
    await expect(busy(page)).not.toHaveCount(0)
    release()
    await expect(busy(page)).toHaveCount(0)
    await failResponses(page, list.operation)
    await fieldOf(page, list).fill(second.typed)
    await expect(retryButton(page)).toBeVisible()
    await page.unroute('**/graphql')
    await retryButton(page).click()
    await expect(rowOf(page, list, second)).toBeVisible()
    await expect(rowOf(page, list, first)).toHaveCount(0)
    await expect(retryButton(page)).toHaveCount(0)
  })
}

for (const list of SEARCHED_LISTS.filter(({ name }) =>
  ['patients', 'inbox', 'search palette'].includes(name),
)) {
  test(`${list.name}: the outdated rows and the failure are accessible, in both modes`, async ({
    open,
    product,
    expectError,
  }) => {
    expectError(REFUSED)
    const [first, second] = (await list.make(product)) as [Question, Question]
    const page = await open(list.who, { reducedMotion: 'reduce' })
    await showFirst(page, list, first)
    const release = await blockResponses(page, list.operation)
    await fieldOf(page, list).fill(second.typed)
    await expect.poll(() => isWithin(rowOf(page, list, first), '[inert]')).toBe(true)
    await expectAccessibleInBothModes(page)
    release()
    await expect(rowOf(page, list, second)).toBeVisible()
    await failResponses(page, list.operation)
    await fieldOf(page, list).fill(`${second.typed} x`)
    await expect(retryButton(page)).toBeVisible()
    await expectAccessibleInBothModes(page)
  })
}

test.describe('the audit log', () => {
  const entries = (page: Page) => page.getByRole('main').getByRole('listitem')
  const choose = async (page: Page, outcome: string) => {
    await page.getByRole('button', { name: 'Rezultat' }).first().click()
    await page.getByRole('option', { name: outcome }).click()
  }

  test('with a slow server the entries of another filter cannot be opened', async ({ open }) => {
    const page = await open(ADMIN, { reducedMotion: 'reduce' })
    await page.goto('/logs')
    await expect(entries(page).first()).toBeVisible()
    const release = await blockResponses(page, 'AuditEvents')
    await choose(page, 'Eșuat')
    const entry = entries(page).first()
    await expect.poll(() => isWithin(entry, '[aria-busy="true"]')).toBe(true)
    expect(await isWithin(entry, '[inert]')).toBe(true)
    release()
    await expect(busy(page)).toHaveCount(0)
    await expect(entries(page).filter({ hasText: 'Reușit' })).toHaveCount(0)
  })

  test('after a server error the old entries are removed, and a retry loads the new entries', async ({
    open,
    expectError,
  }) => {
    expectError(REFUSED)
    const page = await open(ADMIN, { reducedMotion: 'reduce' })
    await page.goto('/logs?outcome=ok')
    await expect(entries(page).first()).toBeVisible()
    const repair = await failResponses(page, 'AuditEvents')
    await choose(page, 'Oricare')
    await expect(retryButton(page)).toBeVisible()
    await expect(entries(page)).toHaveCount(0)
    await repair()
    await retryButton(page).click()
    await expect(entries(page).first()).toBeVisible()
    await expect(retryButton(page)).toHaveCount(0)
  })
})

type PickerCase = {
  name: string
  who: string
  path: string
  operation: string
  make: (product: Product) => Promise<Question[]>
  open?: (page: Page, product: Product) => Promise<void>
  field: (page: Page) => Locator
}

const PICKERS: readonly PickerCase[] = [
  {
    name: 'institution of the review queue',
    who: REVIEWER,
    path: '/uploads',
    operation: 'InstitutionChoices',
    make: makeInstitutions,
    field: (page) => page.getByRole('combobox', { name: 'Instituție' }),
  },
  {
    name: 'person of the audit log',
    who: ADMIN,
    path: '/logs',
    operation: 'AuditPeople',
    make: async (product) =>
      [await makePerson(product, REVIEWER), await makePerson(product, REVIEWER)].map(({ email }) => ({
        typed: email,
        row: email,
      })),
    field: (page) => page.getByRole('combobox', { name: 'Persoană' }),
  },
  {
    name: 'institution of an invitation',
    who: ADMIN,
    path: '/admin?tab=conturi',
    operation: 'InstitutionOptions',
    make: makeInstitutions,
    open: async (page) => {
      await page.getByRole('button', { name: 'Invită o persoană' }).click()
      await page.getByRole('dialog').getByText('Instituție', { exact: true }).click()
    },
    field: (page) => page.getByRole('combobox', { name: 'Instituții' }),
  },
]

for (const picker of PICKERS) {
  test(`${picker.name}: the options of another text are removed while the server is slow or fails`, async ({
    open,
    product,
    expectError,
  }) => {
    expectError(REFUSED)
    const [first, second] = (await picker.make(product)) as [Question, Question]
    const page = await open(picker.who, { reducedMotion: 'reduce' })
    await page.clock.install()
    await page.goto(picker.path)
    await picker.open?.(page, product)
    const field = picker.field(page)
    const option = ({ row }: Question) => page.getByRole('option').filter({ hasText: row })
    await field.fill(first.typed)
    await expect(option(first)).toBeVisible()

    const release = await blockResponses(page, picker.operation)
    await pauseClock(page)
    await field.fill(second.typed)
    await expect(option(first)).toHaveCount(0)
    await expect(busy(page).filter({ has: page.getByRole('listbox') })).toHaveCount(1)
    await page.clock.resume()
    release()
    await expect(option(second)).toBeVisible()

    const repair = await failResponses(page, picker.operation)
    // A text whose response the page does not have yet.
    await field.fill(first.typed.slice(0, -1))
    await expect(page.getByText('Lista nu s-a încărcat.')).toBeVisible()
    await expect(option(second)).toHaveCount(0)
    await repair()
    await page.getByRole('option', { name: 'Încearcă din nou' }).click()
    await expect(option(first)).toBeVisible()
  })
}

type PlainList = {
  name: string
  who: string
  operation: string
  /** Makes the rows of the list; resolves with the address of its page and the text of a row. */
  make: (
    product: Product,
    client: (email: string) => Promise<TestClient>,
  ) => Promise<{ path: string; row: string | RegExp }>
  open?: (page: Page) => Promise<void>
}

const makeOwnUpload = (state: 'rejected' | 'in_review') => async (product: Product) => {
  const { id } = await product.db
    .selectFrom('app_user')
    .select('id')
    .where('email', '=', REGISTRAR)
    .executeTakeFirstOrThrow()
  const { title } = await makeUpload(product.db, await openDisk(product), { state, created_by: id })
  return { path: '/bulk', row: title }
}

const PLAIN_LISTS: readonly PlainList[] = [
  {
    name: 'returned uploads',
    who: REGISTRAR,
    operation: 'ReturnedUploads',
    make: makeOwnUpload('rejected'),
  },
  { name: 'open uploads', who: REGISTRAR, operation: 'OpenUploads', make: makeOwnUpload('in_review') },
  {
    name: 'who saw a patient',
    who: ADMIN,
    operation: 'PatientAccess',
    make: async (product) => ({
      path: `/patients/${(await makeReferredPatient(product, INSTITUTION)).id}`,
      row: /fișa/,
    }),
    open: (page) => page.getByRole('button', { name: 'Cine a văzut fișa' }).click(),
  },
  {
    name: 'messages',
    who: ADMIN,
    operation: 'Messages',
    make: async (_, client) => {
      const { sendTestMessage } = await (await client(ADMIN)).runQuery(
        'mutation { sendTestMessage { subject } }',
      )
      return { path: '/admin?tab=mesaje', row: sendTestMessage.subject }
    },
  },
  {
    name: 'results of a patient',
    who: INSTITUTION,
    operation: 'PatientResults',
    make: async (product) => {
      const { id, institutionId } = await makeReferredPatient(product, INSTITUTION)
      const { title } = await makeUpload(product.db, await openDisk(product), {
        patient_id: id,
        institution_id: institutionId,
        state: 'released',
      })
      return { path: `/institution?tab=pacienti&patient=${id}`, row: title }
    },
  },
]

for (const list of PLAIN_LISTS) {
  test(`${list.name}: a slow response is announced, and a failed request can be retried`, async ({
    open,
    product,
    client,
    expectError,
  }) => {
    expectError(REFUSED)
    const { path, row } = await list.make(product, client)
    const page = await open(list.who, { reducedMotion: 'reduce' })
    const area = list.open ? page.getByRole('dialog') : page.getByRole('main')
    const shown = area.locator('li, td').getByText(row).first()

    const release = await blockResponses(page, list.operation)
    await page.goto(path)
    await list.open?.(page)
    await expect(area.locator('[aria-busy="true"]')).not.toHaveCount(0)
    release()
    await expect(shown).toBeVisible()
    await expect(busy(page)).toHaveCount(0)

    await page.unroute('**/graphql')
    const repair = await failResponses(page, list.operation)
    await page.reload()
    await list.open?.(page)
    await expect(retryButton(page)).toBeVisible()
    await expect(shown).toHaveCount(0)
    await repair()
    await retryButton(page).click()
    await expect(shown).toBeVisible()
    await expect(retryButton(page)).toHaveCount(0)
  })
}

for (const [who, path, sentence] of [
  [REGISTRAR, '/patients', 'Fără conexiune. Ce vezi poate să nu mai fie la zi.'],
  [INSTITUTION, '/institution', 'Fără conexiune. Ce vedeți poate să nu mai fie la zi.'],
] as const) {
  test(`${path} shows that there is no connection, until it is back`, async ({ open, expectError }) => {
    expectError(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    const page = await open(who, { reducedMotion: 'reduce' })
    await page.goto(path)
    await expect(page.getByRole('searchbox')).toBeVisible()
    await expect(busy(page)).toHaveCount(0)
    // The parts that load when the page is idle are there as well.
    await page.waitForLoadState('networkidle')
    const line = page.getByText(sentence)
    await page.context().setOffline(true)
    await expect(line).toBeVisible()
    await expectAccessibleInBothModes(page)
    await page.context().setOffline(false)
    await expect(line).toHaveCount(0)

    // With a network that reaches no server, only the requests show it.
    await page.route(/graphql|healthz/, (route) => route.abort())
    await page.getByRole('searchbox').fill('nimeni')
    await expect(line).toBeVisible()
    await expect(retryButton(page)).toBeVisible()
    await page.unroute(/graphql|healthz/)
    await expect(line).toHaveCount(0)
  })
}

test('patients: an Enter during a failure opens no patient after the retry or the next key', async ({
  open,
  product,
  expectError,
}) => {
  expectError(REFUSED)
  const [first, second] = (await makePatients(product)) as [Question, Question]
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  const field = page.getByRole('searchbox')
  const repair = await failResponses(page, 'Patients')
  await field.fill(first.typed)
  await field.press('Enter')
  await expect(retryButton(page)).toBeVisible()
  await repair()
  await field.fill(second.typed)
  await expect(page.getByRole('main').getByText(second.row, { exact: true })).toBeVisible()
  await expect(busy(page)).toHaveCount(0)
  expect(new URL(page.url()).pathname).toBe('/patients')
})

test('rows of the current query stay where a refetch fails, with a message', async ({
  open,
  product,
  expectError,
}) => {
  expectError(REFUSED)
  const [first] = (await makePatients(product)) as [Question]
  const page = await open(REGISTRAR)
  const row = page.getByRole('main').getByText(first.row, { exact: true })
  await page.goto('/patients')
  await page.getByRole('searchbox').fill(first.typed)
  await row.click()
  await expect(page.getByRole('heading', { level: 1, name: first.row })).toBeVisible()
  const repair = await failResponses(page, 'Patients')
  await page.goBack()
  await expect(row).toBeVisible()
  await expect(page.getByText('Lista poate să nu fie la zi')).toBeVisible()
  await repair()
  await retryButton(page).click()
  await expect(page.getByText('Lista poate să nu fie la zi')).toHaveCount(0)
  await expect(row).toBeVisible()
})
