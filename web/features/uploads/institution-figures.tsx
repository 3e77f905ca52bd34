import { useQuery } from '@apollo/client/react'
import { INSTITUTION_FIGURES } from '../../../shared/institutions.ts'
import type { ResultFilters } from '../../../shared/result-filters.ts'
import { boundedCount, counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import type { LinkTarget } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { Figure } from '../../ui/page/figure.tsx'
import { formatDuration } from './format-duration.ts'
import { formatWaitingTime } from './format-waiting-time.ts'
import { INSTITUTION_FIGURES_QUERY } from './institution-results.queries.ts'
import { useNow } from './use-now.ts'

const { days, daysLong, countMax } = INSTITUTION_FIGURES
const GRID = 'grid grid-cols-2 gap-3 lg:grid-cols-4'

/** What an institution was sent and what it has opened; each figure leads to the list of what it counts. */
export function InstitutionFigures({ institutionId }: { institutionId: string }) {
  const { data, error, refetch } = useQuery(INSTITUTION_FIGURES_QUERY, { variables: { institutionId } })
  const now = useNow()
  const reload = () => void refetch().catch(() => undefined)
  if (error && !data) return <ErrorState onRetry={reload}>{errorMessage(error)}</ErrorState>
  if (!data) {
    return (
      <div role="status" aria-label="Se încarcă cifrele" className={GRID}>
        {['released', 'unopened', 'median', 'medianLong'].map((figure) => (
          <Skeleton key={figure} className="h-28 rounded-lg" />
        ))}
      </div>
    )
  }
  const { released, unopened, oldestUnopenedAt, medianToOpening, medianToOpeningLong } =
    data.institutionFigures
  const results = (filters: ResultFilters): LinkTarget => ({
    to: '/institutions/$institutionId',
    params: { institutionId },
    search: { tab: 'rezultate', ...filters },
  })
  const median = (minutes: number | null, period: typeof days | typeof daysLong) => (
    <Figure
      icon="timer"
      label="până la deschidere, median"
      value={minutes === null ? '–' : formatDuration(minutes)}
      note={
        minutes === null
          ? `niciun rezultat deschis în ${counted(period, 'zi', 'zile')}`
          : `în ultimele ${counted(period, 'zi', 'zile')}`
      }
      link={results({ days: period, opening: 'deschise' })}
    />
  )
  return (
    <section aria-label="Cifrele instituției" className={GRID}>
      <Figure
        icon="paper-plane"
        label="eliberate"
        value={boundedCount(released, countMax)}
        note={`în ultimele ${counted(days, 'zi', 'zile')}`}
        link={results({ days })}
      />
      <Figure
        icon="envelope"
        label="nedeschise"
        value={boundedCount(unopened, countMax)}
        note={
          oldestUnopenedAt ? `cel mai vechi, ${formatWaitingTime(oldestUnopenedAt, now)}` : 'a deschis tot'
        }
        link={results({ opening: 'nedeschise' })}
      />
      {median(medianToOpening, days)}
      {median(medianToOpeningLong, daysLong)}
    </section>
  )
}
