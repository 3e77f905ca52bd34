import type { KeyboardEvent } from 'react'

/**
 * `grid-template-columns` for the segments of a row: side by side, equally wide, where the container has room for the
 * longest label in each of them; under each other where it has not, or where an option has help to read.
 */
export function optionColumns(options: readonly { label: string; help?: string | undefined }[]): string {
  const count = options.length
  if (options.some(({ help }) => help)) return 'minmax(0, 1fr)'
  const longest = Math.max(...options.map(({ label }) => label.length), 0)
  // A letter is narrower than the 0 that `ch` measures; the rest is the mark and the space around.
  const needed = `${count} * (${longest} * 0.9ch + 3.5rem)`
  const equal = `(100% - ${count - 1}px) / ${count}`
  // Too narrow, the second bound is larger than any container, and a column takes all of it.
  return `repeat(auto-fit, minmax(min(100%, max(${equal}, (${needed} - 100%) * 999)), 1fr))`
}

const steps: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** The arrows go round the checkboxes of a group as they go round its radio buttons. */
export function focusNeighbour(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input:enabled')]
  const place = boxes.indexOf(event.target as HTMLInputElement)
  if (place < 0) return
  event.preventDefault()
  boxes[(place + step + boxes.length) % boxes.length]?.focus()
}
