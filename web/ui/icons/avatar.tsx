import { readInitials } from '../../../shared/romania/initials.ts'
import { classNames } from '../base/class-names.ts'

/** The initials of a name that is shown beside them; hidden from screen readers. */
export function Avatar({
  name,
  size = 'md',
  className,
}: {
  name: string
  size?: 'sm' | 'md' | 'lg' | undefined
  className?: string | undefined
}) {
  return (
    <span
      aria-hidden="true"
      // Drawn with CSS, so that the initials are not part of the accessible name of a surrounding button.
      data-initials={readInitials(name)}
      className={classNames(
        'before:content-[attr(data-initials)] inline-flex shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent-ink',
        { sm: 'size-7 text-xs', md: 'size-9 text-sm', lg: 'size-12 text-base' }[size],
        className,
      )}
    />
  )
}
