import type { ReactNode } from 'react'
import type { IconName } from '../ui/base/icon.tsx'
import type { LinkTarget } from '../ui/base/link.tsx'

export interface NavigationItem extends LinkTarget {
  label: string
  /** At the foot of a phone, where `label` is long. */
  shortLabel?: string | undefined
  icon: IconName
  /** Shown when it is more than nothing; `countLabel` says it aloud (`12 de verificat`). */
  count?: number | undefined
  countLabel?: string | undefined
}

/** Whose house it is: the site settings `name`, `logo` or `logo_navigation` with its width, and `branding`. */
export interface Brand {
  name: string
  logoUrl?: string | null | undefined
  /** In px. */
  logoWidth?: number | null | undefined
  /** Whether pages that stand alone say what made them; they do where nothing is said. */
  isBranded?: boolean | undefined
}

export interface SignedInUser {
  name: string
  /** In words: `Administrator`. */
  role: string
  email?: string | undefined
}

/** What every layout for signed-in people takes. */
export interface SignedInLayoutProps {
  brand: Brand
  items: readonly NavigationItem[]
  user: SignedInUser
  /** Opens what people keep of their own account. */
  onAccount: () => void
  onSignOut: () => void
  /** Opens the search (Ctrl K); without it no search button shows. */
  onSearch?: (() => void) | undefined
  /** Above everything: the demo, a new version. */
  banner?: ReactNode
  children: ReactNode
}
