import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx'

export interface PageHeaderProps {
  title: ReactNode
  crumbs?: readonly Crumb[] | undefined
  /** Shown beside the title: a status pill. */
  status?: ReactNode
  /** Shown under the title: number, birth date, institution. */
  meta?: ReactNode
  actions?: ReactNode
}

/** The header of a page: one h1, its details and its actions. */
export function PageHeader({ title, crumbs, status, meta, actions }: PageHeaderProps) {
  return (
    <header className="mb-6 grid gap-1">
      {crumbs && <Breadcrumbs crumbs={crumbs} />}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h1 className="min-w-0 py-1 text-2xl font-semibold tracking-tight break-words">{title}</h1>
            {status}
          </div>
          {meta && <div className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">{meta}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>}
      </div>
    </header>
  )
}
