import { counted } from '../../../shared/romania/romanian.ts'
import { Icon } from '../../ui/base/icon.tsx'

/** Marks the row of a patient about whom there are warnings or unread news; nothing for others. */
export function NewsMark({ marks }: { marks: { warnings: number; unread: number } | null }) {
  if (!marks || (marks.warnings === 0 && marks.unread === 0)) return null
  const { warnings, unread } = marks
  const label = [
    ...(warnings > 0 ? [counted(warnings, 'avertizare', 'avertizări')] : []),
    ...(unread > 0 ? [counted(unread, 'noutate necitită', 'noutăți necitite')] : []),
  ].join(', ')
  return (
    <span className="ml-1.5 inline-flex items-center gap-0.5 align-[-0.125em]" data-tooltip={label}>
      <Icon
        name={warnings > 0 ? 'warning' : 'bell'}
        size={14}
        className={warnings > 0 ? 'text-danger' : 'text-accent-ink'}
      />
      {warnings > 0 && unread > 0 && (
        <span aria-hidden="true" className="size-1.5 rounded-full bg-accent-mark" />
      )}
      <span className="sr-only">{label}</span>
    </span>
  )
}
