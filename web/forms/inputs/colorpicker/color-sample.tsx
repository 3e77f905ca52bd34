import { classNames } from '../../../ui/base/class-names.ts'
import { ColorCanvas } from './color-canvas.tsx'

/** The background under a transparent colour. */
export const CHECKERS =
  'repeating-conic-gradient(var(--line-strong) 0 25%, var(--surface) 0 50%) 0 0 / 10px 10px'

const CROSSED_OUT =
  'linear-gradient(to top left, transparent calc(50% - 1px), var(--line-strong) 0 calc(50% + 1px), transparent 0)'

/** A square sample of a colour, `size` pixels wide; '' is shown crossed out. */
export function ColorSample({ color, size, className }: { color: string; size: number; className?: string }) {
  return (
    <ColorCanvas
      width={size}
      height={size}
      paint={(context) => {
        if (color === '') return
        context.fillStyle = color
        context.fillRect(0, 0, size, size)
      }}
      className={classNames(
        'block shrink-0 rounded-sm border border-line-strong forced-color-adjust-none',
        className,
      )}
      style={{ width: size, height: size, background: color ? CHECKERS : CROSSED_OUT }}
    />
  )
}
