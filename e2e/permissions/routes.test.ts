import { ADMIN, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

/** The visitors: no session, a registrar, a reviewer, an administrator, a user of an institution. */
const VISITORS = {
  anonymous: null,
  registrar: REGISTRAR,
  reviewer: REVIEWER,
  admin: ADMIN,
  institution: INSTITUTION,
}
type Visitor = keyof typeof VISITORS
/** An address and the heading of its screen, where the address alone does not prove that it was shown. */
type Landing = { path: string; heading: string | RegExp }

const HOME: Landing = { path: '/institution', heading: /./ }
const PATIENTS: Landing = { path: '/patients', heading: 'Pacienți' }
const QUEUE: Landing = { path: '/uploads', heading: 'Verificare' }
const SIGN_IN: Landing = { path: '/', heading: 'Autentificare' }
const signInFor = (path: string): Landing => ({
  path: `/?error=SessionRequired&callbackUrl=${encodeURIComponent(path)}`,
  heading: 'Autentificare',
})

/** Only staff has access: administrators and all other users of the organisation [6.1]. */
const staffOnly = (screen: Landing): Record<Visitor, Landing> => ({
  anonymous: signInFor(screen.path),
  registrar: screen,
  reviewer: screen,
  admin: screen,
  institution: HOME,
})
/** A user who may not review is redirected to the patients [6.3]. */
const reviewOnly = (screen: Landing): Record<Visitor, Landing> => ({
  ...staffOnly(screen),
  registrar: PATIENTS,
})
const same = (landing: Landing): Record<Visitor, Landing> => ({
  anonymous: landing,
  registrar: landing,
  reviewer: landing,
  admin: landing,
  institution: HOME,
})

const firstPatient = async ({ db }: Product): Promise<Landing> => {
  const patient = await db
    .selectFrom('patient')
    .selectAll()
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { path: `/patients/${patient.id}`, heading: `${patient.surname} ${patient.given_names}` }
}
const firstInstitution = async ({ db }: Product): Promise<Landing> => {
  const { id, name } = await db
    .selectFrom('institution')
    .selectAll()
    .orderBy('code')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { path: `/institutions/${id}`, heading: name }
}
const firstWaiting = async ({ db }: Product): Promise<Landing> => {
  const waiting = db
    .selectFrom('upload')
    .selectAll()
    .where('state', '=', 'in_review')
    .where('patient_id', 'is not', null)
  const { id, title } = await waiting.orderBy('created_at').limit(1).executeTakeFirstOrThrow()
  return { path: `/uploads/${id}`, heading: title }
}

type Route = {
  title: string
  path: string | ((product: Product) => Promise<Landing>)
  landings: (screen: Landing) => Record<Visitor, Landing>
}

const ROUTES: readonly Route[] = [
  {
    title: '/ is the sign-in without a session, and redirects a signed-in user to /uploads [2.1]',
    path: '/',
    landings: () => ({
      anonymous: SIGN_IN,
      registrar: PATIENTS,
      reviewer: QUEUE,
      admin: QUEUE,
      institution: HOME,
    }),
  },
  {
    title: '/signout is open with and without a session [2.2]',
    path: '/signout',
    landings: ({ path }) => ({
      ...same({ path, heading: 'Sesiune deschisă' }),
      anonymous: { path, heading: 'Sesiune încheiată' },
    }),
  },
  {
    title: '/dashboard is for signed-in people who review [2.3] [6.3]',
    path: '/dashboard',
    landings: ({ path }) => reviewOnly({ path, heading: 'Tablou de bord' }),
  },
  {
    title: '/admin is for the guard admin [2.4] [6.1]',
    path: '/admin',
    landings: ({ path }) => staffOnly({ path, heading: 'Administrare' }),
  },
  {
    title: '/bulk is for the guard admin [2.5] [6.1]',
    path: '/bulk',
    landings: ({ path }) => staffOnly({ path, heading: 'Încărcările mele' }),
  },
  {
    title: '/institution is for the guard institution [2.6] [6.1]',
    path: '/institution',
    landings: ({ path }) => ({
      anonymous: signInFor(path),
      registrar: PATIENTS,
      reviewer: QUEUE,
      admin: QUEUE,
      institution: HOME,
    }),
  },
  {
    title: '/institutions is for the guard admin [2.7] [6.1]',
    path: '/institutions',
    landings: ({ path }) => staffOnly({ path, heading: 'Instituții' }),
  },
  {
    title: '/institutions/{id} is for the guard admin [2.8] [6.1]',
    path: firstInstitution,
    landings: staffOnly,
  },
  {
    title: '/logs is for the guard admin [2.9] [6.1]',
    path: '/logs',
    landings: ({ path }) => staffOnly({ path, heading: 'Jurnal de activitate' }),
  },
  {
    title: '/patients is for the guard admin [2.10] [6.1]',
    path: '/patients',
    landings: () => staffOnly(PATIENTS),
  },
  {
    title: '/patients/{id} is for the guard admin [2.11] [6.1]',
    path: firstPatient,
    landings: staffOnly,
  },
  {
    title: '/uploads is for signed-in people who review [2.12] [6.3]',
    path: '/uploads',
    landings: () => reviewOnly(QUEUE),
  },
  {
    title: '/uploads/{id} is for signed-in people [2.13]',
    path: firstWaiting,
    landings: staffOnly,
  },
  {
    title: 'an unmatched route is a 404 that names the path [2.15]',
    path: '/x/y',
    landings: ({ path }) => same({ path, heading: 'Pagina nu există' }),
  },
]

async function expectLanding(page: Page, { path, heading }: Landing): Promise<void> {
  await expect(
    page.getByRole('heading', { level: 1, name: heading, exact: typeof heading === 'string' }),
  ).toBeVisible()
  const { pathname, search } = new URL(page.url())
  expect(`${pathname}${search}`).toBe(path)
}

const NUMBERS = [...new Set(ROUTES.flatMap(({ title }) => title.match(/\[[\d.]+\]/g)!))].join(' ')

for (const [visitor, email] of Object.entries(VISITORS) as [Visitor, string | null][])
  test(`each address leads to its specified screen: ${visitor} ${NUMBERS}`, async ({
    open,
    product,
    expectError,
  }) => {
    // The browser's message about an unknown address.
    expectError(/status of 404 /)
    const page = await open(email)
    for (const { title, path, landings } of ROUTES)
      await test.step(title, async () => {
        const screen = typeof path === 'string' ? { path, heading: /./ } : await path(product)
        const response = await page.goto(screen.path)
        expect(response!.status()).toBe(screen.path === '/x/y' ? 404 : 200)
        await expectLanding(page, landings(screen)[visitor])
        if (screen.path === '/x/y' && visitor !== 'institution') {
          await expect(page.getByText('Page not found: /x/y', { exact: true })).toBeVisible()
        }
      })
  })

test('every address leads an institution to /institution, also inside the application [6.2]', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/status of 404 /)
  const page = await open(INSTITUTION)
  await page.goto('/institution')
  await expectLanding(page, HOME)
  for (const path of [
    '/?callbackUrl=/patients',
    '/patients?q=ana',
    '/cont/abc',
    '/no/such/page',
    (await firstWaiting(product)).path,
  ]) {
    await page.goto(path)
    await expectLanding(page, HOME)
  }
  // Back in the history of the application is checked like any navigation.
  await page.goBack()
  await expectLanding(page, HOME)
})

