import type { ReactNode } from 'react'
import { ColourModeSwitch } from '../ui/colour-mode/colour-mode-switch.tsx'
import { productName } from '../ui/icons/logo.tsx'
import { PoweredBy } from '../ui/icons/powered-by.tsx'
import type { Brand } from './navigation.ts'
import { OrganisationLogo } from './organisation-logo.tsx'
import { contentId } from './skip-link.tsx'

export interface BlankLayoutProps {
  /** The organisation; the product by default. */
  brand?: Brand | undefined
  title?: string | undefined
  banner?: ReactNode
  /** Shown under the card: a hint, a link back. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * A layout with one card in the middle: sign-in, invitation, new password. Signed-out users wait for this
 * page, so it uses plain components only: no React Aria, no icon set.
 */
export function BlankLayout({
  brand = { name: productName },
  title,
  banner,
  footer,
  children,
}: BlankLayoutProps) {
  return (
    <div className="flex min-h-dvh flex-col bg-sunken">
      {banner}
      <header className="flex justify-end p-2">
        <ColourModeSwitch />
      </header>
      <main
        id={contentId}
        className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center gap-6 px-4 pb-16 sm:pb-24"
      >
        <div className="flex justify-center">
          <OrganisationLogo brand={brand} />
        </div>
        <div className="rounded-xl border border-line bg-surface p-5 sm:p-8">
          {title && <h1 className="mb-5 text-xl font-semibold tracking-tight">{title}</h1>}
          {children}
        </div>
        {footer && <div className="text-center text-sm text-muted">{footer}</div>}
        {brand.isBranded && brand.name !== productName && <PoweredBy />}
      </main>
    </div>
  )
}
