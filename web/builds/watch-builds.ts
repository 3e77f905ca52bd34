import { http } from '../api/http.ts'

const CHECK_INTERVAL_MS = 60 * 60_000

/**
 * Asks every 60 minutes which build the server has [9.2], and when the page is looked at again after a longer time: a
 * browser lets the timers of a page that nobody sees sleep. Any other build counts as newer, also one that takes a release
 * back. Tells once, then stops. A check that fails says nothing; the next one is in an hour.
 */
export function watchBuilds({
  ownId,
  page,
  url = '/builds/latest.json',
  onNewer,
}: {
  ownId: string
  page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
  url?: string
  onNewer: () => void
}): void {
  let checkedAt = Date.now()

  const check = async () => {
    checkedAt = Date.now()
    const build = await http<{ id?: unknown }>(url, { cache: 'no-cache' }).catch(() => null)
    if (typeof build?.id !== 'string' || build.id === ownId) return
    clearInterval(timer)
    page.removeEventListener('visibilitychange', checkWhereDue)
    onNewer()
  }
  const checkWhereDue = () => {
    if (page.visibilityState === 'visible' && Date.now() - checkedAt >= CHECK_INTERVAL_MS) void check()
  }

  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS)
  page.addEventListener('visibilitychange', checkWhereDue)
}
