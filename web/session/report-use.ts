import { connectedFetch } from './connection.ts'
import { forgetSession, getGeneration } from './session.ts'

/** As precisely as the server stores it. */
const INTERVAL_MS = 60_000
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const

let reportedAt = Number.NEGATIVE_INFINITY

/** Resolves to whether the session still exists. */
async function sendReport(): Promise<boolean> {
  const response = await connectedFetch('/api/auth/use', { method: 'POST', keepalive: true })
  if (!response.ok) throw new Error(`use: status ${response.status}`)
  return ((await response.json()) as { active: boolean }).active
}

/**
 * Reports to the server that the user is active, at most once a minute: the session ends without use, and what the page
 * requests by itself is none. Returns a function that stops this.
 */
export function reportUse(): () => void {
  const report = () => {
    if (performance.now() - reportedAt < INTERVAL_MS) return
    reportedAt = performance.now()
    const reported = getGeneration()
    sendReport().then(
      (isActive) => {
        if (!isActive && reported === getGeneration()) forgetSession()
      },
      // The next input reports again.
      () => {
        reportedAt = Number.NEGATIVE_INFINITY
      },
    )
  }
  for (const type of INPUTS) window.addEventListener(type, report, { capture: true, passive: true })
  return () => {
    for (const type of INPUTS) window.removeEventListener(type, report, { capture: true })
  }
}
