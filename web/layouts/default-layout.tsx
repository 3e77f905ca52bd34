import { ApplicationFrame } from './application-frame.tsx'
import type { SignedInLayoutProps } from './navigation.ts'

/**
 * The layout of the dashboard and the review: the content uses the whole screen, for a document beside its
 * details.
 */
export function DefaultLayout(props: SignedInLayoutProps) {
  return <ApplicationFrame {...props} isWide />
}
