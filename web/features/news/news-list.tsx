import type { ReactNode } from 'react'
import { NEWS_KIND_NAMES, type NewsKind } from '../../../shared/news/news.ts'
import { formatDate, formatDateTime } from '../../../shared/romania/romanian.ts'
import { classNames } from '../../ui/base/class-names.ts'
import type { IconName } from '../../ui/base/icon.tsx'
import { StatusPill, type Tone } from '../../ui/page/status-pill.tsx'
import type { NewsEntry } from './news.queries.ts'

const SHOWN: Readonly<Record<NewsKind, { icon: IconName; tone: Tone }>> = {
  warning: { icon: 'warning', tone: 'danger' },
  news: { icon: 'info', tone: 'info' },
  note: { icon: 'documents', tone: 'neutral' },
}

export const NewsKindPill = ({ kind }: { kind: NewsKind }) => (
  <StatusPill {...SHOWN[kind]}>{NEWS_KIND_NAMES[kind]}</StatusPill>
)

/** News about a patient in the order of the server: warnings first. What is new to the reader is marked by dot and word. */
export function NewsList({
  news,
  isNew,
  describe,
  actions,
}: {
  news: readonly NewsEntry[]
  isNew: (entry: NewsEntry) => boolean
  /** What staff also read of an entry, in the line under its text. */
  describe?: (entry: NewsEntry) => readonly string[]
  actions?: (entry: NewsEntry) => ReactNode
}) {
  return (
    <ul className="divide-y divide-line">
      {news.map((entry) => (
        <li
          key={entry.id}
          className={classNames(
            'flex items-start gap-2 px-4 py-3 sm:px-5',
            entry.kind === 'warning' && 'border-l-3 border-l-danger',
          )}
        >
          <div className="grid min-w-0 grow gap-1">
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <NewsKindPill kind={entry.kind} />
              {entry.isPinned && entry.pinnedUntil && (
                <StatusPill icon="pin">fixată până la {formatDate(entry.pinnedUntil)}</StatusPill>
              )}
              {isNew(entry) && (
                <span className="inline-flex items-center gap-1.5 text-xs font-semibold text-accent-ink">
                  <span aria-hidden="true" className="size-2 rounded-full bg-accent-mark" />
                  necitită
                </span>
              )}
            </div>
            <p className="max-w-prose break-words whitespace-pre-wrap">{entry.text}</p>
            <p className="flex flex-wrap gap-x-3 text-sm break-words text-muted">
              <time dateTime={entry.writtenAt}>{formatDateTime(entry.writtenAt)}</time>
              {entry.revision > 1 && <span>modificată</span>}
              {describe?.(entry).map((fact) => (
                <span key={fact}>{fact}</span>
              ))}
            </p>
          </div>
          {actions?.(entry)}
        </li>
      ))}
    </ul>
  )
}
