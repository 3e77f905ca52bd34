import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type RefreshOptions, startRefreshing } from './keep-session.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

/** Starts refreshing on a page that a test can hide and show, with these options. */
function openPage(options: RefreshOptions = { onVisible: true, period: false }) {
  const refresh = vi.fn(async () => undefined)
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState })
  const end = startRefreshing(refresh, options, page)
  const setVisibility = (state: DocumentVisibilityState) => {
    page.visibilityState = state
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return {
    end,
    refresh,
    hide: () => setVisibility('hidden'),
    show: () => setVisibility('visible'),
    after: async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      return refresh.mock.calls.length
    },
  }
}

describe('the session of a page is refreshed', () => {
  it('by default when it becomes visible again, and not periodically [4.4]', async () => {
    const page = openPage()
    expect(await page.after(24 * 3_600_000)).toBe(0)
    page.hide()
    expect(page.refresh).toHaveBeenCalledTimes(0)
    page.show()
    expect(page.refresh).toHaveBeenCalledTimes(1)
    page.hide()
    page.show()
    expect(page.refresh).toHaveBeenCalledTimes(2)
  })

  it('not when it becomes visible again if that option is off [4.4]', async () => {
    const page = openPage({ onVisible: false, period: false })
    page.hide()
    page.show()
    expect(await page.after(24 * 3_600_000)).toBe(0)
  })

  it('every 1000 ms if the period is true [4.4]', async () => {
    const page = openPage({ onVisible: false, period: true })
    expect(await page.after(999)).toBe(0)
    expect(await page.after(1)).toBe(1)
    expect(await page.after(9000)).toBe(10)
  })

  it('at the period in ms if the period is a number [4.4]', async () => {
    for (const period of [250, 1000, 60_000]) {
      const page = openPage({ onVisible: false, period })
      expect(await page.after(period - 1)).toBe(0)
      expect(await page.after(1)).toBe(1)
      expect(await page.after(2 * period)).toBe(3)
    }
  })

  it('never for a period of 0, which would be without pause [4.4]', async () => {
    expect(await openPage({ onVisible: false, period: 0 }).after(3_600_000)).toBe(0)
  })

  it('not periodically while the page is hidden [4.4]', async () => {
    const page = openPage({ onVisible: true, period: true })
    page.hide()
    expect(await page.after(60_000)).toBe(0)
    page.show()
    expect(page.refresh).toHaveBeenCalledTimes(1)
    expect(await page.after(2000)).toBe(3)
  })

  it('again after a failed refresh [4.4]', async () => {
    const page = openPage({ onVisible: true, period: true })
    page.refresh.mockRejectedValue(new TypeError('Failed to fetch'))
    expect(await page.after(3000)).toBe(3)
  })

  it('no more after it was stopped [4.4]', async () => {
    const page = openPage({ onVisible: true, period: true })
    page.end()
    page.hide()
    page.show()
    expect(await page.after(60_000)).toBe(0)
  })
})
