import { useSyncExternalStore } from 'react'
import { getSession, getSessionEnd, type SessionUser, subscribeSession } from './session.ts'

export const useSession = () => useSyncExternalStore(subscribeSession, getSession)

/** Why the organisation ended the last session of this page; null where it did not, or gives no reason. */
export const useSessionEnd = () => useSyncExternalStore(subscribeSession, getSessionEnd)

/** The signed-in person, on screens that nobody else reaches. */
export function useUser(): SessionUser {
  const { user } = useSession()
  if (!user) throw new Error('this screen is for signed-in people')
  return user
}
