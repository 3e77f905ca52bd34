import { expectAccessibleInBothModes } from '../../harness/accessibility.ts'
import { expect, type Page, test } from '../../harness/catalogue.ts'

const person = (page: Page, number: number) =>
  page.getByRole('group', { name: `Persoana ${number}`, exact: true })
const name = (page: Page, number: number) => person(page, number).getByLabel('Nume')
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })
const announced = (page: Page) => page.locator('p[role="status"]')

async function names(page: Page): Promise<(string | undefined)[]> {
  const { contacts } = JSON.parse((await page.getByTestId('values').textContent()) ?? '')
  return contacts.map((contact: { name?: string }) => contact.name)
}

test('items are added by keyboard up to the maximum, with the focus on the first field of the new item [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/repeater', { state: 'gol' })
  await expect(page.getByText('Nimic adăugat.')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Adaugă persoană')).toBeFocused()
  for (const [number, typed] of [
    [1, 'Ana'],
    [2, 'Ion'],
    [3, 'Maria'],
  ] as const) {
    await button(page, 'Adaugă persoană').focus()
    await page.keyboard.press('Enter')
    await expect(name(page, number)).toBeFocused()
    await page.keyboard.type(typed)
  }
  await expect(page.getByText('Nimic adăugat.')).toBeHidden()
  await expect(button(page, 'Adaugă persoană')).toBeDisabled()
  await expect(button(page, 'Adaugă persoană')).toHaveAccessibleDescription('Poți adăuga cel mult 3.')
  await expect.poll(() => names(page)).toEqual(['Ana', 'Ion', 'Maria'])
})

test('a removed item can be restored at its place; the focus stays near [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/repeater', { state: 'completat' })
  await button(page, 'Șterge: Persoana 2').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => names(page)).toEqual(['Ana Popescu', 'Maria Marin'])
  await expect(button(page, 'Șterge: Persoana 2')).toBeFocused()
  await button(page, 'Anulează ștergerea').click()
  await expect.poll(() => names(page)).toEqual(['Ana Popescu', 'Ion Ionescu', 'Maria Marin'])
  await expect(name(page, 2)).toHaveValue('Ion Ionescu')
  await expect(person(page, 2).getByLabel('E-mail')).toHaveValue('ion@example.ro')
  await expect(button(page, 'Anulează ștergerea')).toBeHidden()
  await expect(name(page, 2)).toBeFocused()
})

test('after the last item is removed the focus is on the add button [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/repeater', { state: 'completat' })
  await button(page, 'Șterge: Persoana 3').focus()
  for (const left of [2, 1, 0]) {
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Nume')).toHaveCount(left)
  }
  await expect(button(page, 'Adaugă persoană')).toBeFocused()
  await expect(page.getByText('Nimic adăugat.')).toBeVisible()
})

test('an item moves by its buttons with text that was just typed, and its new place is announced [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/repeater', { state: 'completat' })
  await name(page, 3).fill('Maria-Elena')
  await button(page, 'Mută mai sus: Persoana 3').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => names(page)).toEqual(['Ana Popescu', 'Maria-Elena', 'Ion Ionescu'])
  await expect(announced(page)).toHaveText('Persoana 3 s-a mutat pe locul 2 din 3.')
  await expect(button(page, 'Mută mai sus: Persoana 2')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => names(page)).toEqual(['Maria-Elena', 'Ana Popescu', 'Ion Ionescu'])
  await expect(button(page, 'Mută mai sus: Persoana 1')).toBeDisabled()
  await expect(button(page, 'Mută mai jos: Persoana 1')).toBeFocused()
  await name(page, 1).press('End')
  await page.keyboard.type(' M.')
  await expect.poll(() => names(page)).toEqual(['Maria-Elena M.', 'Ana Popescu', 'Ion Ionescu'])
})

test('an item is dragged by its handle to another place; Escape cancels [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/repeater', { state: 'completat' })
  const grab = async (from: number, to: number) => {
    await person(page, from).locator('[data-part="handle"]').hover()
    await page.mouse.down()
    const box = (await person(page, to).boundingBox())!
    await page.mouse.move(box.x + 20, box.y + (to > from ? box.height - 4 : 4), { steps: 5 })
  }
  await grab(1, 3)
  await page.mouse.up()
  await expect.poll(() => names(page)).toEqual(['Ion Ionescu', 'Maria Marin', 'Ana Popescu'])
  await expect(announced(page)).toHaveText('Persoana 1 s-a mutat pe locul 3 din 3.')
  await grab(3, 2)
  await page.mouse.up()
  await expect.poll(() => names(page)).toEqual(['Ion Ionescu', 'Ana Popescu', 'Maria Marin'])
  await grab(1, 3)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(name(page, 1)).toHaveValue('Ion Ionescu')
  expect(await names(page)).toEqual(['Ion Ionescu', 'Ana Popescu', 'Maria Marin'])
})

