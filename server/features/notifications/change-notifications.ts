import type { NotificationKind } from '../../../shared/notifications/notification-kinds.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { publish } from '../../platform/events.ts'
import {
  countNotifications,
  listNotificationSettings,
  type NotificationSetting,
} from './list-notifications.ts'
import { mayHaveNotifications } from './notifications.access.ts'
import { upsertIsOff, upsertSeen } from './notifications.db.ts'

/**
 * Notes until when the actor has seen each kind: the time of the newest that was shown, so that what came meanwhile stays new.
 * Returns how many are left. A fact about the actor alone, so it leaves no audit row.
 */
export async function markNotificationsSeen(
  ctx: UserCtx,
  seen: readonly { kind: NotificationKind; until: Date }[],
): Promise<number> {
  await inTransaction(ctx, async (tx) => {
    const untilOf = new Map(seen.map(({ kind, until }) => [kind, until]))
    // Nothing of the future was shown. In one order, so that two requests cannot wait for each other.
    for (const [kind, until] of [...untilOf].toSorted(([a], [b]) => a.localeCompare(b)))
      if (mayHaveNotifications(kind, tx.actor))
        await upsertSeen(tx.db, tx.actor.id, kind, new Date(Math.min(until.getTime(), tx.now.getTime())))
    await announce(tx)
  })
  return countNotifications(ctx)
}

/** Switches a kind on or off for the actor alone. A preference, so it leaves no audit row. */
export async function chooseNotifications(
  ctx: UserCtx,
  { kind, isOn }: { kind: NotificationKind; isOn: boolean },
): Promise<NotificationSetting[]> {
  if (!mayHaveNotifications(kind, ctx.actor)) throw forbidden(`notifications ${kind}`)
  await inTransaction(ctx, async (tx) => {
    await upsertIsOff(tx.db, tx.actor.id, kind, !isOn)
    await announce(tx)
  })
  return listNotificationSettings(ctx)
}

/** The other tabs of the actor count again. */
const announce = ({ db, actor }: UserCtx): Promise<void> =>
  publish(db, { kind: 'notification', userId: actor.id })
