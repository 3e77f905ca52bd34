import { INBOX_VIEWS, type InboxView } from '../../../shared/uploads/inbox.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { PlainLink } from '../../ui/base/link.tsx'
import { Badge } from '../../ui/page/status-pill.tsx'
import { type InboxFilters, withFilter } from './inbox-filters.ts'
import { countText } from './use-inbox-counts.ts'

const LABELS: Record<InboxView, string> = {
  all: 'Toate',
  open: 'De rezolvat',
  new: 'Noi',
  mine: 'Ale mele',
  handled: 'Rezolvate',
}

/** Links to the views of the inbox by state, with the numbers of those that wait. */
export function InboxViews({
  filters,
  counts,
}: {
  filters: InboxFilters
  counts: { open: number; new: number; mine: number } | null
}) {
  const current = filters.view ?? 'all'
  return (
    <nav
      aria-label="Starea rezultatelor"
      className="flex max-w-full min-w-0 gap-0.5 overflow-x-auto rounded-md border border-line p-0.5"
    >
      {INBOX_VIEWS.map((view) => {
        const count = counts?.[view as keyof typeof counts] ?? 0
        return (
          <PlainLink
            key={view}
            to="/institution"
            search={withFilter(filters, 'view', view === 'all' ? null : view) as never}
            state
            replace
            resetScroll={false}
            aria-current={view === current ? 'true' : undefined}
            className={classNames(
              'flex h-9 shrink-0 items-center gap-1.5 rounded-sm px-2.5 text-sm whitespace-nowrap -outline-offset-2 transition-colors',
              view === current ? 'bg-hover font-medium text-ink' : 'text-muted hover:text-ink',
            )}
          >
            {LABELS[view]}
            {count > 0 && <Badge>{countText(count)}</Badge>}
          </PlainLink>
        )
      })}
    </nav>
  )
}
