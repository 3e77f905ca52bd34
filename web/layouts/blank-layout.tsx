import type { ReactNode } from 'react'
import { ColourModeSwitch } from '../ui/colour-mode/colour-mode-switch.tsx'
import { productName } from '../ui/icons/logo.tsx'
import { PoweredBy } from '../ui/icons/powered-by.tsx'
import type { Brand } from './navigation.ts'
import { OrganisationLogo } from './organisation-logo.tsx'
import { contentId } from './skip-link.tsx'

export interface BlankLayoutProps {
  /** Whose house it is; under the product's mark. */
  brand?: Brand | undefined
  title?: string | undefined
  banner?: ReactNode
  /** Under the card: a hint, a way out. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * One thing to do: a card in the middle. Signing in, an invitation, a new password. It is what a stranger waits for, so
 * it stands on native parts alone: no React Aria, no icon set.
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
