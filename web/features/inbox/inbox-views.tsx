import { INBOX_VIEWS, type InboxView } from '../../../shared/uploads/inbox.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { Badge } from '../../ui/page/status-pill.tsx'
import { countText } from './use-inbox-counts.ts'

const LABELS: Record<InboxView, string> = {
  all: 'Toate',
  open: 'De rezolvat',
  new: 'Noi',
  mine: 'Ale mele',
  handled: 'Rezolvate',
  older: 'Mai vechi',
}

/** The views of the inbox by state, with the numbers of those that wait; the older ones only while they are shown. */
export function InboxViews({
  view: shown,
  counts,
  onChange,
}: {
  view: InboxView
  counts: { open: number; new: number; mine: number; older: number } | null
  onChange: (view: InboxView) => void
}) {
  return (
    <fieldset className="flex max-w-full min-w-0 gap-0.5 overflow-x-auto rounded-md border border-line p-0.5">
      <legend className="sr-only">Starea rezultatelor</legend>
      {INBOX_VIEWS.filter((view) => view !== 'older' || view === shown).map((view) => {
        const count = counts?.[view as keyof typeof counts] ?? 0
        return (
          <button
            key={view}
            type="button"
            aria-pressed={view === shown}
            onClick={() => onChange(view)}
            className={classNames(
              'flex h-9 shrink-0 cursor-pointer items-center gap-1.5 rounded-sm px-2.5 text-sm whitespace-nowrap -outline-offset-2 transition-colors',
              view === shown ? 'bg-hover font-medium text-ink' : 'text-muted hover:text-ink',
            )}
          >
            {LABELS[view]} {count > 0 && <Badge>{countText(count)}</Badge>}
          </button>
        )
      })}
    </fieldset>
  )
}
