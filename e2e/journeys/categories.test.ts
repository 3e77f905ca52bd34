import { makePatient, makeUpload } from '../../db/factories.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { DEFAULT_POLICY } from '../../shared/uploads/category-policy.ts'
import { expectAccessible, expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN, REVIEWER } from '../harness/accounts.ts'
import { signInClient } from '../harness/client.ts'
import { expect, type Page, test } from '../harness/test.ts'

const SAVE = 'mutation saveCategories($input: String!) { saveCategories(input: $input) }'
const LIST = [
  ['imagistica', 'Imagistică'],
  ['imagistica::ecografie', 'Ecografie'],
  ['imagistica::ecografie::abdominala', 'Abdominală'],
  ['imagistica::rmn', 'RMN'],
  ['laborator', 'Laborator'],
  ['laborator::biochimie', 'Biochimie'],
].map(([slug, name]) => ({ ...DEFAULT_POLICY, name, slug, icon: 'documents', color: '#0369a1' }))

const row = (page: Page, name: string) => page.getByRole('row', { name, exact: true })
const sheet = (page: Page) => page.getByRole('dialog')
const bar = (page: Page) => page.getByRole('region', { name: 'Modificări nesalvate' })
const saveAll = (page: Page) => bar(page).getByRole('button', { name: 'Salvează' }).click()
const slugs = (page: Page) =>
  page
    .locator('[role=row][data-key]')
    .evaluateAll((rows) => rows.map((each) => each.getAttribute('data-key')))

async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Acțiuni pentru ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

async function openEditor(page: Page): Promise<void> {
  await page.goto('/admin?tab=categorii')
  await expect(row(page, 'Biochimie')).toBeVisible()
}

/** The focused place where a category that is moved by keyboard can be put. */
const place = (page: Page) => page.locator('[aria-label]:focus')

async function pickUp(page: Page, name: string): Promise<void> {
  await row(page, name).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(place(page)).toHaveAttribute('aria-label', /^(Fixați|Inserați)/)
}

/** Moves to the next place; returns its label. */
async function nextPlace(page: Page): Promise<string> {
  const label = () => place(page).getAttribute('aria-label')
  const last = await label()
  await page.keyboard.press('ArrowDown')
  await expect.poll(label).not.toBe(last)
  return (await label()) ?? ''
}

const saved = (page: Page) =>
  expect(page.getByText('Categoriile au fost salvate'))
    .toBeVisible()
    .then(() => expect(bar(page)).toBeHidden())

/** The demo's categories, which other tests use. */
let before: string
test.beforeAll(async ({ product }) => {
  const admin = await signInClient(product.url, ADMIN)
  const { tree } = JSON.parse((await admin.runQuery('{ getCategories }')).getCategories)
  before = JSON.stringify(tree)
})
test.afterAll(async ({ product }) => {
  const admin = await signInClient(product.url, ADMIN)
  await admin.runQuery(SAVE, { input: before })
})

test.beforeEach(async ({ client }) => {
  const admin = await client(ADMIN)
  await admin.runQuery(SAVE, { input: JSON.stringify(LIST) })
})

