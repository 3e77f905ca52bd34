import type { ReactNode } from 'react'

/** A key of the keyboard, as in „Ctrl K”. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex min-w-6 items-center justify-center rounded-sm border border-line-strong/60 bg-surface px-1.5 font-sans text-xs leading-5 font-medium text-muted">
      {children}
    </kbd>
  )
}
