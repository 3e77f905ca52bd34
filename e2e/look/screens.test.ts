import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { newId } from '../../server/platform/ids.ts'
import { expectAccessible, expectContrast } from '../harness/accessibility.ts'
import { ADMIN, INSTITUTION, OTHER_INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

/** The folder of screenshots for visual review. */
const PICTURES = 'test-results/screens'
const SIZES = [
  { width: 1440, height: 900 },
  { width: 360, height: 800 },
]
const MODES = ['light', 'dark'] as const

type Screen = {
  name: string
  who: string | null
  path: string | ((product: Product) => Promise<string>)
  /** Brings the screen into the state of the screenshot. */
  act?: (page: Page) => Promise<void>
  /** Expected browser messages of this screen. */
  fault?: RegExp
}

const firstInstitution =
  (search = '') =>
  async ({ db }: Product) => {
    const { id } = await db
      .selectFrom('institution')
      .select('id')
      .orderBy('code')
      .limit(1)
      .executeTakeFirstOrThrow()
    return `/institutions/${id}${search}`
  }

/** The page of a patient with a referral: patients of other tests may have none. */
const referredPatient = async ({ db }: Product) => {
  const { patient_id } = await db
    .selectFrom('referral')
    .select('patient_id')
    .where('ended_at', 'is', null)
    .orderBy('patient_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return `/patients/${patient_id}`
}

/** Adds a request for access of the demo institution, for a patient of the demo. */
async function addAccessRequest({ db }: Product): Promise<string> {
  const author = await db
    .selectFrom('app_user')
    .innerJoin('user_institution', 'user_id', 'app_user.id')
    .select(['app_user.id', 'institution_id'])
    .where('email', '=', INSTITUTION)
    .executeTakeFirstOrThrow()
  const { surname, given_names, birth_date, cnp } = await db
    .selectFrom('patient')
    .selectAll()
    .where('cnp', 'is not', null)
    .where('birth_date', 'is not', null)
    .orderBy(sql`length(surname || given_names)`, 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const id = newId()
  await db
    .insertInto('access_request')
    .values({
      id,
      institution_id: author.institution_id,
      created_by: author.id,
      created_at: new Date(),
      surname,
      given_names,
      birth_date: birth_date!,
      cnp,
      purpose: 'Consult de control după operație',
      number: 'T-1024',
    })
    .execute()
  return id
}

/** Adds a question of the demo institution with an answer about one of its results. */
async function addQuestion({ db }: Product): Promise<string> {
  const author = await db
    .selectFrom('app_user')
    .innerJoin('user_institution', 'user_id', 'app_user.id')
    .select(['app_user.id', 'institution_id'])
    .where('email', '=', INSTITUTION)
    .executeTakeFirstOrThrow()
  const upload = await db
    .selectFrom('upload')
    .select(['id', 'number', 'patient_id'])
    .where('institution_id', '=', author.institution_id)
    .where('state', '=', 'released')
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('question').select('id').whereRef('question.upload_id', '=', 'upload.id')),
      ),
    )
    .limit(1)
    .executeTakeFirstOrThrow()
  const id = newId()
  const at = new Date()
  await db
    .insertInto('question')
    .values({
      id,
      upload_id: upload.id,
      institution_id: author.institution_id,
      patient_id: upload.patient_id!,
      upload_number: upload.number,
      created_at: at,
      changed_at: at,
      state: 'answered',
      message_count: 2,
    })
    .execute()
  for (const [position, text] of [
    [1, 'Ce înseamnă valoarea de pe rândul al treilea?'],
    [2, 'Este în limitele vârstei.\nDetaliile sunt în raport.'],
  ] as const)
    await db
      .insertInto('question_message')
      .values({
        question_id: id,
        position,
        by_organisation: position === 2,
        created_by: author.id,
        created_at: at,
        text,
      })
      .execute()
  return id
}