test('an administrator edits a category, adds one under it and saves all [3.4] [3.7] [4.7] [4.8] [4.9] [4.10] [7.11]', async ({
  open,
  product,
}) => {
  const page = await open(ADMIN)
  await openEditor(page)
  await expect(bar(page)).toBeHidden()
  await row(page, 'Biochimie').click()
  await sheet(page).getByRole('textbox', { name: 'Nume' }).fill('Biochimie generală')
  // An existing slug stays when the name changes.
  await expect(sheet(page).getByRole('textbox', { name: 'Slug' })).toHaveValue('biochimie')
  await sheet(page).getByText('Două persoane').click()
  await sheet(page).getByRole('button', { name: 'Aplică' }).click()
  await expect(row(page, 'Biochimie generală')).toContainText('doi verificatori · nesalvată')
  await expect(bar(page)).toBeVisible()

  await act(page, 'Laborator', 'Adaugă o subcategorie')
  await expect(sheet(page).getByRole('textbox', { name: 'Nume' })).toHaveValue('New')
  await expect(sheet(page).getByText('laborator::new')).toBeVisible()
  await sheet(page).getByRole('textbox', { name: 'Nume' }).fill('Funcție hepatică')
  await expect(sheet(page).getByRole('textbox', { name: 'Slug' })).toHaveValue('functie-hepatica')
  await sheet(page).getByRole('button', { name: 'Adaugă' }).click()
  const sent = page.waitForRequest((request) => request.postData()?.includes('saveCategories') ?? false)
  await saveAll(page)
  const { variables, extensions } = (await sent).postDataJSON()
  expect(JSON.parse(variables.input)).toContainEqual(expect.objectContaining({ slug: 'laborator' }))
  expect(extensions.categories).toEqual({ version: expect.any(Number), moves: expect.anything() })
  await saved(page)
  const stored = await product.db
    .selectFrom('category')
    .select(['name', 'slug', 'reviewers'])
    .where('slug', 'like', 'laborator::%')
    .orderBy('position')
    .execute()
  expect(stored).toEqual([
    { name: 'Biochimie generală', slug: 'laborator::biochimie', reviewers: 2 },
    { name: 'Funcție hepatică', slug: 'laborator::functie-hepatica', reviewers: 1 },
  ])

  // After discarding, nothing is changed.
  await act(page, 'Laborator', 'Mută sus')
  expect((await slugs(page))[0]).toBe('laborator')
  await bar(page).getByRole('button', { name: 'Renunță' }).click()
  await page.getByRole('button', { name: 'Renunță la modificări' }).click()
  await expect(bar(page)).toBeHidden()
  expect((await slugs(page))[0]).toBe('imagistica')
})

test('a category is moved by the keyboard alone, never deeper than three levels [3.5] [9.1]', async ({
  open,
}) => {
  const page = await open(ADMIN)
  await openEditor(page)
  await pickUp(page, 'RMN')
  for (let step = 0; step < 12; step += 1) if ((await nextPlace(page)) === 'Fixați pe Biochimie') break
  await expect(place(page)).toHaveAttribute('aria-label', 'Fixați pe Biochimie')
  await page.keyboard.press('Enter')
  await expect.poll(() => slugs(page)).toContain('laborator::biochimie::rmn')
  await expect(row(page, 'RMN')).toBeFocused()

  // A category with a child has no place on the second level.
  await page.keyboard.press('ArrowUp')
  await pickUp(page, 'Ecografie')
  const offered = new Set<string>()
  for (let step = 0; step < 14; step += 1) offered.add(await nextPlace(page))
  await page.keyboard.press('Escape')
  expect(offered).toContain('Fixați pe Laborator')
  expect(offered).not.toContain('Fixați pe Biochimie')
})

test('a category is dragged by mouse to another place, level and parent, and stays where the target is not allowed [3.5] [9.1]', async ({
  open,
}) => {
  const page = await open(ADMIN)
  await openEditor(page)
  /** Drops on the middle of the target's row, or by `at` near its upper (-1) or lower (1) edge. */
  const drag = async (name: string, target: string, at: -1 | 0 | 1) => {
    // By its handle, which drags the whole row.
    const handle = (await page.getByRole('button', { name: `Mută ${name}`, exact: true }).boundingBox())!
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
    await page.mouse.down()
    const { x, y, width, height } = (await row(page, target).boundingBox())!
    const place = y + height / 2 + at * (height / 2 - 2)
    await page.mouse.move(x + width / 2, place - 1, { steps: 8 })
    await page.mouse.move(x + width / 2, place)
    await page.mouse.up()
  }

  await drag('Laborator', 'Imagistică', -1)
  await expect
    .poll(() => slugs(page))
    .toEqual([
      'laborator',
      'laborator::biochimie',
      'imagistica',
      'imagistica::ecografie',
      'imagistica::ecografie::abdominala',
      'imagistica::rmn',
    ])
  await drag('RMN', 'Biochimie', 0)
  await drag('Abdominală', 'Ecografie', -1)
  const moved = [
    'laborator',
    'laborator::biochimie',
    'laborator::biochimie::rmn',
    'imagistica',
    'imagistica::abdominala',
    'imagistica::ecografie',
  ]
  await expect.poll(() => slugs(page)).toEqual(moved)
  await expect(row(page, 'RMN')).toHaveAttribute('aria-level', '3')

  // A fourth level, or the category itself.
  await drag('Imagistică', 'RMN', 0)
  await drag('Biochimie', 'RMN', 0)
  // An allowed move: effects of the others would be visible by then.
  await drag('Ecografie', 'Abdominală', -1)
  const [ecografie, abdominala] = [moved.at(-1), moved.at(-2)]
  await expect.poll(() => slugs(page)).toEqual([...moved.slice(0, -2), ecografie, abdominala])
})

