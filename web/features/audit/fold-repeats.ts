import type { AuditEvent } from './audit.queries.ts'

/** One line of the log: an entry, or several consecutive reads. `events` has them all, newest first. */
export type Fold = { key: string; latest: AuditEvent; events: AuditEvent[] }

const isRead = (action: string): boolean => /\.list$|\.read$|\.read-access$|^search$/.test(action)

const foldKey = ({ actorId, actorName, action, subjectId, patientId, outcome, changes, ip }: AuditEvent) =>
  JSON.stringify([actorId ?? actorName, action, subjectId, patientId, outcome, changes, ip])

/**
 * Folds consecutive reads that differ only in their time and the number of rows shown; other entries stay
 * alone.
 */
export function foldRepeats(events: readonly AuditEvent[]): Fold[] {
  const folds: Fold[] = []
  for (const event of events) {
    const last = folds.at(-1)
    if (last && isRead(event.action) && foldKey(last.latest) === foldKey(event)) last.events.push(event)
    else folds.push({ key: event.id, latest: event, events: [event] })
  }
  return folds
}
