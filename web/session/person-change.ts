import { getSession, type SessionUser, subscribeSession } from './session.ts'

/** Calls back whenever another person is here than before, or nobody any more; not where the same one's rights change. */
export function onPersonChange(listener: () => void): void {
  let userId = getSession().user?.id
  subscribeSession(() => {
    const next = getSession().user?.id
    if (next === userId) return
    userId = next
    listener()
  })
}

/** Calls back whenever the same person stands for other institutions than before: what they have read may not be theirs now. */
export function onInstitutionsChange(listener: () => void): void {
  let before = getSession().user
  subscribeSession(() => {
    const { user } = getSession()
    const isOther = user?.id === before?.id && listInstitutions(user) !== listInstitutions(before)
    before = user
    if (isOther) listener()
  })
}

const listInstitutions = (user: SessionUser | null): string => [...(user?.institutions ?? [])].sort().join()
