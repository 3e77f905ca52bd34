import { useSyncExternalStore } from 'react'
import type { Feature } from '../../shared/access/features.ts'
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

/** Whether the signed-in user has a feature that the site has too [3.2]. */
export const useFeature = (feature: Feature): boolean => useUser().features.includes(feature)

/** Whether the signed-in user may open pages of uploads: reviewers do without the patients' files too [3.2]. */
export function useCanOpenUploads(): boolean {
  const hasFiles = useFeature('patient::files')
  return useFeature('admin::review-files') || hasFiles
}
