import { useMatchRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { Icon, type IconName } from '../ui/base/icon.tsx'
import { PlainLink } from '../ui/base/link.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import type { NavigationItem } from './navigation.ts'
import { NavigationList } from './side-navigation.tsx'

const itemClass =
  'group/item relative flex min-h-14 min-w-0 flex-col items-center justify-center gap-0.5 px-1 text-xs font-medium text-muted transition-colors data-[status=active]:text-ink'

/**
 * The navigation below 1024 px: up to five items; with more, four items and the rest behind „Altele”; nothing
 * for fewer than two.
 */
export function BottomNavigation({ items }: { items: readonly NavigationItem[] }) {
  const [isOpen, setOpen] = useState(false)
  const match = useMatchRoute()
  if (items.length < 2) return null
  const visibleItems = items.length > 5 ? items.slice(0, 4) : items
  const rest = items.slice(visibleItems.length)
  const isRestActive = rest.some(({ to }) => match({ to: to ?? '/', fuzzy: true }) !== false)
  return (
    <nav
      aria-label="Principală"
      className="bottom-navigation layer-bar fixed inset-x-0 bottom-0 grid auto-cols-fr grid-flow-col border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      {visibleItems.map(({ label, shortLabel, icon, count, countLabel, ...target }) => (
        <PlainLink key={label} {...target} className={itemClass}>
          <ItemIcon icon={icon} label={shortLabel ?? label} hasCount={!!count} />
          {countLabel && !!count && <span className="sr-only">{countLabel}</span>}
        </PlainLink>
      ))}
      {rest.length > 0 && (
        <>
          <AriaButton
            onPress={() => setOpen(true)}
            className={itemClass}
            {...(isRestActive && { 'data-status': 'active', 'aria-current': 'true' })}
          >
            <ItemIcon icon="menu" label="Altele" hasCount={rest.some((item) => !!item.count)} />
          </AriaButton>
          <Dialog title="Altele" isOpen={isOpen} onOpenChange={setOpen} size="sm">
            <NavigationList items={rest} onFollow={() => setOpen(false)} />
          </Dialog>
        </>
      )}
    </nav>
  )
}

function ItemIcon({ icon, label, hasCount }: { icon: IconName; label: string; hasCount: boolean }) {
  return (
    <>
      <span className="relative flex h-7 w-12 items-center justify-center rounded-full transition-colors group-data-[status=active]/item:bg-accent-soft group-data-[status=active]/item:text-accent-ink">
        <Icon name={icon} size={22} />
        {hasCount && <span className="absolute top-0.5 right-2 size-2 rounded-full bg-accent-mark" />}
      </span>
      <span className="w-full truncate text-center">{label}</span>
    </>
  )
}
