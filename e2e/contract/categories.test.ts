import type { CategoryProperties } from '../../shared/uploads/categories.ts'
import { getCategories, saveCategories, sendCategories } from '../../test/categories.ts'
import { createCategoryStore } from '../../web/features/categories/store/category-store.ts'
import { ADMIN, DEMO_PASSWORD, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { blockResponses, waitForOperation } from '../harness/graphql-line.ts'
import { expect, type Page, test } from '../harness/test.ts'

const GET = 'query getCategories { getCategories }'
const SAVE = 'mutation saveCategories($input: String!) { saveCategories(input: $input) }'

const [get, save] = [getCategories, saveCategories]
const facts = ({ tree }: { tree: readonly CategoryProperties[] }): CategoryProperties[] =>
  tree.map(({ name, slug, icon, color }) => ({ name, slug, icon, color }))

const isCategoriesCall = (body: string | null) => body?.includes('getCategories') ?? false

/** Counts the page's requests of getCategories from now on. */
function countCalls(page: Page): { count: number } {
  const calls = { count: 0 }
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql') && isCategoriesCall(request.postData())) calls.count += 1
  })
  return calls
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

async function goTo(page: Page, link: string, title: string): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(`^${link}`) })
    .first()
    .click()
  await expect(heading(page, title)).toBeVisible()
}

/** Opens the queue's filter and returns its options. */
async function readChoices(page: Page): Promise<string[]> {
  const filter = page.getByRole('combobox', { name: 'Categorie' })
  await filter.press('ArrowDown')
  await expect(page.getByRole('option').first()).toBeVisible()
  const choices = await page.getByRole('option').allInnerTexts()
  await page.keyboard.press('Escape')
  return choices
}

test.describe('the calls', () => {
  test('a client that follows only the specification reads a flat tree, saves it and reads it again [3.4] [3.6] [7.10] [7.11]', async ({
    client,
  }) => {
    const admin = await client(ADMIN)
    const loaded = await get(admin)
    expect(loaded.tree.length).toBeGreaterThan(0)
    for (const category of loaded.tree) {
      expect(category).toMatchObject({
        id: expect.any(String),
        name: expect.any(String),
        slug: expect.stringMatching(/^[a-z0-9-]+(::[a-z0-9-]+)*$/),
        icon: expect.any(String),
        color: expect.any(String),
      })
    }
    const list = facts(loaded).map((category) => ({ ...category, id: crypto.randomUUID() }))
    const child = { id: null, name: 'New', slug: `${list[0]!.slug}::new`, icon: '', color: '' }
    try {
      const saved = await save(admin, [...list, child])
      expect(facts(saved)).toEqual(facts({ tree: [...list, child] }))
      expect(await get(admin)).toEqual(saved)
    } finally {
      await save(admin, list)
    }
  })

  test('a version prevents a lost update: of two saves one succeeds', async ({ client }) => {
    const [one, other] = [await client(ADMIN), await client(ADMIN)]
    const { tree, version } = await get(one)
    const responses = await Promise.all(
      [one, other].map((admin, place) => sendCategories(admin, { tree: tree.slice(0, place + 1), version })),
    )
    await save(one, tree)
    expect(responses.map(({ errors }) => errors[0]?.extensions.code ?? 'saved').sort()).toEqual([
      'CONFLICT',
      'saved',
    ])
  })

  test('all users read, only an administrator saves [6.4]', async ({ client }) => {
    for (const email of [REVIEWER, REGISTRAR, INSTITUTION]) {
      const person = await client(email)
      const { tree } = await get(person)
      const { errors } = await person.graphql(SAVE, { input: JSON.stringify(tree) })
      expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
    }
  })

  test('the store of the screens saves the whole list, and gets an error where another user has saved [4.7] [4.10]', async ({
    client,
  }) => {
    const admin = await client(ADMIN)
    const before = await get(admin)
    const store = createCategoryStore({
      getCategories: async () => {
        const { data, extensions } = await admin.graphql(GET)
        return { json: data.getCategories, details: extensions.categories }
      },
      saveCategories: async (input, details) => {
        const { data, errors, extensions } = await admin.graphql(SAVE, { input }, { categories: details })
        if (errors.length > 0) throw new Error(JSON.stringify(errors))
        return { json: data.saveCategories, details: extensions.categories }
      },
    })
    try {
      await store.load()
      expect(facts({ tree: [...store.getState().list] })).toEqual(facts(before))
      store.change(store.getState().list.map((category) => ({ ...category, color: '#123456' })))
      expect(store.isChanged()).toBe(true)
      await store.saveAll()
      expect(store.isChanged()).toBe(false)
      expect(store.getState().version).toBe(before.version + 1)

      await save(admin, before.tree)
      store.change([])
      await expect(store.saveAll()).rejects.toThrow(/CONFLICT/)
      expect(store.isChanged()).toBe(true)
      expect(facts(await get(admin))).toEqual(facts(before))
    } finally {
      await save(admin, before.tree)
    }
  })
})

