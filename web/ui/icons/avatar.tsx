import { classNames } from '../base/class-names.ts'

/** Returns the first letters of the first two words: `Ștefănescu-Țurcanu Ioana Maria` → `ȘI`. */
export function readInitials(name: string): string {
  return name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase('ro') ?? '')
    .join('')
}

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
