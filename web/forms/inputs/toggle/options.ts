import type { KeyboardEvent } from 'react'

/**
 * Returns `grid-template-columns` for the options: side by side with equal widths if the container has room
 * for the longest label in each column, else stacked. Options with help are always stacked.
 */
export function optionColumns(options: readonly { label: string; help?: string | undefined }[]): string {
  const count = options.length
  if (options.some(({ help }) => help)) return 'minmax(0, 1fr)'
  const longest = Math.max(...options.map(({ label }) => label.length), 0)
  // An average letter is narrower than the 0 that `ch` measures; 3.5rem are the control and the padding.
  const needed = `${count} * (${longest} * 0.9ch + 3.5rem)`
  const equal = `(100% - ${count - 1}px) / ${count}`
  // If the container is too narrow, the second term exceeds any container width, so each column takes the
  // whole row.
  return `repeat(auto-fit, minmax(min(100%, max(${equal}, (${needed} - 100%) * 999)), 1fr))`
}

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/**
 * Moves the focus between the checkboxes of a group with the arrow keys, in a circle, as radio buttons do.
 */
export function focusNeighbour(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input:enabled')]
  const index = boxes.indexOf(event.target as HTMLInputElement)
  if (index < 0) return
  event.preventDefault()
  boxes[(index + step + boxes.length) % boxes.length]?.focus()
}