test.describe('the screens', () => {
  test('request the categories once, for any number of visits of signed-in pages [4.11]', async ({
    open,
  }) => {
    const page = await open(ADMIN)
    const calls = countCalls(page)
    // A page gets the changes of the second before it again, as those of the tests above.
    await page.waitForTimeout(2_000)
    await page.goto('/uploads')
    await expect(heading(page, 'Verificare')).toBeVisible()
    expect(await readChoices(page)).toContainEqual(expect.stringContaining('Imagistică'))
    // Another layout, the same layout, back in the history, and the first again.
    await goTo(page, 'Pacienți', 'Pacienți')
    await goTo(page, 'Instituții', 'Instituții')
    await page.goBack()
    await expect(heading(page, 'Pacienți')).toBeVisible()
    await goTo(page, 'Verificare', 'Verificare')
    expect(await readChoices(page)).toContainEqual(expect.stringContaining('Imagistică'))
    expect(calls.count).toBe(1)
  })

  test('are not drawn before the categories have come, for two seconds at most [4.11]', async ({ open }) => {
    const page = await open(ADMIN)
    // Paused, so that two seconds pass only where the test says so.
    await page.clock.install({ time: Date.now() - 1000 })
    await page.clock.pauseAt(Date.now())
    const release = await blockResponses(page, 'getCategories')
    const requested = waitForOperation(page, 'getCategories')
    await page.goto('/uploads')
    await requested
    await page.clock.runFor(1_900)
    await expect(page.getByRole('navigation')).toHaveCount(0)
    release()
    await page.clock.runFor(50)
    await expect(heading(page, 'Verificare')).toBeVisible()
    await page.clock.resume()
    expect(await readChoices(page)).toContainEqual(expect.stringContaining('Imagistică'))

    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
    await blockResponses(page, 'getCategories')
    const again = waitForOperation(page, 'getCategories')
    await page.goto('/uploads')
    await again
    await page.clock.runFor(2_100)
    await expect(heading(page, 'Verificare')).toBeVisible()
  })

  test('request nothing without a session, and again for the next user [4.11]', async ({ open }) => {
    const page = await open(null)
    const calls = countCalls(page)
    const signIn = async (email: string) => {
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Parolă', { exact: true }).fill(DEMO_PASSWORD)
      await page.getByRole('button', { name: 'Autentificare', exact: true }).click()
      await expect(heading(page, 'Pacienți')).toBeVisible()
    }
    await page.goto('/patients')
    await expect(page.getByText('Pagina cere autentificare.')).toBeVisible()
    expect(calls.count).toBe(0)
    await signIn(REGISTRAR)
    await expect.poll(() => calls.count).toBe(1)

    // Without a reload of the page: the next user does not get the previous user's data.
    await page
      .getByRole('button', { name: /^Contul meu|Ștefania/ })
      .filter({ visible: true })
      .click()
    await page.getByRole('menuitem', { name: 'Deconectare' }).click()
    await page.getByRole('link', { name: 'Autentifică-te din nou' }).click()
    await expect(page.getByLabel('E-mail')).toBeVisible()
    expect(calls.count).toBe(1)
    await signIn(REGISTRAR)
    await expect.poll(() => calls.count).toBe(2)
  })

  for (const [what, fails] of [
    [
      'an answer with status 500',
      (page: Page) =>
        page.route('**/graphql', (route) =>
          isCategoriesCall(route.request().postData())
            ? route.fulfill({ status: 500, body: '' })
            : route.continue(),
        ),
    ],
    [
      'a line that breaks',
      (page: Page) =>
        page.route('**/graphql', (route) =>
          isCategoriesCall(route.request().postData()) ? route.abort('connectionreset') : route.continue(),
        ),
    ],
  ] as const) {
    test(`that cannot load them because of ${what} are usable, show no error, and log it [7.10] [8.11]`, async ({
      open,
      product,
      expectError,
    }) => {
      // The browser's own message about the request.
      expectError(/status of 500|ERR_CONNECTION_RESET/)
      const filed = await product.db
        .selectFrom('upload')
        .select(['patient_id', 'title'])
        .where('category_slug', 'like', 'imagistica::%')
        .where('patient_id', 'is not', null)
        .where('state', '=', 'released')
        .orderBy('id')
        .limit(1)
        .executeTakeFirstOrThrow()
      const page = await open(ADMIN)
      const logged: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'warning') logged.push(message.text())
      })
      await fails(page)
      await page.goto(`/patients/${filed.patient_id}`)
      await expect(page.getByRole('link', { name: filed.title, exact: true })).toBeVisible()
      await expect.poll(() => logged).toContainEqual(expect.stringContaining('categories cannot be loaded'))
      await expect(page.getByRole('alert')).toHaveCount(0)
      await expect(page.getByRole('alertdialog')).toHaveCount(0)

      await goTo(page, 'Verificare', 'Verificare')
      await expect(page.getByRole('table', { name: 'Încărcări' })).toHaveAttribute('aria-busy', 'false')
      expect(await page.getByRole('row').count()).toBeGreaterThan(1)
      expect(await readChoices(page)).toEqual(['Nimic găsit'])
      await page.goto('/uploads?category=imagistica')
      // Not the name in the list, „Imagistică”, but the name from the slug.
      await expect(page.getByRole('combobox', { name: 'Categorie' })).toHaveValue('Imagistica')
      await expect(page.getByRole('alert')).toHaveCount(0)

      // The next screen requests them again.
      await page.unrouteAll()
      await goTo(page, 'Pacienți', 'Pacienți')
      await goTo(page, 'Verificare', 'Verificare')
      await expect.poll(() => readChoices(page)).toContainEqual(expect.stringContaining('Imagistică'))
    })
  }

  test('a filter of a removed category shows its name [3.4]', async ({ open }) => {
    const page = await open(REVIEWER)
    await page.goto('/uploads?category=imagistica::film-radiologic')
    await expect(page.getByRole('combobox', { name: 'Categorie' })).toHaveValue('Film radiologic')
    await page.goto('/uploads?category=imagistica')
    await expect(page.getByRole('combobox', { name: 'Categorie' })).toHaveValue('Imagistică')
  })
})
