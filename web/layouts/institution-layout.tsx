import { IconButton } from '../ui/base/button.tsx'
import { ToastHost } from '../ui/feedback/toast.tsx'
import { BrandMark } from './brand-mark.tsx'
import type { SignedInLayoutProps } from './navigation.ts'
import { contentId, SkipLink } from './skip-link.tsx'
import { UserMenu } from './user-menu.tsx'

export type InstitutionLayoutProps = Omit<SignedInLayoutProps, 'items'>

/** The layout of institution users, who have one page: no navigation, only the organisation and the user. */
export function InstitutionLayout({
  brand,
  user,
  bell,
  onAccount,
  onSignOut,
  onSearch,
  banner,
  children,
}: InstitutionLayoutProps) {
  return (
    <div className="min-h-dvh">
      <SkipLink />
      {banner}
      <header className="border-b border-line bg-sunken print:hidden">
        <div className="mx-auto flex h-16 max-w-6xl items-center justify-between gap-4 px-4 sm:px-6">
          <BrandMark brand={brand} />
          <div className="flex items-center gap-1">
            {onSearch && <IconButton icon="search" label="Caută" onPress={onSearch} />}
            {bell}
            <UserMenu user={user} onAccount={onAccount} onSignOut={onSignOut} isCompact />
          </div>
        </div>
      </header>
      <main
        id={contentId}
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl px-4 pt-5 pb-10 outline-none sm:px-6 sm:pt-7 print:p-0"
      >
        {children}
      </main>
      <ToastHost />
    </div>
  )
}
