import { useSyncExternalStore } from 'react'
import { getSession, type SessionUser, subscribeSession } from './session.ts'

export const useSession = () => useSyncExternalStore(subscribeSession, getSession)

/** The signed-in person, on screens that nobody else reaches. */
export function useUser(): SessionUser {
  const { user } = useSession()
  if (!user) throw new Error('this screen is for signed-in people')
  return user
}
