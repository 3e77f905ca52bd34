import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { Icon, type IconName } from '../base/icon.tsx'
import { type LinkTarget, PlainLink } from '../base/link.tsx'

export interface FigureProps {
  icon: IconName
  label: string
  /** A text for what is no plain number: `999+`, `3 ore`. */
  value: number | string
  note?: ReactNode
  /** The list of what is counted; without it the figure is no link. */
  link?: LinkTarget | undefined
}

const figureClass = 'grid content-start gap-0.5 rounded-lg border border-line bg-surface p-4'

/** A number with its name, linked to the list of what is counted. */
export function Figure({ icon, label, value, note, link }: FigureProps) {
  const content = (
    <>
      <span className="flex items-start justify-between gap-2">
        <span className="text-3xl font-semibold tracking-tight tabular-nums">
          {typeof value === 'number' ? value.toLocaleString('ro-RO') : value}
        </span>
        <Icon name={icon} className="text-muted" />
      </span>
      <span className="text-sm font-medium first-letter:uppercase">{label}</span>
      {note && <span className="text-sm text-muted">{note}</span>}
    </>
  )
  if (!link) return <div className={figureClass}>{content}</div>
  return (
    <PlainLink {...link} className={classNames(figureClass, 'transition-colors hover:bg-hover')}>
      {content}
    </PlainLink>
  )
}
