import { getSession, type SessionUser, subscribeSession } from './session.ts'

/**
 * Calls the listener when another user is signed in, or no user any more; not when the user's rights change.
 */
export function onPersonChange(listener: () => void): void {
  let userId = getSession().user?.id
  subscribeSession(() => {
    const next = getSession().user?.id
    if (next === userId) return
    userId = next
    listener()
  })
}

/**
 * Calls the listener when the same user belongs to other institutions than before: loaded data may not be the
 * user's any more.
 */
export function onInstitutionsChange(listener: () => void): void {
  let previous = getSession().user
  subscribeSession(() => {
    const { user } = getSession()
    const isOther = user?.id === previous?.id && listInstitutions(user) !== listInstitutions(previous)
    previous = user
    if (isOther) listener()
  })
}

const listInstitutions = (user: SessionUser | null): string => [...(user?.institutions ?? [])].sort().join()
