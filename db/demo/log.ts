import type { Db } from '../../server/platform/database/database.ts'
import type { AuditAction } from '../../shared/audit/audit-actions.ts'
import type { PlannedUpload } from './uploads.ts'

/** Without an actor it is the product's own act. */
type Entry = { at: Date; action: AuditAction; actorId: string | null }

const CHECK_MS = 20_000

const VERDICTS = { accepted: 'upload.accept', rejected: 'upload.reject' } as const

function entriesOf({ row, reviews, opening }: PlannedUpload): Entry[] {
  const verdicts = reviews.map(({ verdict, reviewer_id, created_at }) => ({
    at: created_at,
    action: VERDICTS[verdict],
    actorId: reviewer_id!,
  }))
  const history: Entry[] = [
    { at: row.created_at, action: 'upload.submit', actorId: row.created_by! },
    ...(row.state === 'checking'
      ? []
      : [
          {
            at: new Date(row.created_at.getTime() + CHECK_MS),
            action: 'upload.checked' as const,
            actorId: null,
          },
        ]),
    ...verdicts,
  ]
  // An acceptance releases at once, or the same reviewer by hand.
  if (row.released_at)
    history.push({ at: row.released_at as Date, action: 'upload.release', actorId: verdicts.at(-1)!.actorId })
  if (opening) {
    history.push({ at: opening.opened_at, action: 'upload.read', actorId: opening.user_id })
    if (opening.downloaded_at)
      history.push({ at: opening.downloaded_at, action: 'upload.download', actorId: opening.user_id })
  }
  return row.state === 'receiving' ? [] : history
}

/** Writes the history of the uploads into the audit log, in the order of time that the hash chain requires. */
export async function logHistory(db: Db, plans: readonly PlannedUpload[]): Promise<void> {
  const people = await db.selectFrom('app_user').select(['id', 'name', 'role']).execute()
  const personOf = new Map(people.map((person) => [person.id, person]))
  const entries = plans.flatMap((plan) => entriesOf(plan).map((entry) => ({ ...entry, row: plan.row })))
  entries.sort((a, b) => a.at.getTime() - b.at.getTime())
  await db
    .insertInto('audit_event')
    .values(
      entries.map(({ at, action, actorId, row }) => ({
        at,
        action,
        actor_id: actorId,
        ...(actorId
          ? {
              actor_name: personOf.get(actorId)!.name,
              role: personOf.get(actorId)!.role,
              origin: 'web' as const,
            }
          : { actor_name: 'Dosar', role: null, origin: 'job' as const }),
        subject_type: 'upload',
        subject_id: row.id,
        patient_id: row.patient_id ?? null,
        outcome: 'ok',
        request_id: row.id,
      })),
    )
    .execute()
}
