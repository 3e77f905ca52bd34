import { counted } from '../../../shared/romania/romanian.ts'
import { groupByDay } from '../../lists/group-by-day.ts'
import { Button } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { PlainLink } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { CategoryIcon } from '../categories/category-icon.tsx'
import { FreshMark } from '../queue/queue-table.tsx'
import { useNow } from '../uploads/use-now.ts'
import type { ResultLine } from './inbox.queries.ts'

const timeOf = ({ releasedAt }: ResultLine) => releasedAt ?? ''

/**
 * Lists the results of a patient by the day of their release, newest first; unread results are marked by weight, dot and word.
 */
export function ResultList({
  results,
  more,
}: {
  /** null while the first page loads. */
  results: readonly ResultLine[] | null
  more: { hasMore: boolean; isLoading: boolean; onLoadMore: () => void }
}) {
  const now = useNow()
  if (results === null) return <LoadingList />
  return (
    <div className="grid gap-6">
      {groupByDay(results, timeOf, new Date(now)).map(({ day, title, items }) => (
        <section key={day} aria-label={title}>
          <h2 className="mb-2 text-sm font-medium text-muted">{title}</h2>
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
            {items.map((result) => (
              <li key={result.id} className="first:*:rounded-t-lg last:*:rounded-b-lg">
                <ResultLink result={result} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {more.hasMore && (
        <Button className="justify-self-center" onPress={more.onLoadMore} isPending={more.isLoading}>
          Încarcă mai multe
        </Button>
      )}
    </div>
  )
}

function ResultLink({ result }: { result: ResultLine }) {
  const { id, title, category, releasedAt, openedAt, isUpdate, fileCount } = result
  const isUnread = openedAt === null
  const details = [...(category ? [category.name] : []), counted(fileCount, 'fișier', 'fișiere')]
  return (
    <PlainLink
      to="/institution"
      search={((search: Record<string, unknown>) => ({ ...search, upload: id })) as never}
      state
      resetScroll={false}
      data-result={id}
      className="flex items-start gap-3 px-4 py-3 transition-colors -outline-offset-2 hover:bg-hover sm:items-center sm:px-5"
    >
      <CategoryIcon category={category ?? { icon: 'documents', color: '' }} />
      <span className="grid min-w-0 flex-1 gap-0.5 sm:grid-cols-2 sm:items-center sm:gap-4">
        <span className="min-w-0">
          <span className={classNames('block break-words', isUnread ? 'font-semibold' : 'font-medium')}>
            {isUnread && (
              <span className="mr-2">
                <FreshMark />
              </span>
            )}
            {title}
            {isUpdate && <UpdatedMark />}
          </span>
        </span>
        <span className="min-w-0 text-sm">
          <span className="block text-muted">{details.join(' · ')}</span>
        </span>
      </span>
      {releasedAt && (
        <time dateTime={releasedAt} className="shrink-0 text-sm text-muted">
          {new Date(releasedAt).toLocaleTimeString('ro-RO', { hour: '2-digit', minute: '2-digit' })}
        </time>
      )}
    </PlainLink>
  )
}

/** Marks a result that has replaced one which the institution had received. */
export const UpdatedMark = () => (
  <span className="ml-2 inline-block align-middle">
    <StatusPill icon="history" tone="info">
      actualizat
    </StatusPill>
  </span>
)

function LoadingList() {
  return (
    <div role="status" aria-label="Se încarcă" className="grid gap-2">
      <Skeleton className="h-4 w-24" />
      <div className="divide-y divide-line rounded-lg border border-line">
        {['w-1/2', 'w-2/5', 'w-3/5', 'w-1/3'].map((width) => (
          <div key={width} className="flex items-center gap-3 px-5 py-4">
            <Skeleton className="size-7" />
            <Skeleton className={`h-4 ${width}`} />
          </div>
        ))}
      </div>
    </div>
  )
}
