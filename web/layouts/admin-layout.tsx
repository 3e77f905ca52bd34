import { ApplicationFrame } from './application-frame.tsx'
import type { SignedInLayoutProps } from './navigation.ts'

/** Lists and records: the content keeps a readable width. */
export function AdminLayout(props: SignedInLayoutProps) {
  return <ApplicationFrame {...props} />
}