test('an unauthenticated-only route redirects to its target; a guarded one is allowed by default [2.19]', async ({
  open,
}) => {
  const page = await open(REVIEWER)
  // The sign-in page has its own target; the guard of /institution uses the default `/`.
  await page.goto('/?callbackUrl=%2Flogs')
  await expectLanding(page, QUEUE)
  await page.goto('/institution')
  await expectLanding(page, QUEUE)
  await page.goto('/signout')
  await expect(page.getByRole('link', { name: 'Continuă' })).toBeVisible()
  await page.getByRole('link', { name: 'Continuă' }).click()
  await expectLanding(page, QUEUE)
})

test('each screen is in its layout [2.14]', async ({ open }) => {
  const wide = { viewport: { width: 1920, height: 1080 } }
  const widthOfMain = async (page: Page) => (await page.getByRole('main').boundingBox())!.width
  const places = (page: Page) => page.getByRole('navigation', { name: 'Principală' })

  await test.step('blank: one action', async () => {
    const page = await open(null, wide)
    await page.goto('/')
    await expectLanding(page, SIGN_IN)
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Contul meu/ })).toHaveCount(0)
    await expect(page.getByRole('group', { name: 'Aspect' })).toBeVisible()
  })

  await test.step('default and admin: navigation at the side; the default layout uses the whole width', async () => {
    const page = await open(ADMIN, wide)
    await page.goto('/uploads')
    await expectLanding(page, QUEUE)
    await expect(places(page)).toBeVisible()
    await expect(places(page).getByRole('link', { name: 'Verificare' })).toHaveAttribute(
      'aria-current',
      'page',
    )
    expect(await widthOfMain(page)).toBe(1920 - 256)
    await places(page).getByRole('link', { name: 'Pacienți' }).click()
    await expectLanding(page, PATIENTS)
    await expect(places(page)).toBeVisible()
    expect(await widthOfMain(page)).toBe(1280)
  })

  await test.step('institution: one page, no navigation', async () => {
    const page = await open(INSTITUTION, wide)
    await page.goto('/institution')
    await expectLanding(page, HOME)
    await expect(page.getByRole('banner')).toBeVisible()
    await expect(places(page)).toHaveCount(0)
    await expect(page.getByRole('banner').getByRole('button', { name: /^Contul meu/ })).toBeVisible()
  })

  await test.step('non-admin: one column of larger text for somebody without an account, with the contacts', async () => {
    const page = await open(null, wide)
    await page.goto('/s')
    await expect(page.getByRole('heading', { level: 1, name: 'Rezultatele dumneavoastră' })).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Contul meu/ })).toHaveCount(0)
    await expect(page.getByRole('contentinfo')).toBeVisible()
    await expect(page.getByRole('main')).toHaveCSS('font-size', '18px')
    expect(await widthOfMain(page)).toBe(768)
  })
})
