import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules whose result depends on the colours of a page. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Fails with the rule and the element of every violation of WCAG 2.2 A and AA that axe finds. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingFound(page, (axe) => axe.withTags(WCAG_22_AA))
}

/** Checks the page in light mode, then its colours in dark mode, which apply at once; the page stays dark. */
export async function expectAccessibleInBothModes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectContrast(page)
}

/** Fails with every element whose colours have too little contrast. */
export async function expectContrast(page: Page): Promise<void> {
  await expectNothingFound(page, (axe) => axe.withRules(OF_COLOURS))
}

/**
 * Waits until all fades have ended: colours in the middle of a fade are no colours of the page. Waits for two frames
 * first, since a page applies a change of the colour mode in the next frame. Animations that never end do not count.
 */
const waitForAnimations = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)
    const isEnding = ({ effect, playState }: Animation) =>
      playState === 'running' && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY
    for (let ending = true; ending; ) {
      const animations = document.getAnimations().filter(isEnding)
      await Promise.allSettled(animations.map(({ finished }) => finished))
      ending = animations.length > 0
    }
  })

/** A fault that stays this long is one of the page, not of a fade that began during the check. One check takes seconds on a busy machine. */
const PATIENCE_MS = 15_000

async function expectNothingFound(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  const find = async () => {
    await waitForAnimations(page)
    // Each analysis runs its script twice: axe is loaded once in each document, and that script is empty.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
    // Without the support for frames, which the product does not use, and without the lists of what is in order: each
    // takes more than half of the time.
    const builder = new AxeBuilder({ page, axeSource: 'void 0' })
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
    // React Aria keeps the announcement of a waiting button for 7 s, even after the button was removed.
    // Rows of an older answer are inert and dimmed until the next one arrives: WCAG exempts what is not active.
    const { violations } = await choose(builder).exclude('[data-live-announcer]').exclude('[inert]').analyze()
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    )
  }
  await expect.poll(find, { message: `accessibility of ${page.url()}`, timeout: PATIENCE_MS }).toEqual([])
}
