import { applySessionUser, getSession } from './session.ts'

/** Replaces how many things the user's bell has, which the session has brought. */
export function noteNotifications(notifications: number): void {
  const { user } = getSession()
  if (user) applySessionUser({ ...user, notifications })
}
