import { classNames } from '../../ui/class-names.ts'

/** What shows through a colour that is not opaque. */
export const CHECKERS =
  'repeating-conic-gradient(var(--line-strong) 0 25%, var(--surface) 0 50%) 0 0 / 10px 10px'

const CROSSED_OUT =
  'linear-gradient(to top left, transparent calc(50% - 1px), var(--line-strong) 0 calc(50% + 1px), transparent 0)'

/** A colour shown; '' is crossed out. Give it its size. */
export function ColourSample({ colour, className }: { colour: string; className: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'block shrink-0 rounded-sm border border-line-strong forced-color-adjust-none',
        className,
      )}
      style={{ background: colour ? `linear-gradient(${colour}, ${colour}), ${CHECKERS}` : CROSSED_OUT }}
    />
  )
}
