import { LIMITS } from '../../../../shared/limits.ts'
import { siteSettings } from '../../../../shared/site/site-settings.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Whether a session has ended because it was not used: for `idle_hours`, the stored setting `session_idle_hours`, or half an
 * hour if it was begun on a shared computer.
 */
export function isIdle(
  { last_seen_at, shared, idle_hours }: { last_seen_at: Date; shared: boolean; idle_hours: unknown },
  now: Date,
): boolean {
  const setting = siteSettings.shape.session_idle_hours
  const hours = setting.safeParse(idle_hours ?? undefined).data ?? setting.parse(undefined)
  const limit = shared ? LIMITS.sharedIdleMinutes * 60_000 : hours * HOUR_MS
  return now.getTime() - last_seen_at.getTime() >= limit
}
