import type { ReactNode, Ref } from 'react'
import { classNames } from '../../ui/base/class-names.ts'

/** The scrollable area of a preview: fills the available space and receives the keyboard focus. */
export function ScrollBox({
  label,
  children,
  className,
  ref,
}: {
  /** The accessible name. */
  label: string
  children: ReactNode
  className: string
  ref?: Ref<HTMLElement> | undefined
}) {
  return (
    <section
      {...(ref ? { ref } : {})}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard
      tabIndex={0}
      aria-label={label}
      className={classNames('relative min-h-0 flex-1 overflow-auto -outline-offset-2', className)}
    >
      {children}
    </section>
  )
}
