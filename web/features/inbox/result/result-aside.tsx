import { useEffect, useRef } from 'react'
import { formatDate } from '../../../../shared/romania/romanian.ts'
import { Button } from '../../../ui/base/button.tsx'
import { classNames } from '../../../ui/base/class-names.ts'
import { FreshMark } from '../../queue/queue-table.tsx'
import type { ResultLine } from '../inbox.queries.ts'
import type { ShownResults } from './shown-results.ts'

/** The list from which a result was opened, beside it on wide screens. */
export function ResultAside({
  order: { results, more },
  id,
  lostIds,
  onOpen,
}: {
  order: ShownResults
  id: string
  /** The results that the user may not open any more. */
  lostIds: ReadonlySet<string>
  onOpen: (id: string) => void
}) {
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows the row of each result
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [id])
  return (
    <nav
      aria-label="Lista rezultatelor"
      className="order-first flex w-80 shrink-0 flex-col border-r border-line bg-sunken max-xl:hidden print:hidden"
    >
      <ul ref={list} className="min-h-0 flex-1 divide-y divide-line overflow-y-auto">
        {results.map((result) => (
          <li key={result.id}>
            <Row
              result={result}
              isCurrent={result.id === id}
              isLost={lostIds.has(result.id)}
              onOpen={() => onOpen(result.id)}
            />
          </li>
        ))}
        {more.hasMore && (
          <li className="p-3 text-center">
            <Button onPress={more.onLoadMore} isPending={more.isLoading}>
              Încarcă mai multe
            </Button>
          </li>
        )}
      </ul>
    </nav>
  )
}

function Row({
  result,
  isCurrent,
  isLost,
  onOpen,
}: {
  result: ResultLine
  isCurrent: boolean
  isLost: boolean
  onOpen: () => void
}) {
  const { title, patient, releasedAt, openedAt } = result
  const isUnread = openedAt === null
  return (
    <button
      type="button"
      aria-current={isCurrent || undefined}
      onClick={onOpen}
      className={classNames(
        'grid w-full grid-cols-[minmax(0,1fr)] gap-0.5 border-l-3 px-3 py-2 text-start text-sm -outline-offset-2 transition-colors',
        isLost && 'line-through',
        isCurrent ? 'border-l-accent bg-surface' : 'border-l-transparent hover:bg-hover',
      )}
    >
      <span className={classNames('truncate', isUnread ? 'font-semibold' : 'font-medium')}>
        {isUnread && (
          <span className="mr-2">
            <FreshMark />
          </span>
        )}
        {patient?.name}
      </span>
      <span className="flex gap-2 text-muted">
        <span className="min-w-0 flex-1 truncate">{title}</span>
        {releasedAt && <span className="shrink-0 tabular-nums">{formatDate(releasedAt)}</span>}
      </span>
    </button>
  )
}
