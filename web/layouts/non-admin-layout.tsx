import type { ReactNode } from 'react'
import { ColourModeSwitch } from '../ui/colour-mode/colour-mode-switch.tsx'
import { PoweredBy } from '../ui/icons/powered-by.tsx'
import { BrandMark } from './brand-mark.tsx'
import type { Brand } from './navigation.ts'
import { contentId, SkipLink } from './skip-link.tsx'

export interface NonAdminLayoutProps {
  brand: Brand
  /** The contact details: phone, e-mail, address. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * The layout of public pages, for users without an account [2.14]: no navigation, larger text, contact details. Plain
 * components only, as people wait for these pages on a phone.
 */
export function NonAdminLayout({ brand, footer, children }: NonAdminLayoutProps) {
  return (
    <div className="flex min-h-dvh flex-col large-text text-lg">
      <SkipLink />
      <header className="border-b border-line">
        <div className="mx-auto flex min-h-16 max-w-3xl items-center justify-between gap-4 px-4 sm:px-6">
          <BrandMark brand={brand} />
          <span className="print:hidden">
            <ColourModeSwitch />
          </span>
        </div>
      </header>
      <main
        id={contentId}
        tabIndex={-1}
        className="mx-auto w-full max-w-3xl flex-1 px-4 pt-6 pb-12 outline-none sm:px-6 sm:pt-10 print:p-0"
      >
        {children}
      </main>
      {footer && (
        <footer className="border-t border-line bg-sunken text-base text-muted">
          <div className="mx-auto max-w-3xl px-4 py-6 sm:px-6">{footer}</div>
        </footer>
      )}
      {brand.isBranded && (
        <div className="py-4">
          <PoweredBy />
        </div>
      )}
    </div>
  )
}