const longestName = async ({ db }: Product) => {
  const { id } = await db
    .selectFrom('patient')
    .select('id')
    .orderBy(sql`length(surname || given_names)`, 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return `/patients/${id}`
}

/** Opens the page of an upload in this state with a file of this kind. */
const uploadWith =
  (state: 'in_review' | 'quarantined' | 'rejected', kind?: 'zip' | 'image') =>
  async ({ db }: Product) => {
    const { id } = await db
      .selectFrom('upload')
      .innerJoin('file', 'file.upload_id', 'upload.id')
      .select('upload.id')
      .where('state', '=', state)
      .where('patient_id', 'is not', null)
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
      .orderBy('upload.created_at')
      .limit(1)
      .executeTakeFirstOrThrow()
    return `/uploads/${id}`
  }

const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click()
const firstPage = (page: Page) => expect(page.locator('[data-page="1"] canvas')).toBeVisible()

const SCREENS: readonly Screen[] = [
  { name: 'sign-in', who: null, path: '/' },
  { name: 'sign-in-asked', who: null, path: '/patients' },
  { name: 'sign-in-incomplete', who: null, path: '/', act: press('Autentificare') },
  { name: 'signed-out', who: null, path: '/signout' },
  { name: 'share-code', who: null, path: '/s' },
  { name: 'share-closed', who: null, path: `/s/${randomBytes(32).toString('base64url')}` },
  { name: 'account-link', who: null, path: `/cont/${randomBytes(32).toString('base64url')}` },
  { name: 'not-found', who: null, path: '/nu/exista', fault: /status of 404 / },
  { name: 'dashboard', who: ADMIN, path: '/dashboard' },
  { name: 'queue', who: REVIEWER, path: '/uploads' },
  { name: 'queue-nothing-found', who: REVIEWER, path: '/uploads?q=nimeni-nicaieri' },
  { name: 'queue-quarantined', who: REVIEWER, path: '/uploads?state=quarantined' },
  { name: 'upload-pdf', who: REVIEWER, path: uploadWith('in_review'), act: firstPage },
  {
    name: 'upload-zip',
    who: REVIEWER,
    path: uploadWith('in_review', 'zip'),
    act: async (page) => {
      await firstPage(page)
      await page
        .getByRole('list', { name: 'Fișiere', exact: true })
        .getByRole('button', { name: /\.zip/ })
        .click()
      await expect(page.getByText('citește-mă.txt')).toBeVisible()
    },
  },
  { name: 'upload-quarantined', who: REVIEWER, path: uploadWith('quarantined') },
  { name: 'upload-rejected', who: REVIEWER, path: uploadWith('rejected'), act: firstPage },
  {
    name: 'upload-reject',
    who: REVIEWER,
    path: uploadWith('in_review'),
    act: async (page) => {
      await firstPage(page)
      await press('Respinge')(page)
    },
  },
  {
    name: 'upload-edit',
    who: REVIEWER,
    path: uploadWith('in_review'),
    act: async (page) => {
      await firstPage(page)
      await page.keyboard.press('e')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  { name: 'upload-of-registrar', who: REGISTRAR, path: uploadWith('in_review'), act: firstPage },
  { name: 'upload-missing', who: REVIEWER, path: '/uploads/01890000-0000-7000-8000-000000000000' },
  { name: 'patients', who: REGISTRAR, path: '/patients' },
  { name: 'patients-nobody', who: REGISTRAR, path: '/patients?q=nimeni-nicaieri' },
  { name: 'patient-new', who: REGISTRAR, path: '/patients', act: press('Adaugă pacient') },
  { name: 'patient', who: REGISTRAR, path: referredPatient },
  {
    name: 'patient-ledger',
    who: ADMIN,
    path: referredPatient,
    act: press('Arată cine a fost anunțat și cine a deschis'),
  },
  { name: 'patient-share', who: ADMIN, path: referredPatient, act: press('Trimite rezultate') },
  { name: 'patient-news', who: ADMIN, path: referredPatient, act: press('Scrie') },
  { name: 'shares', who: ADMIN, path: '/patients?tab=linkuri' },
  { name: 'patient-long-name', who: REGISTRAR, path: longestName },
  { name: 'patient-missing', who: REGISTRAR, path: '/patients/01890000-0000-7000-8000-000000000000' },
  {
    name: 'patient-referral',
    who: REGISTRAR,
    path: referredPatient,
    act: press('Adaugă trimitere'),
  },
  {
    name: 'patient-referral-end',
    who: REGISTRAR,
    path: referredPatient,
    act: async (page) => {
      await page.getByRole('button', { name: 'Trimiterea de la' }).first().click()
      await page.getByRole('menuitem', { name: 'Încheie' }).click()
    },
  },
  {
    name: 'patient-referral-edit',
    who: REGISTRAR,
    path: referredPatient,
    act: async (page) => {
      await page.getByRole('button', { name: 'Trimiterea de la' }).first().click()
      await page.getByRole('menuitem', { name: 'Editează' }).click()
    },
  },
  {
    name: 'patient-merge-search',
    who: REGISTRAR,
    path: referredPatient,
    act: async (page) => {
      await press('Unește cu alt pacient…')(page)
      await page.getByRole('combobox', { name: 'Celălalt pacient' }).fill('po')
      await expect(page.getByRole('option').first()).toBeVisible()
    },
  },
  { name: 'institutions', who: ADMIN, path: '/institutions' },
  {
    name: 'access-request',
    who: ADMIN,
    path: async (product) => `/institutions?tab=cereri&request=${await addAccessRequest(product)}`,
    act: (page) => expect(page.getByRole('list', { name: 'Pacienți propuși' })).toBeVisible(),
  },
  { name: 'unopened', who: ADMIN, path: '/institutions?tab=nedeschise' },
  { name: 'institution-new', who: ADMIN, path: '/institutions', act: press('Adaugă instituție') },
  { name: 'institution', who: ADMIN, path: firstInstitution() },
  { name: 'institution-patients', who: REGISTRAR, path: firstInstitution('?tab=pacienti') },
  { name: 'institution-results', who: REGISTRAR, path: firstInstitution('?tab=rezultate') },
  { name: 'institution-missing', who: ADMIN, path: '/institutions/01890000-0000-7000-8000-000000000000' },
  { name: 'bulk', who: REGISTRAR, path: '/bulk' },
  { name: 'bulk-operation', who: REVIEWER, path: '/bulk?tab=operatii', act: press('Operație nouă') },
  { name: 'logs', who: ADMIN, path: '/logs' },
  { name: 'admin', who: ADMIN, path: '/admin' },
  { name: 'messages', who: ADMIN, path: '/admin?tab=mesaje' },
  { name: 'incidents', who: ADMIN, path: '/admin?tab=incidente' },
  { name: 'incident-missing', who: ADMIN, path: '/incidents/01890000-0000-7000-8000-000000000000' },
  { name: 'admin-of-staff', who: REGISTRAR, path: '/admin' },
  { name: 'account-menu', who: REVIEWER, path: '/institutions', act: press('Dr. Matei Brânzan') },
  { name: 'inbox', who: INSTITUTION, path: '/institution' },
  { name: 'inbox-send', who: OTHER_INSTITUTION, path: '/institution?tab=trimite' },
  { name: 'inbox-patients', who: INSTITUTION, path: '/institution?tab=pacienti' },
  {
    name: 'request-access',
    who: INSTITUTION,
    path: '/institution?tab=cereri',
    act: press('Cere acces'),
  },
  {
    name: 'own-access-requests',
    who: INSTITUTION,
    path: async (product) => {
      await addAccessRequest(product)
      return '/institution?tab=cereri'
    },
  },
  {
    name: 'own-question',
    who: INSTITUTION,
    path: async (product) => `/institution?tab=intrebari&question=${await addQuestion(product)}`,
    act: (page) => expect(page.getByRole('log')).toBeVisible(),
  },
  {
    name: 'result',
    who: INSTITUTION,
    path: '/institution',
    act: async (page) => {
      await page.locator('[data-result]').last().click()
      await firstPage(page)
    },
  },
]

/** Waits until the screen is final: no skeleton, fonts loaded, no transition running. */
async function waitForStablePage(page: Page): Promise<void> {
  await expect(page.locator('#root > *').first()).toBeVisible()
  await expect(page.getByRole('status', { name: 'Se încarcă', includeHidden: true })).toHaveCount(0)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await page.evaluate(async () => {
    await document.fonts.ready
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)))
  })
}

test.beforeAll(() => mkdir(PICTURES, { recursive: true }))

for (const { name, who, path, act, fault } of SCREENS) {
  test(`${name} is accessible and fits, in both modes and both widths [1.4]`, async ({
    open,
    product,
    expectError,
  }) => {
    if (fault) expectError(fault)
    const address = typeof path === 'string' ? path : await path(product)
    const page = await open(who, { reducedMotion: 'reduce', colorScheme: 'light' })
    await page.goto(address)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await waitForStablePage(page)
    await expect(page.locator('h1')).toHaveCount(1)
    await act?.(page)
    for (const size of SIZES) {
      await test.step(`${size.width} px`, async () => {
        await page.setViewportSize(size)
        for (const colorScheme of MODES) {
          await page.emulateMedia({ colorScheme })
          await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
          await waitForStablePage(page)
          // A full page is longer than any window: overlays would be outside the visible part.
          const fullPage = (await page.getByRole('dialog').count()) === 0
          await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}-${size.width}.png`, fullPage })
          if (colorScheme === 'dark') {
            await expectContrast(page)
            continue
          }
          const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect.soft(await overhang(), 'what sticks out to the side').toBeLessThanOrEqual(0)
          await expectAccessible(page)
        }
      })
    }
  })
}
