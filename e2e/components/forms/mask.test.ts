import { expectAccessibleInBothModes } from '../../harness/accessibility.ts'
import { expect, type Locator, type Page, test } from '../../harness/catalogue.ts'

/** Returns the text of the field, with the caret or the selection as bars. */
const caretIn = (field: Locator) =>
  field.evaluate((input: HTMLInputElement) => {
    const { value, selectionStart: from, selectionEnd: to } = input
    const selected = value.slice(from!, to!)
    return `${value.slice(0, from!)}|${selected && `${selected}|`}${value.slice(to!)}`
  })

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((each) => navigator.clipboard.writeText(each), text)
  await page.keyboard.press('Control+V')
}

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }
const EMPTY = { state: 'gol' }

test('a mask inserts its literals while typing, and the value is without them [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/mask', EMPTY)
  const values = page.getByTestId('values')
  const phone = page.getByLabel('Telefon')
  await page.keyboard.press('Tab')
  await expect(phone).toBeFocused()
  await expect(phone).toHaveAttribute('inputmode', 'tel')
  await expect(phone).toHaveAccessibleDescription('Din România, cu 0 sau cu +40.')
  await page.keyboard.type('0722x123456')
  expect(await caretIn(phone)).toBe('0722 123 456|')
  await expect(values).toContainText('"phone": "722123456"')
  await page.keyboard.press('Tab')
  const card = page.getByLabel('Seria și numărul')
  await expect(card).toHaveAttribute('placeholder', '__ ______')
  await page.keyboard.type('cj123456')
  await expect(card).toHaveValue('CJ 123456')
  await expect(values).toContainText('"card": "CJ123456"')
  await page.keyboard.press('Tab')
  await page.keyboard.type('3.4.1985')
  await expect(page.getByLabel('Data')).toHaveValue('03.04.1985')
  await expect(values).toContainText('"day": "03.04.1985"')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()
})

/** The text and the caret (two bars: the selection) before an edit, the keys, and both after it. */
type Edit = [what: string, label: string, before: string, keys: string[], after: string]
const letters = (text: string) => [...text]

async function checkEdits(page: Page, edits: Edit[]): Promise<void> {
  for (const [what, label, before, keys, after] of edits) {
    const field = page.getByLabel(label)
    await field.fill(before.replaceAll('|', ''))
    await field.focus()
    const range = [before.indexOf('|'), Math.max(before.lastIndexOf('|') - 1, before.indexOf('|'))]
    await field.evaluate((input: HTMLInputElement, [from, to]) => input.setSelectionRange(from!, to!), range)
    for (const key of keys) await page.keyboard.press(key)
    await expect.poll(() => caretIn(field), what).toBe(after)
  }
}

