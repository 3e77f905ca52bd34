import type { Page } from '@playwright/test'

/** What moves on a page: how long and in which curve, or the animation's name. */
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

/** Without what turns while something is awaited, which lasts as long as that. */
export const withoutWaiting = (motions: readonly string[]): string[] =>
  motions.filter((motion) => !/^animation (spin|breathe|slide)$/.test(motion))
