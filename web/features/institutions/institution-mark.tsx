import { classNames } from '../../ui/base/class-names.ts'
import { Avatar } from '../../ui/icons/avatar.tsx'
import type { InstitutionRow } from './institutions.queries.ts'

/** The logo of an institution beside its name, or its initials in its colour; hidden from screen readers. */
export function InstitutionMark({
  institution: { name, shortName, accent, logo },
  className,
}: {
  institution: Pick<InstitutionRow, 'name' | 'shortName' | 'accent' | 'logo'>
  className?: string
}) {
  if (logo) {
    return (
      <span
        className={classNames(
          'inline-flex h-7 w-12 shrink-0 items-center justify-center rounded-md bg-white p-0.5',
          className,
        )}
      >
        <img src={logo} alt="" className="max-h-full max-w-full object-contain" />
      </span>
    )
  }
  return (
    <span
      data-accent={accent ?? undefined}
      className={classNames('inline-flex w-12 justify-center', className)}
    >
      <Avatar name={shortName ?? name} size="sm" />
    </span>
  )
}
