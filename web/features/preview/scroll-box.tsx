import type { ReactNode, Ref } from 'react'
import { classNames } from '../../ui/base/class-names.ts'

/** Where a document is scrolled: takes what room there is, and the keyboard. */
export function ScrollBox({
  label,
  children,
  className,
  ref,
}: {
  /** Read aloud. */
  label: string
  children: ReactNode
  className: string
  ref?: Ref<HTMLElement> | undefined
}) {
  return (
    <section
      {...(ref ? { ref } : {})}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
      tabIndex={0}
      aria-label={label}
      className={classNames('relative min-h-0 flex-1 overflow-auto -outline-offset-2', className)}
    >
      {children}
    </section>
  )
}
