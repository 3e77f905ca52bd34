import { ApplicationFrame } from './application-frame.tsx'
import type { SignedInLayoutProps } from './navigation.ts'

/** The dashboard and the review: the content takes the whole screen, for a document beside its facts. */
export function DefaultLayout(props: SignedInLayoutProps) {
  return <ApplicationFrame {...props} isWide />
}