test('renaming and removing a category with uploads shows their number and asks for their new category; old addresses still work', async ({
  open,
  product,
}) => {
  const { db } = product
  const storage = await openDiskStorage(`${product.dataDir}/files`)
  const patient = await makePatient(db, { surname: 'Mutat', given_names: 'Categoria' })
  const author = await db
    .selectFrom('app_user')
    .select('id')
    .where('email', '=', ADMIN)
    .executeTakeFirstOrThrow()
  await db.updateTable('upload').set({ category_slug: null }).execute()
  const file = (category_slug: string) =>
    makeUpload(db, storage, {
      patient_id: patient.id,
      category_slug,
      state: 'in_review',
      created_by: author.id,
    })
  const [renamed, removed] = [await file('laborator::biochimie'), await file('imagistica::rmn')]
  const page = await open(ADMIN)
  await openEditor(page)
  await expect(row(page, 'RMN')).toContainText('1 încărcare')
  await row(page, 'Biochimie').click()
  await sheet(page).getByRole('textbox', { name: 'Slug' }).fill('chimie')
  await sheet(page).getByRole('button', { name: 'Aplică' }).click()
  await act(page, 'RMN', 'Șterge')
  await expect(page.getByRole('alertdialog')).toContainText('Aici este 1 încărcare.')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Șterge' }).click()
  await saveAll(page)

  await expect(sheet(page)).toContainText('2 încărcări au un slug care nu mai este în listă.')
  await expect(sheet(page).getByRole('button', { name: /Biochimie: 1 încărcare/ })).toContainText(
    'Laborator › Biochimie',
  )
  await sheet(page).getByRole('button', { name: 'Salvează categoriile' }).click()
  await expect(sheet(page).getByText('Alege unde merg încărcările.')).toBeVisible()
  await sheet(page)
    .getByRole('button', { name: /RMN: 1 încărcare/ })
    .click()
  await page.getByRole('option', { name: 'Imagistică › Ecografie', exact: true }).click()
  await db.transaction().execute(async (tx) => {
    // An upload that another transaction has locked moves later.
    await tx.selectFrom('upload').select('id').where('id', '=', removed.id).forUpdate().execute()
    await sheet(page).getByRole('button', { name: 'Salvează categoriile' }).click()
    await saved(page)
    await expect(page.getByRole('progressbar', { name: 'Din „Rmn” în „Ecografie”' })).toBeVisible()
    await expectAccessible(page)
  })
  await expect(page.getByText('Încărcările au fost mutate')).toBeVisible()
  const slugOf = async (id: string) =>
    (await db.selectFrom('upload').select('category_slug').where('id', '=', id).executeTakeFirstOrThrow())
      .category_slug
  expect(await slugOf(renamed.id)).toBe('laborator::chimie')
  expect(await slugOf(removed.id)).toBe('imagistica::ecografie')

  await page.goto('/uploads?category=laborator::biochimie')
  await expect(page.getByRole('row').filter({ hasText: 'Mutat' })).toHaveCount(1)
})

