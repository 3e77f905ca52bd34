import type { Page } from '@playwright/test'

/** Returns the transitions of a page, as duration and curve, and its animations, by name. */
export const readMotion = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const motions = new Set<string>()
    for (const element of document.querySelectorAll('*')) {
      for (const part of [null, '::before', '::after']) {
        const style = getComputedStyle(element, part)
        const durations = style.transitionDuration.split(', ').filter((duration) => duration !== '0s')
        for (const duration of durations)
          motions.add(`${duration} ${style.transitionTimingFunction.split(', ')[0]}`)
        if (style.animationName !== 'none') motions.add(`animation ${style.animationName}`)
      }
    }
    return [...motions]
  })

/** Returns the motions without loading indicators, which last as long as the loading. */
export const withoutWaiting = (motions: readonly string[]): string[] =>
  motions.filter((motion) => !/^animation (spin|breathe|slide)$/.test(motion))
