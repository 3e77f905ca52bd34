import { http } from '../api/http.ts'

const CHECK_INTERVAL_MS = 60 * 60_000

/**
 * Requests the id of the server's build every 60 minutes [9.2], and when the page becomes visible after a
 * longer time, because browsers suspend the timers of hidden pages. Any other build counts as newer, also a
 * rollback. Calls `onNewer` once, then stops; a failed check is repeated after an hour.
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
    page.removeEventListener('visibilitychange', checkIfDue)
    onNewer()
  }
  const checkIfDue = () => {
    if (page.visibilityState === 'visible' && Date.now() - checkedAt >= CHECK_INTERVAL_MS) void check()
  }

  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS)
  page.addEventListener('visibilitychange', checkIfDue)
}
