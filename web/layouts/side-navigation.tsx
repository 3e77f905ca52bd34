import { Button as AriaButton } from 'react-aria-components'
import { classNames } from '../ui/base/class-names.ts'
import { Icon } from '../ui/base/icon.tsx'
import { Kbd } from '../ui/base/kbd.tsx'
import { PlainLink } from '../ui/base/link.tsx'
import { Badge } from '../ui/page/status-pill.tsx'
import { BrandMark } from './brand-mark.tsx'
import type { NavigationItem, SignedInLayoutProps } from './navigation.ts'
import { UserMenu } from './user-menu.tsx'

/** For the names beside the icons, which only screen readers and tooltips have below 1280 px. */
const narrowHidden = 'lg:max-xl:sr-only'

/**
 * The navigation from 1024 px: organisation, bell, search, items, user menu. Below 1280 px it has icons alone, with their names
 * as tooltips.
 */
export function SideNavigation({
  brand,
  items,
  user,
  bell,
  onAccount,
  onSignOut,
  onSearch,
}: Pick<SignedInLayoutProps, 'brand' | 'items' | 'user' | 'bell' | 'onAccount' | 'onSignOut' | 'onSearch'>) {
  return (
    <header className="side-navigation sticky top-0 hidden h-dvh flex-col gap-4 border-r border-line bg-sunken p-3 lg:flex print:hidden">
      <div className="flex min-h-12 items-center justify-between gap-2 px-1.5 lg:max-xl:flex-col lg:max-xl:px-0 xl:pl-2.5">
        <BrandMark brand={brand} nameClass={narrowHidden} />
        {bell}
      </div>
      {onSearch && <SearchButton onSearch={onSearch} />}
      <nav aria-label="Principală" className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1 py-1">
        <NavigationList items={items} />
      </nav>
      <UserMenu user={user} onAccount={onAccount} onSignOut={onSignOut} />
    </header>
  )
}

export function NavigationList({
  items,
  onFollow,
}: {
  items: readonly NavigationItem[]
  onFollow?: () => void
}) {
  return (
    <ul className="grid gap-0.5">
      {items.map(({ label, shortLabel: _, icon, count, countLabel, ...target }) => (
        <li key={label}>
          <PlainLink
            {...target}
            {...(onFollow ? { onClick: onFollow } : {})}
            data-tooltip-cut
            className="hit-area group/item relative flex items-center gap-3 rounded-md px-2.5 text-sm font-medium text-muted transition-colors hover:bg-hover hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-ink"
          >
            <Icon name={icon} className="group-data-[status=active]/item:text-accent-ink" />
            <span className={classNames('min-w-0 flex-1 truncate', narrowHidden)}>{label}</span>
            <ItemCount count={count} countLabel={countLabel} />
          </PlainLink>
        </li>
      ))}
    </ul>
  )
}

export function ItemCount({ count, countLabel }: Pick<NavigationItem, 'count' | 'countLabel'>) {
  if (!count) return null
  return (
    <Badge tone="accent" className="lg:max-xl:absolute lg:max-xl:-top-0.5 lg:max-xl:right-0">
      <span aria-hidden={countLabel ? true : undefined}>{count}</span>
      {countLabel && <span className="sr-only">{countLabel}</span>}
    </Badge>
  )
}

const searchKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'

function SearchButton({ onSearch }: { onSearch: () => void }) {
  return (
    <AriaButton
      onPress={onSearch}
      data-tooltip-cut
      className="hit-area flex items-center gap-2.5 rounded-md border border-line-strong/60 bg-surface px-2.5 text-sm text-muted transition-colors hover:bg-hover"
    >
      <Icon name="search" size={18} />
      <span className={classNames('flex-1 truncate text-start', narrowHidden)}>Caută</span>
      <span className="flex lg:max-xl:hidden">
        <Kbd>{searchKey}</Kbd>
      </span>
    </AriaButton>
  )
}
