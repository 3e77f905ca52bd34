import { ApplicationFrame } from './application-frame.tsx'
import type { SignedInLayoutProps } from './navigation.ts'

/** The layout of lists and records: the content has a maximum width. */
export function AdminLayout(props: SignedInLayoutProps) {
  return <ApplicationFrame {...props} />
}
