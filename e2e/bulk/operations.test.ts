import { expectAccessible } from '../harness/accessibility.ts'
import { REVIEWER } from '../harness/accounts.ts'
import { expect, test } from '../harness/test.ts'

test('a reviewer chooses uploads in the queue, sees what would change, changes and restores them', async ({
  open,
  product,
}) => {
  const page = await open(REVIEWER)
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto('/uploads')
  await page.getByRole('button', { name: 'Alege mai multe' }).click()
  const boxes = page.getByRole('checkbox', { name: /^Alege încărcarea/ })
  for (const place of [0, 1]) {
    await boxes.nth(place).focus()
    await page.keyboard.press('Space')
  }
  await expect(page.getByText('2 încărcări alese')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Operație cu cele alese' }).click()

  await expect(page.getByText('Pentru 2 încărcări alese din listă.')).toBeVisible()
  await page.getByRole('button', { name: /Ce se schimbă/ }).click()
  await page.getByRole('option', { name: 'Alt titlu' }).click()
  await page.getByLabel('Titlul nou').fill('Titlu de probă')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Arată ce s-ar modifica' }).click()
  await expect(page.getByText('S-ar modifica 2 încărcări')).toBeVisible()
  const changed = () =>
    product.db.selectFrom('upload').select('id').where('title', '=', 'Titlu de probă').execute()
  expect(await changed()).toEqual([])
  await page.getByRole('button', { name: 'Pornește pentru 2 încărcări' }).click()
  await expect(page.getByText('2 încărcări modificate')).toBeVisible()
  expect(await changed()).toHaveLength(2)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Anulează operația' }).click()
  await expect(page.getByText('2 încărcări ca înainte')).toBeVisible()
  expect(await changed()).toEqual([])
})

test('pasted words among numbers are named and skipped, and unknown ones are exceptions', async ({
  open,
}) => {
  const page = await open(REVIEWER)
  await page.goto('/bulk?tab=operatii')
  await page.getByRole('button', { name: 'Operație nouă' }).click()
  await page.getByRole('button', { name: /Ce se schimbă/ }).click()
  await page.getByRole('option', { name: 'Retragere' }).click()
  const numbers = page.getByLabel('Numerele încărcărilor')
  await numbers.fill('nr. abc')
  await page.getByRole('button', { name: 'Arată ce s-ar modifica' }).click()
  await expect(page.getByText('Scrie cel puțin un număr de încărcare.')).toBeVisible()
  await numbers.fill('nr. 17, 18 abc')
  await expect(page.getByText('Nu sunt numere și se sar: „nr.”, „abc”.')).toBeVisible()
  await page.getByRole('button', { name: 'Arată ce s-ar modifica' }).click()
  await expect(page.getByText('Numai numerele au fost luate')).toBeVisible()
  await expect(page.getByText('Nu s-ar modifica nimic')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Descarcă excepțiile' }).click()
  expect((await download).suggestedFilename()).toMatch(/^exceptii-\d+\.csv$/)
})

test('released files are downloaded as one archive', async ({ open, product }) => {
  const { number } = await product.db
    .selectFrom('upload')
    .innerJoin('file', 'file.upload_id', 'upload.id')
    .select('upload.number')
    .where('upload.state', '=', 'released')
    .where('upload.deleted_at', 'is', null)
    .where('file.removed_at', 'is', null)
    .limit(1)
    .executeTakeFirstOrThrow()
  const page = await open(REVIEWER)
  await page.goto('/bulk?tab=operatii')
  await page.getByRole('button', { name: 'Operație nouă' }).click()
  await page.getByRole('button', { name: /Ce se schimbă/ }).click()
  await page.getByRole('option', { name: 'Descărcare ca ZIP' }).click()
  await page.getByLabel('Numerele încărcărilor').fill(String(number))
  await page.getByRole('button', { name: 'Arată ce s-ar descărca' }).click()
  await expect(page.getByText('De descărcat: 1 încărcare')).toBeVisible()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Descarcă arhiva' }).click()
  expect((await download).suggestedFilename()).toMatch(/^Fișierele operației \d+\.zip$/)
  await expect(page.getByText('1 încărcare în arhivă')).toBeVisible()
})
