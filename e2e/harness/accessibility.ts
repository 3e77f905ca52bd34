import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Fails with rule and place of everything that axe finds against WCAG 2.2 A and AA. */
export async function expectAccessible(page: Page): Promise<void> {
  // Without what it does for frames, of which the product has none; it takes more than half of the time.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(WCAG_22_AA)
    // What React Aria has just said of a button that waits, it keeps for 7 s, also where the button has gone.
    .exclude('[data-live-announcer]')
    .analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}
