import { getSession, subscribeSession } from './session.ts'

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
