import { expect, type Page } from '@playwright/test'

/** The storage key of the preference. */
export const COLOUR_MODE_KEY = 'dosar-color-mode'

export const storedPreference = (page: Page) =>
  page.evaluate((key) => localStorage.getItem(key), COLOUR_MODE_KEY)

/** Returns the brightness of the page's background, from 0 to 255. */
const brightness = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d')!
    canvas.fillStyle = getComputedStyle(document.documentElement).backgroundColor
    canvas.fillRect(0, 0, 1, 1)
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data
    return (red! + green! + blue!) / 3
  })

/** Waits until the page is light or dark. */
export async function expectMode(page: Page, mode: 'light' | 'dark'): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(mode)
  if (mode === 'dark') expect(await brightness(page)).toBeLessThan(60)
  else expect(await brightness(page)).toBeGreaterThan(230)
}
