import { expectAccessibleInBothModes } from '../../harness/accessibility.ts'
import { expect, type Locator, type Page, test } from '../../harness/catalogue.ts'

const text = (page: Page) => page.getByRole('textbox', { name: 'Culoare', exact: true })
const preview = (page: Page) => page.getByRole('button', { name: 'Alege culoarea: Culoare' })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Alege culoarea: Culoare' })
const channel = (page: Page, name: string) => panel(page).getByRole('spinbutton', { name })
const value = (page: Page) => page.getByTestId('values')

async function openPanel(page: Page): Promise<void> {
  await preview(page).click()
  await expect(panel(page).getByRole('slider', { name: 'Nuanță' })).toBeAttached()
}

const area = (page: Page) => panel(page).getByRole('group', { name: /^Saturație și luminozitate/ })
const strip = (page: Page, name: string) => panel(page).getByRole('group', { name, exact: true })

/** Returns the rendered size of each match in px, exact to a thousandth. */
const sizes = (target: Locator) =>
  target.evaluateAll((found) =>
    found.map((each) => {
      const { width, height } = each.getBoundingClientRect()
      return `${+width.toFixed(3)}×${+height.toFixed(3)}`
    }),
  )

for (const pointer of ['mouse', 'touch'] as const)
  test(`the area is 256×256, the strips 256×10, the previews 33×33, the swatches 21×21 under a ${pointer} [9.11]`, async ({
    openStory,
  }) => {
    const page = await openStory('forms/colorpicker', {
      state: 'mostre',
      ...(pointer === 'touch' && { isMobile: true, hasTouch: true, viewport: { width: 360, height: 740 } }),
    })
    await openPanel(page)
    await expect(panel(page)).not.toHaveAttribute('data-entering')
    expect(await sizes(area(page))).toEqual(['256×256'])
    expect(await sizes(strip(page, 'Nuanță'))).toEqual(['256×10'])
    expect(await sizes(strip(page, 'Alfa'))).toEqual(['256×10'])
    expect(await sizes(panel(page).getByRole('option').locator('canvas'))).toEqual(Array(9).fill('21×21'))
    expect(await sizes(panel(page).locator('canvas:has(+ [role=radiogroup])'))).toEqual(['33×33'])
    expect(await sizes(preview(page).locator('canvas'))).toEqual(['33×33'])
    const canvases = panel(page).locator('canvas')
    const drawn = await canvases.evaluateAll((all) =>
      all.map((each) => {
        const { width, height } = each as HTMLCanvasElement
        const pixels = (each as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height).data
        return [`${width}×${height}`, pixels.some((byte) => byte > 0)]
      }),
    )
    expect(drawn).toEqual(
      ['256×256', '256×10', '256×10', '33×33', ...Array(9).fill('21×21')].map((size) => [size, true]),
    )
    // The whole panel fits the screen, without a second scroll bar.
    const box = (await panel(page).boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(page.viewportSize()!.width)
    expect(await panel(page).evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()!.width)
  })

test('any notation can be typed, and leaving the field converts it to the field’s notation [3.8] [5.1]', async ({
  openStory,
}) => {
  const page = await openStory('forms/colorpicker', { state: 'gol' })
  for (const [typed, kept] of [
    ['#369', '#336699'],
    ['336699', '#336699'],
    ['#33669980', '#33669980'],
    ['rgb(51, 102, 153)', '#336699'],
    ['rgba(51 102 153 / 50%)', '#33669980'],
    ['hsl(210, 50%, 40%)', '#336699'],
    ['hsla(210deg 50% 40% / .5)', '#33669980'],
    ['rgb(999, -1, 0)', '#ff0000'],
  ] as const) {
    await text(page).fill('')
    await text(page).pressSequentially(typed)
    await expect(value(page)).toContainText(`"color": "${kept}"`)
    await expect(text(page)).toHaveValue(typed)
    await page.keyboard.press('Tab')
    await expect(text(page)).toHaveValue(kept)
  }
})

for (const [state, kept] of [
  ['rgba', 'rgba(0, 128, 0, 1)'],
  ['hsla', 'hsla(120, 100%, 25.1%, 1)'],
] as const)
  test(`the value is written in the notation of the field: ${state} [3.8]`, async ({ openStory }) => {
    const page = await openStory('forms/colorpicker', { state })
    await text(page).fill('#008000')
    await page.keyboard.press('Enter')
    await expect(value(page)).toContainText(`"color": "${kept}"`)
    await expect(page.getByText('Trimis: 1')).toBeVisible()
  })

test('a text that is no colour shows an error once the field is left, and cannot be sent [5.1] [5.3]', async ({
  openStory,
}) => {
  const page = await openStory('forms/colorpicker', { state: 'gol' })
  const fault = page.getByText('Aceasta nu este o culoare.')
  await text(page).pressSequentially('vernil')
  await expect(fault).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(fault).toBeVisible()
  await expect(text(page)).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByRole('alert')).toContainText('unele câmpuri nu sunt corect completate')
  await expect(text(page)).toBeFocused()
  await expect(page.getByText('Trimis: 0')).toBeVisible()

  await text(page).fill('#00f')
  await expect(fault).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()
  await text(page).fill('')
  await expect(value(page)).toContainText('"color": ""')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Trimis: 2')).toBeVisible()
})

