import type { AuditEvent } from './audit.queries.ts'

/** The same reading done once or more often in a row; `events` as they came, newest first. */
export type Fold = { key: string; latest: AuditEvent; events: AuditEvent[] }

const isReading = (action: string): boolean => /\.list$|\.read$|\.read-access$|^search$/.test(action)

const sameness = ({ actorId, actorName, action, subjectId, patientId, outcome, changes, ip }: AuditEvent) =>
  JSON.stringify([actorId ?? actorName, action, subjectId, patientId, outcome, changes, ip])

/** Folds readings that follow one another and differ in nothing but the moment and the rows shown; all else stays alone. */
export function foldRepeats(events: readonly AuditEvent[]): Fold[] {
  const folds: Fold[] = []
  for (const event of events) {
    const last = folds.at(-1)
    if (last && isReading(event.action) && sameness(last.latest) === sameness(event)) last.events.push(event)
    else folds.push({ key: event.id, latest: event, events: [event] })
  }
  return folds
}
