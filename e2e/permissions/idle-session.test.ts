import { expectAccessible, expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { DEMO_PASSWORD } from '../harness/accounts.ts'
import { makePerson, type Person } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(email)
  await page.getByLabel('Parolă', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Autentificare', exact: true }).click()
}

const sessionOf = ({ db }: Product, { id }: Person) =>
  db
    .selectFrom('session')
    .where('user_id', '=', id)
    .where('revoked_at', 'is', null)
    .select(['shared', 'last_seen_at'])
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()

/** Makes the last use of the person's sessions this many minutes old. */
const ageUse = ({ db }: Product, { id }: Person, minutes: number) =>
  db
    .updateTable('session')
    .set({ last_seen_at: new Date(Date.now() - minutes * 60_000) })
    .where('user_id', '=', id)
    .execute()

test('a session on a shared computer ends without use, and the user goes on where it ended', async ({
  open,
  product,
  expectError,
}) => {
  // A request may reach the server before the page is informed of the end.
  expectError(/401/)
  const person = await makePerson(product)
  const page = await open(null, { reducedMotion: 'reduce' })
  await page.goto('/uploads')
  await page.getByRole('checkbox', { name: 'Calculator folosit de mai multe persoane' }).check()
  await expectAccessibleInBothModes(page)
  await enterPassword(page, person.email)
  await expect(page.getByRole('heading', { level: 1, name: 'Verificare' })).toBeVisible()
  expect((await sessionOf(product, person)).shared).toBe(true)

  await page.goto('/logs?from=2026-01-01')
  await expect(page.getByRole('heading', { level: 1, name: 'Jurnal de activitate' })).toBeVisible()
  await ageUse(product, person, 31)
  // Nobody touches the page: it ends by itself.
  await expect(page.getByText('Sesiunea s-a încheiat pentru că nu a fost folosită.')).toBeVisible()
  await expectAccessible(page)
  // The browser keeps the choice, until its next user makes another.
  const box = page.getByRole('checkbox', { name: 'Calculator folosit de mai multe persoane' })
  await expect(box).toBeChecked()
  const { width, height } = (await box.boundingBox())!
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
  await enterPassword(page, person.email)
  await expect(page.getByRole('heading', { level: 1, name: 'Jurnal de activitate' })).toBeVisible()
  expect(new URL(page.url()).search).toBe('?from=2026-01-01')
  expect((await sessionOf(product, person)).shared).toBe(true)
})

test('the pointer and the keys count as use; an open page alone does not', async ({ open, product }) => {
  const person = await makePerson(product)
  const page = await open(person.email, { reducedMotion: 'reduce' })
  await ageUse(product, person, 20)
  await page.goto('/patients')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.waitForLoadState('networkidle')
  const minutes = async () =>
    (Date.now() - (await sessionOf(product, person)).last_seen_at.getTime()) / 60_000
  expect(await minutes()).toBeGreaterThan(19)
  await page.keyboard.press('Shift')
  await expect.poll(minutes).toBeLessThan(1)
})
