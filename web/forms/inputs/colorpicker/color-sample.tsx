import { classNames } from '../../../ui/base/class-names.ts'

/** The background under a transparent colour. */
export const CHECKERS =
  'repeating-conic-gradient(var(--line-strong) 0 25%, var(--surface) 0 50%) 0 0 / 10px 10px'

const CROSSED_OUT =
  'linear-gradient(to top left, transparent calc(50% - 1px), var(--line-strong) 0 calc(50% + 1px), transparent 0)'

/** A sample of a colour; '' is shown crossed out. The size comes from `className`. */
export function ColorSample({ color, className }: { color: string; className: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'block shrink-0 rounded-sm border border-line-strong forced-color-adjust-none',
        className,
      )}
      style={{ background: color ? `linear-gradient(${color}, ${color}), ${CHECKERS}` : CROSSED_OUT }}
    />
  )
}
