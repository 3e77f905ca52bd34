import { useQuery } from '@apollo/client/react'
import type { ReactNode } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { dayInRomania } from '../../../shared/romania/day.ts'
import { counted, formatDate } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useFeature, useUser } from '../../session/use-session.ts'
import { Card } from '../../ui/base/card.tsx'
import type { LinkTarget } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { Figure } from '../../ui/page/figure.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useRequestCounts } from '../questions/request-counts.tsx'
import { LONG_BATCH_MS, useLiveUploads } from '../uploads/use-live-uploads.ts'
import { fillDays } from './chart.ts'
import { DASHBOARD, type DashboardFigures } from './dashboard.queries.ts'
import { listNeeds } from './needs.ts'
import { NeedsList } from './needs-list.tsx'
import { TurnaroundCard } from './turnaround-card.tsx'
import { UploadsChart } from './uploads-chart.tsx'
import { WorkCard } from './work-card.tsx'

/** How often the figures are refreshed. */
const REFRESH_INTERVAL_MS = 60_000

/** The figures of all uploads; `notice` is shown above them. */
export function DashboardScreen({ notice }: { notice?: ReactNode }) {
  const { data, error, refetch } = useQuery(DASHBOARD, {
    variables: { withQuestions: useFeature('patient::files') },
    pollInterval: REFRESH_INTERVAL_MS,
    skipPollAttempt: () => document.hidden,
  })
  useLiveUploads(() => void refetch().catch(() => undefined), { batchMs: LONG_BATCH_MS })
  return (
    <>
      <PageHeader title="Tablou de bord" />
      {notice}
      {data ? (
        <Figures dashboard={data.dashboard} />
      ) : error ? (
        <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
      ) : (
        <Loading />
      )}
      <TurnaroundCard />
      <WorkCard />
    </>
  )
}

function Figures({ dashboard }: { dashboard: DashboardFigures }) {
  // The figures count all users' entries; a reviewer's own part of the audit log would show other numbers, so
  // only administrators get the link.
  const hasWholeLog = useUser().role === 'admin'
  const now = new Date()
  // The server counts by these days.
  const today = dayInRomania(now)
  const hasFiles = useFeature('patient::files')
  const needs = listNeeds(dashboard, useRequestCounts(), now.getTime(), hasFiles)
  const days = fillDays(dashboard.perDay, today, LIMITS.dashboardDays)
  const [first = { day: today }] = days
  const reviewsOfToday = (action: string): LinkTarget | undefined =>
    hasWholeLog ? { to: '/logs', search: { action, from: today, to: today, outcome: 'ok' } } : undefined
  const released = { state: ['released' as const], since: first.day }
  return (
    <div className="grid gap-6">
      <Card title="Are nevoie de cineva" flush>
        <NeedsList needs={needs} />
      </Card>
      <section aria-label="Ce s-a făcut" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure
          icon="check-circle"
          label="acceptate astăzi"
          value={dashboard.acceptedToday}
          link={reviewsOfToday('upload.accept')}
        />
        <Figure
          icon="error"
          label="respinse astăzi"
          value={dashboard.rejectedToday}
          link={reviewsOfToday('upload.reject')}
        />
        <Figure
          icon="paper-plane"
          label={`eliberate în ${counted(LIMITS.dashboardDays, 'zi', 'zile')}`}
          value={dashboard.released}
          link={{ to: '/uploads', search: released }}
        />
        <Figure
          icon="envelope"
          label="dintre ele nedeschise"
          value={dashboard.unopened}
          link={
            hasFiles
              ? { to: '/institutions', search: { tab: 'nedeschise', days: LIMITS.dashboardDays } }
              : undefined
          }
        />
      </section>
      <Card
        title="Încărcări pe zi"
        meta={
          <span className="text-sm text-muted">
            {formatDate(first.day)} – {formatDate(today)}
          </span>
        }
      >
        <UploadsChart days={days} />
      </Card>
    </div>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Se încarcă" className="grid gap-6">
      <Skeleton className="h-56 rounded-lg" />
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
      </div>
      <Skeleton className="h-64 rounded-lg" />
    </div>
  )
}