test('a field for opaque colours rejects others and has no opacity strip', async ({ openStory }) => {
  const page = await openStory('forms/colorpicker', { state: 'fără transparență' })
  await text(page).fill('#33669980')
  await page.keyboard.press('Tab')
  await expect(page.getByText('Culoarea nu poate fi transparentă.')).toBeVisible()
  await text(page).fill('#336699')
  await expect(page.getByText('Culoarea nu poate fi transparentă.')).toBeHidden()
  await openPanel(page)
  await expect(panel(page).getByRole('slider', { name: 'Alfa' })).toHaveCount(0)
  await panel(page).getByRole('radio', { name: 'RGB' }).click()
  await expect(channel(page, 'Roșu')).toHaveValue('51')
  await expect(channel(page, 'Alfa')).toHaveCount(0)
})

test('the panel is loaded when it is first opened', async ({ openStory }) => {
  const page = await openStory('forms/colorpicker', { state: 'completat' })
  const scripts = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  expect((await scripts()).filter((name) => name.includes('color-panel'))).toEqual([])
  await openPanel(page)
  expect((await scripts()).filter((name) => name.includes('color-panel'))).toHaveLength(1)
})

test('a colour is chosen with the keyboard alone [3.8] [5.1]', async ({ openStory }) => {
  const page = await openStory('forms/colorpicker', { state: 'hsla' })
  const key = (name: string) => page.keyboard.press(name)
  await text(page).focus()
  await key('Tab')
  await expect(preview(page)).toBeFocused()
  await key('Enter')
  await expect(panel(page).getByRole('slider', { name: 'Nuanță' })).toBeAttached()

  await key('Tab')
  await key('ArrowRight')
  await expect(value(page)).toContainText('"hsla(210, 51%, 40%, 1)"')
  await key('ArrowDown')
  await expect(value(page)).toContainText('"hsla(210, 51%, 39%, 1)"')
  await key('Tab')
  await key('ArrowLeft')
  await expect(value(page)).toContainText('"hsla(209, 51%, 39%, 1)"')
  await key('End')
  await expect(value(page)).toContainText('"hsla(360, 51%, 39%, 1)"')
  await key('Tab')
  await key('ArrowLeft')
  await expect(value(page)).toContainText('"hsla(360, 51%, 39%, 0.99)"')
  await key('Home')
  await expect(value(page)).toContainText('"hsla(360, 51%, 39%, 0)"')

  await key('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(preview(page)).toBeFocused()
  await expect(text(page)).toHaveValue('hsla(360, 51%, 39%, 0)')
})

test('a colour is dragged in the area and on the strips, which react slightly outside their edges too [3.8]', async ({
  openStory,
}) => {
  const page = await openStory('forms/colorpicker', { state: 'hsla' })
  await openPanel(page)
  await expect(panel(page)).not.toHaveAttribute('data-entering')
  const drag = async (target: Locator, from: [number, number], to: [number, number]) => {
    const { x, y } = (await target.boundingBox())!
    await page.mouse.move(x + from[0], y + from[1])
    await page.mouse.down()
    await page.mouse.move(x + to[0], y + to[1], { steps: 4 })
    await page.mouse.up()
  }
  await drag(area(page), [128, 128], [192, 64])
  await expect(value(page)).toContainText('"hsla(210, 75%, 75%, 1)"')
  await drag(area(page), [128, 128], [400, 400])
  await expect(value(page)).toContainText('"hsla(210, 100%, 0%, 1)"')
  await drag(strip(page, 'Nuanță'), [10, 5], [64, 5])
  await expect(value(page)).toContainText('"hsla(90, 100%, 0%, 1)"')
  await drag(strip(page, 'Alfa'), [200, 14], [128, 14])
  await expect(value(page)).toContainText('"hsla(90, 100%, 0%, 0.5)"')
})

test('each channel is a number that stays within its bounds while typing [3.8] [5.1]', async ({
  openStory,
}) => {
  const page = await openStory('forms/colorpicker', { state: 'rgba' })
  await openPanel(page)
  await channel(page, 'Roșu').fill('')
  await channel(page, 'Roșu').pressSequentially('300')
  await expect(channel(page, 'Roșu')).toHaveValue('255')
  await expect(value(page)).toContainText('"rgba(255, 102, 153, 0.5)"')
  await channel(page, 'Verde').fill('-5')
  await expect(channel(page, 'Verde')).toHaveValue('0')
  await channel(page, 'Albastru').fill('')
  await channel(page, 'Albastru').pressSequentially('1x2e')
  await expect(channel(page, 'Albastru')).toHaveValue('12')
  await channel(page, 'Alfa').fill('')
  await channel(page, 'Alfa').pressSequentially('0,25')
  await expect(value(page)).toContainText('"rgba(255, 0, 12, 0.25)"')
  await expect(channel(page, 'Alfa')).toHaveAttribute('step', '0.01')
  await channel(page, 'Alfa').fill('3')
  await expect(channel(page, 'Alfa')).toHaveValue('1')
  await channel(page, 'Alfa').fill('')
  await page.keyboard.press('Tab')
  await expect(channel(page, 'Alfa')).toHaveValue('1')

  await panel(page).getByRole('radio', { name: 'HSLA' }).click()
  for (const [name, max] of [
    ['Nuanță', 360],
    ['Saturație', 100],
    ['Luminozitate', 100],
  ] as const) {
    await channel(page, name).fill('9999')
    await expect(channel(page, name)).toHaveValue(String(max))
    await expect(channel(page, name)).toHaveAttribute('aria-valuemax', String(max))
    await expect(channel(page, name)).toHaveAttribute('max', String(max))
    await expect(channel(page, name)).toHaveAttribute('min', '0')
    await expect(channel(page, name)).toHaveAttribute('step', '1')
  }
  await expect(value(page)).toContainText('"rgba(255, 255, 255, 1)"')
})

test('arrow keys step a channel and stop at its bounds [5.1]', async ({ openStory }) => {
  const page = await openStory('forms/colorpicker', { state: 'rgba' })
  await openPanel(page)
  await channel(page, 'Roșu').fill('254')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(channel(page, 'Roșu')).toHaveValue('255')
  await channel(page, 'Alfa').fill('0,02')
  for (const expected of ['0,01', '0', '0']) {
    await page.keyboard.press('ArrowDown')
    await expect(channel(page, 'Alfa')).toHaveValue(expected)
  }
  await page.keyboard.press('PageUp')
  await expect(value(page)).toContainText('"rgba(255, 102, 153, 0.1)"')
  await panel(page).getByRole('radio', { name: 'HSLA' }).click()
  await channel(page, 'Nuanță').fill('359')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(channel(page, 'Nuanță')).toHaveValue('360')
})

test('a grey keeps its chosen hue', async ({ openStory }) => {
  const page = await openStory('forms/colorpicker', { state: 'completat' })
  await openPanel(page)
  await panel(page).getByRole('radio', { name: 'HSLA' }).click()
  await channel(page, 'Saturație').fill('0')
  await expect(value(page)).toContainText('"#666666"')
  await expect(channel(page, 'Nuanță')).toHaveValue('210')
  await channel(page, 'Saturație').fill('50')
  await expect(value(page)).toContainText('"#336699"')
})

test('swatches are offered alone and in groups, named by their label or their value [3.8]', async ({
  openStory,
}) => {
  const page = await openStory('forms/colorpicker', { state: 'mostre' })
  await openPanel(page)
  const group = (name: string) => panel(page).getByRole('listbox', { name })
  await expect(group('Culori propuse').getByRole('option')).toHaveCount(3)
  await expect(group('Culori propuse').getByRole('option', { name: '#be123c' })).toBeVisible()
  await expect(group('Imagistică').getByRole('option', { selected: true })).toHaveAccessibleName('Ecografie')

  await group('Laborator').getByRole('option', { name: 'Hematologie' }).click()
  await expect(value(page)).toContainText('"#be123c"')
  await expect(group('Imagistică').getByRole('option', { selected: true })).toHaveCount(0)

  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(value(page)).toContainText('"#b45309"')
  await expect(group('Laborator').getByRole('option', { selected: true })).toHaveAccessibleName('Biochimie')
})

test('the eyedropper is shown where the browser has one, sets its colour, and can be cancelled [3.8]', async ({
  openStory,
}) => {
  const page = await openStory('forms/colorpicker', { state: 'completat' })
  const eyedropper = panel(page).getByRole('button', { name: 'Ia o culoare de pe ecran' })
  // The browser's own eyedropper needs a user; both results are those of the standard.
  const response = (colour: string | null) =>
    page.evaluate((sRGBHex) => {
      window.EyeDropper = class {
        async open() {
          if (sRGBHex === null) throw new DOMException('', 'AbortError')
          return { sRGBHex }
        }
      }
    }, colour)
  await response('#123456')
  await openPanel(page)
  await eyedropper.click()
  await expect(value(page)).toContainText('"#123456"')
  await response(null)
  await eyedropper.click()
  await expect(eyedropper).toBeEnabled()
  await expect(value(page)).toContainText('"#123456"')

  await page.keyboard.press('Escape')
  // Removed, not fading out: only then it can start again.
  await expect(panel(page)).toHaveCount(0)
  await page.evaluate(() => delete window.EyeDropper)
  await openPanel(page)
  await expect(eyedropper).toHaveCount(0)
})

test('a disabled field opens nothing', async ({ openStory }) => {
  const page = await openStory('forms/colorpicker', { state: 'dezactivat' })
  await expect(text(page)).toBeDisabled()
  await expect(preview(page)).toBeDisabled()
})

test('the field and its panel are accessible, in both modes', async ({ openStory }) => {
  await expectAccessibleInBothModes(await openStory('forms/colorpicker', { state: 'refuzat' }))
  const withSwatches = await openStory('forms/colorpicker', { state: 'mostre' })
  await openPanel(withSwatches)
  await expect(panel(withSwatches)).not.toHaveAttribute('data-entering')
  await panel(withSwatches).getByRole('radio', { name: 'HSLA' }).click()
  await expectAccessibleInBothModes(withSwatches)
})