test('the caret keeps its position while text is typed into and deleted from a mask [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/mask', EMPTY)
  await checkEdits(page, [
    ['at the end', 'Data', '03|', ['0'], '03.0|'],
    ['a literal at the end', 'Data', '03|', ['.'], '03.|'],
    ['before a literal', 'Data', '03|.04', ['9'], '03.9|0.4'],
    ['in the middle', 'Data', '0|3.04', ['1', '2'], '01.2|3.04'],
    ['into a full mask', 'Data', '0|3.04.1985', ['7'], '0|3.04.1985'],
    ['into a full mask without its optional part', 'Telefon', '0|722 123 456', ['9'], '0|722 123 456'],
    ['a character that does not fit', 'Data', '0|3', ['x'], '0|3'],
    ['over a selection', 'Data', '0|3.04|.1985', ['1', '2'], '01.2|1.985'],
    ['over the whole text', 'Data', '|03.04.1985|', ['1'], '1|'],
    ['single digits with separators', 'Data', '|', letters('3.4.1985'), '03.04.1985|'],
    ['a zero, then a digit again', 'Data', '12|.34.5678', ['Backspace', '5'], '15.|34.5678'],
    ['the international prefix', 'Telefon', '|', letters('0040722123456'), '+40 722 123 456|'],
    ['the prefix with a plus', 'Telefon', '|', letters('+40722123456'), '+40 722 123 456|'],
    ['an extra digit', 'Telefon', '|', letters('07221234567'), '0722 123 456|'],
    ['Backspace at the end', 'Data', '03.04|', ['Backspace'], '03.0|'],
    ['Backspace in the middle', 'Data', '03|.04', ['Backspace'], '0|0.4'],
    ['Backspace over a literal, then a digit', 'Data', '03.|04', ['Backspace', 'Backspace'], '0|0.4'],
    ['Backspace over the last literal', 'Data', '03.0|', ['Backspace'], '03|'],
    ['Backspace on a selection', 'Data', '0|3.04|.1985', ['Backspace'], '0|1.98.5'],
    ['Backspace on the whole text', 'Data', '|03.04.1985|', ['Backspace'], '|'],
    ['Backspace at the start', 'Data', '|03', ['Backspace'], '|03'],
    ['Delete in the middle', 'Data', '0|3.04', ['Delete'], '0|0.4'],
    ['Delete over a literal, then a digit', 'Data', '03|.04', ['Delete', 'Delete'], '03.|4'],
    ['Delete at the end', 'Data', '03|', ['Delete'], '03|'],
    ['Backspace to the start', 'Data', '03.04.1985|', Array(10).fill('Backspace'), '|'],
  ])
})

test('a pasted text of any format is accepted, in an empty field and over a selection [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/mask', { ...EMPTY, ...CLIPBOARD })
  const phone = page.getByLabel('Telefon')
  const values = page.getByTestId('values')
  await phone.click()
  for (const [text, shown] of [
    ['+40 722-123 456', '+40 722 123 456'],
    ['0040722123457', '+40 722 123 457'],
    ['0722.123.458', '0722 123 458'],
    ['Tel. (0722) 123/459', '0722 123 459'],
  ] as const) {
    await page.keyboard.press('Control+A')
    await paste(page, text)
    expect(await caretIn(phone)).toBe(`${shown}|`)
    await expect(values).toContainText(`"phone": "722${shown.slice(-7).replace(' ', '')}"`)
  }
  await phone.evaluate((input: HTMLInputElement) => input.setSelectionRange(5, 8))
  await paste(page, '9-8-7')
  expect(await caretIn(phone)).toBe('0722 987 |459')
  // Filled in by the browser or by a tool, without a key.
  await phone.fill('0733-111.222')
  await expect(phone).toHaveValue('0733 111 222')
})

test('undo and redo step through the typed text [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/mask', { ...EMPTY, ...CLIPBOARD })
  const day = page.getByLabel('Data')
  await day.click()
  await paste(page, '03041985')
  await page.keyboard.press('Control+A')
  await paste(page, '1986-05-04')
  await expect(day).toHaveValue('04.05.1986')
  await page.keyboard.press('Control+Z')
  await expect(day).toHaveValue('03.04.1985')
  await expect(page.getByTestId('values')).toContainText('"day": "03.04.1985"')
  await page.keyboard.press('Control+Z')
  await expect(day).toHaveValue('')
  await page.keyboard.press('Control+Shift+Z')
  await page.keyboard.press('Control+Shift+Z')
  await expect(day).toHaveValue('04.05.1986')
})

test('the mask works in a browser without the command that inserts text [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/mask', EMPTY)
  await page.evaluate(() => {
    document.execCommand = () => false
  })
  const day = page.getByLabel('Data')
  await day.click()
  await page.keyboard.type('03041985')
  await page.keyboard.press('Backspace')
  expect(await caretIn(day)).toBe('03.04.198|')
  await expect(page.getByTestId('values')).toContainText('"day": "03.04.198"')
})

test('a field that only got the focus shows no error and has no value [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/mask', EMPTY)
  await page.getByLabel('Data').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByTestId('values')).toHaveText('{}')
  await expect(page.getByLabel('Data')).not.toHaveAttribute('aria-invalid')
})

