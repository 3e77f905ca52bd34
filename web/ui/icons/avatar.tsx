import { classNames } from '../base/class-names.ts'

/** `Ștefănescu-Țurcanu Ioana Maria` → `ȘI`: the first letters of the first two words. */
export function readInitials(name: string): string {
  return name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase('ro') ?? '')
    .join('')
}

/** Initials beside a name that is written out; silent for a screen reader. */
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
      // Drawn, not written: they are no part of the name of the button that they may stand in.
      data-initials={readInitials(name)}
      className={classNames(
        'before:content-[attr(data-initials)] inline-flex shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent-ink',
        { sm: 'size-7 text-xs', md: 'size-9 text-sm', lg: 'size-12 text-base' }[size],
        className,
      )}
    />
  )
}
