import { type KeyboardEvent, useEffect, useRef } from 'react'
import { classNames } from '../../../ui/base/class-names.ts'

interface UnitPanelProps {
  label: string
  /** The number of units per view; the first unit of a view is a multiple of `size`. */
  size: number
  columns: number
  /** The focused unit. A unit is a number: a year, or a month counted from the year 0. */
  at: number
  chosen: number
  name: (unit: number) => string
  isDisabled: (unit: number) => boolean
  onMove: (unit: number) => void
  onChoose: (unit: number) => void
}

/** A choice of months or years, one view at a time; the arrow keys continue into the next view. */
export function UnitPanel(props: UnitPanelProps) {
  const { label, size, columns, at, chosen, name, isDisabled, onMove, onChoose } = props
  const first = at - (at % size)
  const active = useRef<HTMLButtonElement>(null)
  const isMoving = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the unit, not each rendering
  useEffect(() => {
    if (isMoving.current) active.current?.focus()
    isMoving.current = false
  }, [at])

  const move = (event: KeyboardEvent) => {
    const targets: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - columns,
      ArrowDown: at + columns,
      PageUp: at - size,
      PageDown: at + size,
      Home: first,
      End: first + size - 1,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    isMoving.current = true
    onMove(target)
  }

  return (
    <div
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={move}
      className={classNames('grid h-full gap-1', columns === 3 ? 'grid-cols-3' : 'grid-cols-2')}
    >
      {Array.from({ length: size }, (_, index) => first + index).map((unit) => (
        <button
          key={unit}
          ref={unit === at ? active : null}
          type="button"
          role="option"
          aria-selected={unit === chosen}
          aria-disabled={isDisabled(unit)}
          tabIndex={unit === at ? 0 : -1}
          onClick={() => !isDisabled(unit) && onChoose(unit)}
          className="hit-area rounded-md text-sm transition-colors hover:bg-hover aria-disabled:bg-transparent aria-disabled:text-faint aria-disabled:line-through aria-selected:bg-accent aria-selected:text-on-accent"
        >
          {name(unit)}
        </button>
      ))}
    </div>
  )
}
