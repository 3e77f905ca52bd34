import type { ReactNode } from 'react'
import type { IconName } from '../ui/base/icon.tsx'
import type { LinkTarget } from '../ui/base/link.tsx'

export interface NavigationItem extends LinkTarget {
  label: string
  /** The label in the bottom navigation, if `label` is too long. */
  shortLabel?: string | undefined
  icon: IconName
  /** Shown if it is not zero (`12`, `99+`); `countLabel` is its text for screen readers (`12 de verificat`). */
  count?: number | string | undefined
  countLabel?: string | undefined
}

/** The organisation: the site settings `name`, `logo` or `logo_navigation` with its width, and `branding`. */
export interface Brand {
  name: string
  logoUrl?: string | null | undefined
  /** In px. */
  logoWidth?: number | null | undefined
  /** Whether pages without navigation show the product's logo beside the name, and the product credit. */
  isBranded?: boolean | undefined
}

export interface SignedInUser {
  name: string
  /** The name of the role: `Administrator`. */
  role: string
  email?: string | undefined
}

/** The props of every layout for signed-in users. */
export interface SignedInLayoutProps {
  brand: Brand
  items: readonly NavigationItem[]
  user: SignedInUser
  /** Opens the user's account settings. */
  onAccount: () => void
  onSignOut: () => void
  /** Opens the search (Ctrl+K); without it no search button is shown. */
  onSearch?: (() => void) | undefined
  /** What is new for the user. */
  bell: ReactNode
  /** Shown above everything: the demo notice, a new version. */
  banner?: ReactNode
  children: ReactNode
}
