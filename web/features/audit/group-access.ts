import { groupByDay } from '../../lists/group-by-day.ts'
import type { AuditEvent } from './audit.queries.ts'

/** One or more identical actions of one person on one day; `events` newest first. */
export type AccessLine = { key: string; events: AuditEvent[] }
export type AccessPerson = { key: string; name: string; role: string | null; lines: AccessLine[] }
export type AccessDay = { day: string; title: string; people: AccessPerson[] }

/** Groups the accesses to a patient by day, then by person, then by action. */
export const groupAccess = (events: readonly AuditEvent[], now: Date): AccessDay[] =>
  groupByDay(events, ({ at }) => at, now).map(({ day, title, items }) => ({
    day,
    title,
    people: [...Map.groupBy(items, ({ actorId, actorName }) => actorId ?? actorName)].map(([key, own]) => ({
      key,
      name: own[0]?.actorName || 'Cineva',
      role: own[0]?.role ?? null,
      lines: [
        ...Map.groupBy(own, ({ action, subjectId, outcome }) => `${action} ${subjectId} ${outcome}`),
      ].map(([key, events]) => ({ key, events })),
    })),
  }))
