import { useQuery } from '@apollo/client/react'
import { type ReactNode, useId } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import type { UploadState } from '../../../shared/uploads/upload-states.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useUser } from '../../session/use-session.ts'
import { Card } from '../../ui/base/card.tsx'
import type { IconName } from '../../ui/base/icon.tsx'
import type { LinkTarget } from '../../ui/base/link.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { Figure } from '../../ui/page/figure.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { formatWaitingTime } from '../uploads/format-waiting-time.ts'
import { LONG_BATCH_MS, useLiveUploads } from '../uploads/use-live-uploads.ts'
import { fillDays, organisationDay } from './chart.ts'
import { DASHBOARD, type DashboardFigures } from './dashboard.queries.ts'
import { UploadsChart } from './uploads-chart.tsx'

/** The states in order of urgency; those without `isAlways` are shown only if they have uploads. */
const STATES: readonly { state: UploadState; label: string; icon: IconName; isAlways: boolean }[] = [
  { state: 'in_review', label: 'de verificat', icon: 'review', isAlways: true },
  { state: 'unassigned', label: 'fără pacient', icon: 'file-question', isAlways: true },
  { state: 'rejected', label: 'respinse', icon: 'file-x', isAlways: true },
  { state: 'accepted', label: 'de eliberat', icon: 'clock', isAlways: false },
  { state: 'quarantined', label: 'în carantină', icon: 'shield-alert', isAlways: false },
  { state: 'checking', label: 'se controlează', icon: 'file-search', isAlways: false },
  { state: 'receiving', label: 'se încarcă', icon: 'file-up', isAlways: false },
]

/** How often the figures are refreshed. */
const REFRESH_INTERVAL_MS = 60_000

/** The figures of all uploads; `notice` is shown above them. */
export function DashboardScreen({ notice }: { notice?: ReactNode }) {
  const { data, error, refetch } = useQuery(DASHBOARD, {
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
    </>
  )
}

function Figures({ dashboard }: { dashboard: DashboardFigures }) {
  // The figures count all users' entries; a reviewer's own part of the audit log would show other numbers, so
  // only administrators get the link.
  const hasWholeLog = useUser().role === 'admin'
  const now = new Date()
  const waiting = new Map(dashboard.waiting.map((row) => [row.state, row]))
  const shownStates = STATES.filter(({ state, isAlways }) => isAlways || (waiting.get(state)?.count ?? 0) > 0)
  const days = fillDays(dashboard.perDay, organisationDay(now), LIMITS.dashboardDays)
  const today = organisationDay(now)
  const reviewsOfToday = (action: string): LinkTarget | undefined =>
    hasWholeLog ? { to: '/logs', search: { action, from: today, to: today, outcome: 'ok' } } : undefined
  const released = { state: ['released' as const], since: days[0]?.day ?? today }
  return (
    <div className="grid gap-8">
      <Group title="Ce așteaptă">
        {shownStates.map(({ state, label, icon }, index) => {
          const { count, oldest } = waiting.get(state) ?? { count: 0, oldest: null }
          return (
            <Figure
              key={state}
              icon={icon}
              label={label}
              value={count}
              note={oldest ? <Oldest since={oldest} now={now.getTime()} /> : 'nimic'}
              link={{ to: '/uploads', search: { state: [state] } }}
              isMain={index === 0}
            />
          )
        })}
      </Group>
      <Group title="Ce s-a făcut">
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
          label="eliberate"
          value={dashboard.released}
          note={`în ultimele ${counted(LIMITS.dashboardDays, 'zi', 'zile')}`}
          link={{ to: '/uploads', search: released }}
        />
        <Figure
          icon="envelope"
          label="nedeschise încă"
          value={dashboard.unopened}
          note={dashboard.released > 0 && `din ${counted(dashboard.released, 'eliberată', 'eliberate')}`}
          link={{ to: '/uploads', search: { ...released, unopened: true } }}
        />
      </Group>
      <Card title="Încărcări pe zi">
        <UploadsChart days={days} />
      </Card>
    </div>
  )
}

/** „cea mai veche, de 6 zile”, without a line break inside the age. */
const Oldest = ({ since, now }: { since: string; now: number }) => (
  <>
    cea mai veche, <span className="whitespace-nowrap">{formatWaitingTime(since, now)}</span>
  </>
)

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]">
        {children}
      </div>
    </section>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Se încarcă" className="grid gap-8">
      {['waiting', 'done'].map((group) => (
        <div
          key={group}
          className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]"
        >
          <Skeleton className="h-28 rounded-lg" />
          <Skeleton className="h-28 rounded-lg" />
        </div>
      ))}
      <Skeleton className="h-64 rounded-lg" />
    </div>
  )
}
