import { type Clock, readClock } from '../../../shared/incidents/incidents.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { boundedCount, counted } from '../../../shared/romania/romanian.ts'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { readWaitingAge, type WaitingAge } from '../../../shared/uploads/waiting-age.ts'
import type { IconName } from '../../ui/base/icon.tsx'
import type { LinkTarget } from '../../ui/base/link.tsx'
import { formatWaitingTime } from '../uploads/format-waiting-time.ts'
import type { DashboardFigures } from './dashboard.queries.ts'

/** What needs somebody: `danger` before `warning`, before what only waits its turn. */
export type Need = {
  id: string
  icon: IconName
  title: string
  /** Since when the oldest waits, or how long is left. */
  note?: string | undefined
  urgency: 'danger' | 'warning' | 'neutral'
  link: LinkTarget
}

const URGENCIES = ['danger', 'warning', 'neutral'] as const
const BY_AGE: Record<WaitingAge, Need['urgency']> = { fresh: 'neutral', late: 'warning', overdue: 'danger' }
const BY_CLOCK: Record<Clock['state'], Need['urgency']> = {
  running: 'warning',
  near: 'danger',
  overdue: 'danger',
}

/** The states that somebody must end, the most harmful first. */
const STATES: readonly { state: UploadState; icon: IconName; title: (count: number) => string }[] = [
  { state: 'quarantined', icon: 'shield-alert', title: (count) => `${uploads(count)} în carantină` },
  {
    state: 'rejected',
    icon: 'file-x',
    title: (count) =>
      counted(count, 'încărcare respinsă și necorectată', 'încărcări respinse și necorectate'),
  },
  { state: 'unassigned', icon: 'user-x', title: (count) => `${uploads(count)} fără pacient` },
  { state: 'in_review', icon: 'review', title: (count) => `${uploads(count)} de verificat` },
  { state: 'accepted', icon: 'clock', title: (count) => `${uploads(count)} de eliberat` },
]

const uploads = (count: number) => counted(count, 'încărcare', 'încărcări')

/** Names a count that is exact below what is shown. */
const upToShown = (count: number, one: string, many: string) =>
  count < LIMITS.shownCount
    ? counted(count, one, many)
    : `${boundedCount(count, LIMITS.shownCount)} de ${many}`

/** What institutions ask and nobody has answered. */
export type OpenRequests = { questions: number; accessRequests: number }

/** Returns what needs somebody, the most urgent first; unopened results only for readers who may list them. */
export function listNeeds(
  dashboard: DashboardFigures,
  requests: OpenRequests,
  now: number,
  hasFiles: boolean,
): Need[] {
  const { waiting, unopenedLong, alarms } = dashboard
  const rows = new Map(waiting.map((row) => [row.state, row]))
  const states = STATES.flatMap(({ state, icon, title }): Need[] => {
    const { count = 0, oldest = null } = rows.get(state) ?? {}
    if (count === 0 || !oldest) return []
    return [
      {
        id: state,
        icon,
        title: title(count),
        note: `cea mai veche ${formatWaitingTime(oldest, now)}`,
        urgency: BY_AGE[readWaitingAge(state, oldest, now)],
        link: { to: '/uploads', search: { state: [state] } },
      },
    ]
  })
  const needs = [
    ...listAlarms(alarms, now),
    ...states,
    ...listRequests(requests),
    ...(unopenedLong > 0 && hasFiles
      ? [
          {
            id: 'unopened',
            icon: 'envelope',
            title: counted(unopenedLong, 'rezultat nedeschis', 'rezultate nedeschise'),
            note: `de ${counted(LIMITS.alarmDays, 'zi', 'zile')} sau mai mult`,
            urgency: 'warning',
            link: {
              to: '/institutions',
              search: { tab: 'nedeschise', days: LIMITS.dashboardDays, older: LIMITS.alarmDays },
            },
          } satisfies Need,
        ]
      : []),
  ]
  return URGENCIES.flatMap((urgency) => needs.filter((need) => need.urgency === urgency))
}

function listRequests({ questions, accessRequests }: OpenRequests): Need[] {
  const needs: Need[] = []
  if (questions > 0)
    needs.push({
      id: 'questions',
      icon: 'help',
      title: upToShown(questions, 'întrebare fără răspuns', 'întrebări fără răspuns'),
      urgency: 'neutral',
      link: { to: '/institutions', search: { tab: 'intrebari' } },
    })
  if (accessRequests > 0)
    needs.push({
      id: 'access-requests',
      icon: 'user-plus',
      title: upToShown(accessRequests, 'cerere de acces de hotărât', 'cereri de acces de hotărât'),
      urgency: 'neutral',
      link: { to: '/institutions', search: { tab: 'cereri' } },
    })
  return needs
}

function listAlarms(alarms: DashboardFigures['alarms'], now: number): Need[] {
  if (!alarms) return []
  const needs: Need[] = []
  if (alarms.isChainBroken)
    needs.push({
      id: 'chain',
      icon: 'shield-alert',
      title: 'Jurnalul nu mai este așa cum a fost scris',
      urgency: 'danger',
      link: { to: '/logs' },
    })
  if (alarms.incidents > 0 && alarms.incidentSince) {
    const { state, text } = readClock(alarms.incidentSince, new Date(now))
    needs.push({
      id: 'incidents',
      icon: 'clock',
      title: `${counted(alarms.incidents, 'incident', 'incidente')} de decis pentru ANSPDCP`,
      note: text.toLocaleLowerCase('ro'),
      urgency: BY_CLOCK[state],
      link: { to: '/admin', search: { tab: 'incidente' } },
    })
  }
  if (alarms.failedMails > 0)
    needs.push({
      id: 'mails',
      icon: 'envelope',
      title: upToShown(alarms.failedMails, 'mesaj nereușit', 'mesaje nereușite'),
      note: `în ultimele ${LIMITS.alarmDays} zile`,
      urgency: 'warning',
      link: { to: '/admin', search: { tab: 'mesaje', undelivered: true } },
    })
  return needs
}
