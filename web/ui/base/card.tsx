import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export interface CardProps {
  title?: ReactNode
  /** Shown beside the title: a count, a status pill. */
  meta?: ReactNode
  /** Shown at the end of the title row. */
  actions?: ReactNode
  /** Removes the padding around the content, for a table or a list that reaches the edges. */
  flush?: boolean | undefined
  children: ReactNode
  className?: string | undefined
}

export function Card({ title, meta, actions, flush, children, className }: CardProps) {
  const titleId = useId()
  return (
    <section
      {...(title ? { 'aria-labelledby': titleId } : {})}
      className={classNames('min-w-0 rounded-lg border border-line bg-surface', className)}
    >
      {(title || actions) && (
        <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-1.5 sm:px-5">
          <div className="flex min-w-0 items-center gap-2.5">
            {title && (
              <h2 id={titleId} className="text-base font-semibold">
                {title}
              </h2>
            )}
            {meta}
          </div>
          {actions && <div className="-mr-2 flex flex-wrap items-center gap-1 print:hidden">{actions}</div>}
        </div>
      )}
      <div
        className={
          flush
            ? classNames('flush overflow-clip', title ? 'rounded-b-lg' : 'rounded-lg')
            : 'px-4 py-4 sm:px-5'
        }
      >
        {children}
      </div>
    </section>
  )
}
