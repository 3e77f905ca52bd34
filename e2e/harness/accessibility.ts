import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What looking at the same page in other colours can change. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Fails with rule and place of everything that axe finds against WCAG 2.2 A and AA. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingFound(page, (axe) => axe.withTags(WCAG_22_AA))
}

/** As the page is in light, and its colours in dark, which they take on at once; it stays dark. */
export async function expectAccessibleInBothModes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectContrast(page)
}

/** Fails with everything that the colours of the page make hard to read or to tell apart. */
export async function expectContrast(page: Page): Promise<void> {
  await expectNothingFound(page, (axe) => axe.withRules(OF_COLOURS))
}

async function expectNothingFound(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  // Without what it does for frames, of which the product has none; it takes more than half of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  // What React Aria has just said of a button that waits, it keeps for 7 s, also where the button has gone.
  const { violations } = await choose(axe).exclude('[data-live-announcer]').analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}
