import { counted } from '../romania/romanian.ts'

/** Where the report of an incident is downloaded: `/{id}/report.pdf` below it. */
export const INCIDENT_REPORTS_PATH = '/api/incidents'

/** The hours from the discovery of an incident in which the authority is notified (GDPR, article 33). */
export const INCIDENT_HOURS = 72
/** With fewer hours left than this, the deadline is near. */
const NEAR_HOURS = 24

const HOUR_MS = 3_600_000

/** Returns until when the authority is notified of an incident discovered at this moment. */
export const deadlineOf = (discoveredAt: Date | string): Date =>
  new Date(new Date(discoveredAt).getTime() + INCIDENT_HOURS * HOUR_MS)

export type Clock = { state: 'running' | 'near' | 'overdue'; text: string }

/** Returns how long is left until the deadline, or how long it has passed, in whole hours or minutes. */
export function readClock(discoveredAt: Date | string, now: Date): Clock {
  const left = deadlineOf(discoveredAt).getTime() - now.getTime()
  const hours = Math.floor(Math.abs(left) / HOUR_MS)
  const minutes = Math.floor(Math.abs(left) / 60_000)
  const span = hours > 0 ? counted(hours, 'oră', 'ore') : counted(minutes, 'minut', 'minute')
  if (left <= 0) return { state: 'overdue', text: `Termen depășit de ${span}` }
  return { state: left <= NEAR_HOURS * HOUR_MS ? 'near' : 'running', text: `Mai sunt ${span}` }
}

/** What users of institutions did with a released result. */
export const OPENING_ACTS = ['open', 'preview', 'download', 'archive'] as const
export type OpeningAct = (typeof OPENING_ACTS)[number]

export const OPENING_ACT_NAMES: Readonly<Record<OpeningAct, string>> = {
  open: 'a deschis rezultatul',
  preview: 'a văzut fișiere',
  download: 'a descărcat fișiere',
  archive: 'a descărcat tot (ZIP)',
}

/** What was decided about the notice to the authority, and about that to the persons. */
export const INCIDENT_NOTICES = ['notified', 'not-needed'] as const
export type IncidentNotice = (typeof INCIDENT_NOTICES)[number]

export const AUTHORITY_NOTICE_NAMES: Readonly<Record<IncidentNotice, string>> = {
  notified: 'ANSPDCP a fost anunțată',
  'not-needed': 'ANSPDCP nu trebuie anunțată: un risc pentru persoane este puțin probabil',
}

export const PERSONS_NOTICE_NAMES: Readonly<Record<IncidentNotice, string>> = {
  notified: 'Persoanele au fost anunțate',
  'not-needed': 'Persoanele nu trebuie anunțate: riscul pentru ele nu este ridicat',
}
