import { useSyncExternalStore } from 'react'
import { getSession, getSessionEnd, type SessionUser, subscribeSession } from './session.ts'

export const useSession = () => useSyncExternalStore(subscribeSession, getSession)

/**
 * Returns why the organisation ended the last session of this page; null if it did not, or gives no reason.
 */
export const useSessionEnd = () => useSyncExternalStore(subscribeSession, getSessionEnd)

/** Returns the signed-in user; throws if signed out, so only for screens behind a guard. */
export function useUser(): SessionUser {
  const { user } = useSession()
  if (!user) throw new Error('this screen is for signed-in users')
  return user
}
