import { REGISTRAR } from '../harness/accounts.ts'
import { expect, test } from '../harness/test.ts'

test('the page of an institution: each figure leads to its list, a row to its upload, and patients are searched', async ({
  open,
  product,
}) => {
  const { id, name } = await product.db
    .selectFrom('institution')
    .select(['id', 'name'])
    .orderBy('code', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const page = await open(REGISTRAR, { reducedMotion: 'reduce' })
  await page.goto(`/institutions/${id}`)
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Utilizatori' })).toContainText('Ultima vizită')
  const figures = page.getByRole('region', { name: 'Cifrele instituției' })
  const rows = page.getByRole('table', { name: 'Rezultatele instituției' }).locator('tbody tr')
  for (const [label, address] of [
    [/nedeschise/i, /tab=rezultate&opening=nedeschise$/],
    [/eliberate/i, /tab=rezultate&days=30$/],
  ] as const) {
    const figure = figures.getByRole('link', { name: label })
    const count = Number(/^\d+/.exec((await figure.textContent()) ?? '')?.[0])
    expect(count).toBeGreaterThan(0)
    await figure.press('Enter')
    await expect(page).toHaveURL(address)
    await expect(rows).toHaveCount(count)
  }
  await rows.first().getByRole('link').press('Enter')
  await expect(page).toHaveURL(/\/uploads\//)
  await page.goBack()
  await expect(page).toHaveURL(/days=30$/)

  await page.getByRole('tab', { name: 'Pacienți' }).click()
  const patients = page.getByRole('table', { name: 'Pacienții instituției, cei mai noi întâi' })
  const first = (await patients.getByRole('link').first().textContent())!
  await page.getByRole('searchbox', { name: 'Caută printre pacienții instituției' }).fill(first)
  await expect(
    page.getByRole('table', { name: 'Pacienți găsiți' }).getByRole('link', { name: first }).first(),
  ).toBeVisible()
  await expect(page).not.toHaveURL(new RegExp(encodeURIComponent(first.split(' ')[0]!)))

  // On a small laptop the names of the list have room.
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto('/institutions')
  const named = page.getByRole('link', { name })
  await expect(named).toBeVisible()
  expect(await named.evaluate((link) => link.closest('td')!.clientWidth)).toBeGreaterThan(240)
})
