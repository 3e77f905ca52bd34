import { classNames } from '../../ui/base/class-names.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { PlainLink } from '../../ui/base/link.tsx'
import type { Need } from './needs.ts'

const COLOURS: Record<Need['urgency'], string> = {
  danger: 'text-danger',
  warning: 'text-warning',
  neutral: 'text-muted',
}

/** What each colour means, for those who do not see it. */
const WORDS: Record<Need['urgency'], string> = { danger: 'urgent', warning: 'de urmărit', neutral: '' }

/** What needs somebody, one line each, linked to exactly the list of what is counted. */
export function NeedsList({ needs }: { needs: readonly Need[] }) {
  if (needs.length === 0)
    return (
      <p className="flex items-center gap-2.5 px-4 py-3 sm:px-5">
        <Icon name="check-circle" className="text-success" />
        Nimic nu are nevoie de cineva.
      </p>
    )
  return (
    <ul className="divide-y divide-line">
      {needs.map(({ id, icon, title, note, urgency, link }) => (
        <li key={id}>
          <PlainLink
            {...link}
            className="flex min-h-11 items-center gap-3 px-4 py-2 text-sm -outline-offset-2 transition-colors hover:bg-hover sm:px-5"
          >
            <Icon name={icon} className={classNames('shrink-0', COLOURS[urgency])} />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
              <span className="font-medium">{title}</span>
              {note && (
                <span className={urgency === 'neutral' ? 'text-muted' : COLOURS[urgency]}>{note}</span>
              )}
            </span>
            {WORDS[urgency] && (
              <span className={classNames('shrink-0 text-xs font-medium max-sm:sr-only', COLOURS[urgency])}>
                {WORDS[urgency]}
              </span>
            )}
            <Icon name="chevron-right" size={18} className="shrink-0 text-muted" />
          </PlainLink>
        </li>
      ))}
    </ul>
  )
}
