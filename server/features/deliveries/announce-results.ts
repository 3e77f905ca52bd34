import { deliveryInForce } from '../../../shared/site/setting-bounds.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { queueMessage } from '../messages/queue-message.ts'
import { findSite } from '../site/find-site.ts'
import {
  type CountRow,
  deleteWaiting,
  lockWaiting,
  selectWaiting,
  updateMessage,
  type WaitingRow,
} from './announcements.db.ts'
import { lastDue } from './delivery-hours.ts'

/**
 * Queues a digest for each user of an institution for whom something is due, and writes in the same transaction which
 * results it announces: each is announced once, also after a server was killed. Nothing is sent while the site has no
 * `patient::files`.
 */
export async function announceResults(ctx: Ctx<SystemActor>): Promise<void> {
  const { features } = await findSite(ctx.db)
  if (!features.includes('patient::files')) return
  const errors: unknown[] = []
  for (const reader of await selectWaiting(ctx.db)) {
    const delivery = deliveryInForce(reader.delivery, reader.own_delivery)
    const before = lastDue(delivery, ctx.now)
    const isDue = reader.is_urgent || (reader.first_at !== null && reader.first_at < before)
    const isUnwanted = delivery === 'none'
    if (isDue || isUnwanted || !reader.is_reachable)
      // The others get theirs although this one fails.
      await inTransaction(ctx, (tx) => announceTo(tx, reader, { before, isUnwanted })).catch(
        (error: unknown) => errors.push(error),
      )
  }
  if (errors.length > 0) throw errors[0]
}

async function announceTo(
  tx: Ctx<SystemActor>,
  reader: WaitingRow,
  { before, isUnwanted }: { before: Date; isUnwanted: boolean },
): Promise<void> {
  const { user_id: userId, institution_id: institutionId } = reader
  await deleteWaiting(tx.db, { userId, institutionId }, { isReachable: reader.is_reachable, isUnwanted })
  const rows = await lockWaiting(tx.db, { userId, institutionId }, before)
  if (rows.length === 0) return
  const counts = [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, { length: count }]) => ({
    kind,
    count,
  }))
  const messageId = await queueMessage(tx, {
    to: { name: reader.user_name, address: reader.email },
    content: digestOf(reader.institution_name, counts),
    about: { type: 'user', id: userId },
    institutionId,
    causedBy: rows.find(({ asked_by }) => asked_by !== null)?.asked_by ?? null,
  })
  await updateMessage(
    tx.db,
    rows.map(({ id }) => id),
    messageId,
  )
}

/** Returns the content of a digest that announces so many results of each kind. */
export function digestOf(institution: string, counts: readonly CountRow[]) {
  const countOf = (...kinds: CountRow['kind'][]) =>
    counts.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { count }) => sum + count, 0)
  return {
    kind: 'results',
    institution,
    fresh: countOf('new'),
    unopened: countOf('reminder', 'resent'),
    recalled: countOf('recall'),
  } as const
}
