import { readInitials } from '../../../shared/romania/initials.ts'
import { classNames } from '../../ui/base/class-names.ts'
import type { InstitutionRow } from './institutions.queries.ts'

/**
 * The logo of an institution beside its name, or its initials in its colour, mixed with the text colour for contrast in
 * both modes; hidden from screen readers.
 */
export function InstitutionMark({
  institution: { name, shortName, accent, logo },
  className,
}: {
  institution: Pick<InstitutionRow, 'name' | 'shortName' | 'accent' | 'logo'>
  className?: string
}) {
  return (
    <span
      aria-hidden="true"
      data-accent={accent ?? undefined}
      className={classNames('inline-flex h-7 shrink-0 items-center justify-center', className)}
    >
      {logo ? (
        <span className="inline-flex h-7 max-w-12 items-center rounded-md bg-white p-0.5">
          <img src={logo} alt="" className="max-h-full max-w-full object-contain" />
        </span>
      ) : (
        <span
          // Drawn with CSS, so that the initials are not part of the accessible name of a surrounding link.
          data-initials={readInitials(shortName ?? name)}
          className="inline-flex size-7 items-center justify-center rounded-full text-xs font-semibold before:content-[attr(data-initials)]"
          style={{
            color: 'color-mix(in oklab, var(--accent) 35%, var(--ink))',
            backgroundColor: 'color-mix(in oklab, var(--accent) 22%, transparent)',
          }}
        />
      )}
    </span>
  )
}