test('fewer items than the minimum are rejected with a message, and the minimum cannot be removed [3.10] [5.4]', async ({
  openStory,
}) => {
  const page = await openStory('forms/repeater', { state: 'cel puțin două' })
  await expect(button(page, 'Șterge: Persoana 1')).toBeDisabled()
  await expect(button(page, 'Șterge: Persoana 1')).toHaveAccessibleDescription('Este nevoie de cel puțin 2.')
  await expect(page.getByText('Persoane de contact: cel puțin 2.')).toBeHidden()
  await button(page, 'Trimite').click()
  await expect(page.getByText('Trimis: 0')).toBeVisible()
  const contacts = page.getByRole('group', { name: 'Persoane de contact' })
  await expect(contacts).toHaveAccessibleDescription('Persoane de contact: cel puțin 2.')
  await expect(button(page, 'Adaugă persoană')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Ion')
  await expect(page.getByText('Persoane de contact: cel puțin 2.')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()
})

test('the error of an item’s field is under that field, and the form moves the focus there [3.10] [5.3] [5.4]', async ({
  openStory,
}) => {
  const page = await openStory('forms/repeater', { state: 'completat' })
  await name(page, 2).fill('')
  await name(page, 1).press('Enter')
  await expect(name(page, 2)).toBeFocused()
  await expect(name(page, 2)).toHaveAccessibleDescription('Nume este necesar.')
  await button(page, 'Șterge: Persoana 2').click()
  await button(page, 'Trimite').click()
  await expect(page.getByText('Trimis: 1')).toBeVisible()
})

test("the server's error is on the field of its item, moves with it and disappears once the field is fixed [3.10]", async ({
  openStory,
}) => {
  const page = await openStory('forms/repeater', { state: 'refuzat de server' })
  await button(page, 'Trimite').click()
  const email = (number: number) => person(page, number).getByLabel('E-mail')
  await expect(email(2)).toHaveAccessibleDescription('Adresa este folosită deja.')
  await button(page, 'Mută mai jos: Persoana 2').click()
  await expect(email(3)).toHaveAccessibleDescription('Adresa este folosită deja.')
  await expect(email(2)).toHaveAccessibleDescription('')
  await email(3).fill('alta@example.ro')
  await expect(email(3)).toHaveAccessibleDescription('')
})

test('in a disabled repeater nothing can be added, moved, removed or typed [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/repeater', { state: 'dezactivat' })
  for (const label of ['Adaugă', 'Șterge: Persoana 1', 'Mută mai jos: Persoana 1'])
    await expect(button(page, label)).toBeDisabled()
  await expect(name(page, 1)).toBeDisabled()
  await expect(page.locator('[data-part="handle"]')).toHaveCount(0)
})

test('on a phone nothing scrolls sideways, and touch drags too [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/repeater', {
    state: 'completat',
    viewport: { width: 360, height: 1200 },
    hasTouch: true,
    isMobile: true,
  })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  const size = (await button(page, 'Mută mai jos: Persoana 1').boundingBox())!
  expect([size.width, size.height]).toEqual([44, 44])
  const handle = (await person(page, 1).locator('[data-part="handle"]').boundingBox())!
  const target = (await person(page, 2).boundingBox())!
  const touch = await page.context().newCDPSession(page)
  const x = handle.x + 20
  const send = (type: string, y?: number) =>
    touch.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: y === undefined ? [] : [{ x, y }],
    })
  await send('touchStart', handle.y + 20)
  await send('touchMove', handle.y + 80)
  await send('touchMove', target.y + target.height - 4)
  await send('touchEnd')
  await expect.poll(() => names(page)).toEqual(['Ion Ionescu', 'Ana Popescu', 'Maria Marin'])
})

test('the repeater is accessible, also with errors, in both modes [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/repeater')
  await expect(page.getByText('Nimic adăugat.')).toBeVisible()
  for (const send of await button(page, 'Trimite').all()) await send.click()
  await expect(page.getByText('Persoane de contact: cel puțin 2.')).toBeVisible()
  await expectAccessibleInBothModes(page)
})