test('composed text is not changed until the composition ends [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/mask', EMPTY)
  const card = page.getByLabel('Seria și numărul')
  await card.click()
  const keyboard = await page.context().newCDPSession(page)
  await keyboard.send('Input.imeSetComposition', { text: 'c´j', selectionStart: 3, selectionEnd: 3 })
  await expect(card).toHaveValue('c´j')
  await keyboard.send('Input.imeSetComposition', { text: 'cj7', selectionStart: 3, selectionEnd: 3 })
  await expect(card).toHaveValue('cj7')
  await keyboard.send('Input.insertText', { text: 'cj7' })
  await expect(card).toHaveValue('CJ 7')
  await expect(page.getByTestId('values')).toContainText('"card": "CJ7"')
})

test('an incomplete mask shows an error once it is left, and blocks the form [3.10] [5.3] [5.4]', async ({
  openStory,
}) => {
  const page = await openStory('forms/mask', EMPTY)
  const phone = page.getByLabel('Telefon')
  const sentence = page.getByText('Telefon nu este complet.')
  await phone.click()
  await page.keyboard.type('+40722')
  await expect(sentence).toBeHidden()
  await page.getByLabel('Data').click()
  await expect(sentence).toBeVisible()
  await expect(phone).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByRole('alert')).toContainText('Pare rău, unele câmpuri nu sunt corect completate.')
  await expect(phone).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type('123456')
  await expect(sentence).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()
})

test('literals alone are not a value, and are removed when the field is left [3.10] [5.5]', async ({
  openStory,
}) => {
  const page = await openStory('forms/mask', EMPTY)
  const phone = page.getByLabel('Telefon')
  await phone.click()
  await page.keyboard.type('+40')
  await expect(phone).toHaveValue('+40')
  await page.keyboard.press('Tab')
  await expect(phone).toHaveValue('')
  await expect(page.getByText('Telefon este necesar.')).toBeVisible()
})

test('optional parts appear when they have characters, closing literals at the end [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/mask', { state: 'cu părți opționale' })
  const values = page.getByTestId('values')
  const code = page.getByLabel('Cod')
  await code.click()
  for (const [key, shown] of [
    ['1', '1'],
    ['2', '12'],
    ['3', '123'],
    ['4', '123-4'],
    ['5', '123-45'],
    ['6', '123-45/6'],
    ['7', '123-45/6'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(code).toHaveValue(shown)
  }
  await expect(values).toContainText('"code": "123456"')
  const share = page.getByLabel('Cotă')
  await expect(share).toHaveAttribute('placeholder', '__ %')
  await share.click()
  await page.keyboard.type('55')
  await expect(share).toHaveValue('55 %')
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  await expect(share).toHaveValue('55 %')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  expect(await caretIn(share)).toBe('5|')
})

test('the initial value is shown with the mask, also in a read-only field [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/mask', { state: 'completat' })
  await expect(page.getByLabel('CNP')).toHaveValue('1630615123457')
  await expect(page.getByLabel('CUI')).toHaveValue('18547290')
  await expect(page.getByLabel('Telefon')).toHaveValue('722 123 456')
  await expect(page.getByLabel('Data')).toHaveValue('03.04.1985')
  await expect(page.getByLabel('Dezactivat')).toHaveValue('722 123 456')
  await expect(page.getByLabel('Dezactivat')).toBeDisabled()
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByText('Trimis: 1')).toBeVisible()
})

for (const component of ['mask', 'cnp', 'cui', 'phone']) {
  test(`every state of ${component} is accessible and fits a phone, in both modes`, async ({ openStory }) => {
    const page = await openStory(`forms/${component}`, { viewport: { width: 360, height: 740 } })
    await expect(page.getByTestId('values').first()).toBeVisible()
    await expectAccessibleInBothModes(page)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(360)
  })
}