test('two administrators in two browsers lose nothing: compatible changes are merged, conflicts are chosen', async ({
  open,
  product,
}) => {
  const [first, second] = [await open(ADMIN), await open(ADMIN)]
  const reader = await open(REVIEWER)
  await reader.goto('/uploads')
  await openEditor(first)
  await openEditor(second)
  const rename = async (page: Page, from: string, to: string) => {
    await row(page, from).click()
    await sheet(page).getByRole('textbox', { name: 'Nume' }).fill(to)
    await sheet(page).getByRole('button', { name: 'Aplică' }).click()
    await expect(row(page, to)).toBeVisible()
  }
  await rename(second, 'RMN', 'Rezonanță')
  await rename(first, 'Biochimie', 'Biochimie nouă')
  await saveAll(first)
  await saved(first)
  // Live, and without a conflict.
  await expect(second.getByRole('alert')).toContainText('le-am unit cu ale tale')
  await expect(second.getByRole('alert')).toContainText('„Biochimie nouă”: numele')
  await expect(row(second, 'Biochimie nouă')).toBeVisible()
  await expect(row(second, 'Rezonanță')).toBeVisible()

  // Now both rename the same category.
  await rename(first, 'RMN', 'Altă rezonanță')
  await saveAll(first)
  await expect(second.getByText('Ați schimbat amândoi același lucru.', { exact: false })).toBeVisible()
  await expect(bar(second).getByRole('button', { name: 'Salvează' })).toBeDisabled()
  await second.getByRole('button', { name: 'Compară și alege' }).click()
  await expect(sheet(second)).toContainText('numele: Altă rezonanță')
  await expect(sheet(second)).toContainText('numele: Rezonanță')
  await expectAccessible(second)
  await sheet(second).getByText('Varianta mea').click()
  await sheet(second).getByRole('button', { name: 'Unește' }).click()
  await expect(row(second, 'Rezonanță')).toBeVisible()
  await saveAll(second)
  await saved(second)
  // The first has no unsaved changes: the list is shown.
  await expect(row(first, 'Rezonanță')).toBeVisible()
  await expect(row(first, 'Biochimie nouă')).toBeVisible()
  const names = await product.db.selectFrom('category').select('name').orderBy('position').execute()
  expect(names.map(({ name }) => name)).toEqual([
    'Imagistică',
    'Ecografie',
    'Abdominală',
    'Rezonanță',
    'Laborator',
    'Biochimie nouă',
  ])
  // The open pages of other users have them too.
  const filter = reader.getByRole('combobox', { name: 'Categorie' })
  await filter.press('ArrowDown')
  await expect(reader.getByRole('option', { name: /Rezonanță/ })).toBeVisible()
})

test('the editor is accessible at 360 px, in both modes, and everything is reached without dragging [3.5]', async ({
  open,
}) => {
  const page = await open(ADMIN, { viewport: { width: 360, height: 780 } })
  await openEditor(page)
  await expectAccessibleInBothModes(page)
  await act(page, 'RMN', 'Mută sub…')
  await sheet(page).getByRole('button', { name: /Sub/ }).click()
  await page.getByRole('option', { name: 'Laborator', exact: true }).click()
  await sheet(page).getByRole('button', { name: 'Mută' }).click()
  await expect.poll(() => slugs(page)).toContain('laborator::rmn')
  await expect(row(page, 'RMN')).toBeFocused()
  await expect(bar(page)).toBeInViewport()
  await expectAccessibleInBothModes(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  // Unsaved changes are not left without a question.
  await page.getByRole('tab', { name: 'Conturi' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Ce este scris aici nu este salvat')
  await page.getByRole('button', { name: 'Continuă editarea' }).click()
  await row(page, 'RMN').click()
  await expect(sheet(page).getByRole('textbox', { name: 'Nume' })).toBeFocused()
  await expectAccessibleInBothModes(page)
})
