import { type KeyboardEvent, useEffect, useRef } from 'react'
import { classNames } from '../../../ui/base/class-names.ts'

interface UnitPanelProps {
  label: string
  /** How many units are shown at once; the first is a multiple of it. */
  size: number
  columns: number
  /** The unit that has the keyboard. A unit is a number: a year, or a month counted on from the year 0. */
  at: number
  chosen: number
  name: (unit: number) => string
  isDisabled: (unit: number) => boolean
  onMove: (unit: number) => void
  onChoose: (unit: number) => void
}

/** Months or years to choose from, a block at a time; the keyboard goes on into the next block. */
export function UnitPanel(props: UnitPanelProps) {
  const { label, size, columns, at, chosen, name, isDisabled, onMove, onChoose } = props
  const first = at - (at % size)
  const active = useRef<HTMLButtonElement>(null)
  const isMoving = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keyboard follows the unit, not each drawing
  useEffect(() => {
    if (isMoving.current) active.current?.focus()
    isMoving.current = false
  }, [at])

  const move = (event: KeyboardEvent) => {
    const goals: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - columns,
      ArrowDown: at + columns,
      PageUp: at - size,
      PageDown: at + size,
      Home: first,
      End: first + size - 1,
    }
    const goal = goals[event.key]
    if (goal === undefined) return
    event.preventDefault()
    isMoving.current = true
    onMove(goal)
  }

  return (
    <div
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={move}
      className={classNames('grid h-full gap-1', columns === 3 ? 'grid-cols-3' : 'grid-cols-2')}
    >
      {Array.from({ length: size }, (_, place) => first + place).map((unit) => (
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
