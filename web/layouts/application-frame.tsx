import { IconButton } from '../ui/base/button.tsx'
import { classNames } from '../ui/base/class-names.ts'
import { ToastHost } from '../ui/feedback/toast.tsx'
import { BottomNavigation } from './bottom-navigation.tsx'
import { BrandMark } from './brand-mark.tsx'
import type { SignedInLayoutProps } from './navigation.ts'
import { SideNavigation } from './side-navigation.tsx'
import { contentId, SkipLink } from './skip-link.tsx'
import { UserMenu } from './user-menu.tsx'

/**
 * The frame of all staff screens, with the navigation at the side from 1024 px (icons alone below 1280 px), else at the
 * bottom. `isWide` lets the content use the whole width.
 */
export function ApplicationFrame({
  isWide,
  banner,
  children,
  ...navigation
}: SignedInLayoutProps & { isWide?: boolean | undefined }) {
  const { brand, items, user, bell, onAccount, onSignOut, onSearch } = navigation
  return (
    <div className="min-h-dvh max-lg:[--top-bar:3.5rem]">
      <SkipLink />
      <div className="lg:grid print:block lg:grid-cols-[4.25rem_minmax(0,1fr)] xl:grid-cols-[16rem_minmax(0,1fr)]">
        <header className="layer-bar sticky top-0 flex h-14 items-center justify-between gap-3 border-b border-line bg-canvas px-4 lg:hidden print:hidden">
          <BrandMark brand={brand} />
          <div className="flex items-center gap-1">
            {onSearch && <IconButton icon="search" label="Caută" onPress={onSearch} />}
            {bell}
            <UserMenu user={user} onAccount={onAccount} onSignOut={onSignOut} isCompact />
          </div>
        </header>
        <SideNavigation {...navigation} />
        <div className="min-w-0">
          {banner}
          <main
            id={contentId}
            tabIndex={-1}
            className={classNames(
              'min-w-0 px-4 pt-4 pb-[calc(var(--bottom-bar,0px)+2rem)] outline-none sm:px-6 lg:px-8 lg:pt-6 print:p-0',
              !isWide && 'mx-auto w-full max-w-7xl',
            )}
          >
            {children}
          </main>
        </div>
      </div>
      <BottomNavigation items={items} />
      <ToastHost />
    </div>
  )
}
