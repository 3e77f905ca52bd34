import { sql } from 'kysely'
import type { NotificationKind } from '../../../shared/notifications/notification-kinds.ts'
import type { Db } from '../../platform/database/database.ts'

/** Returns what a user has seen and has switched off; kinds without a row are on, and nothing of them was seen. */
export const selectOwn = (db: Db, userId: string) =>
  db
    .selectFrom('user_notification')
    .select(['kind', 'seen_until', 'is_off'])
    .where('user_id', '=', userId)
    .execute()
export type OwnRow = Awaited<ReturnType<typeof selectOwn>>[number]

/** Notes until when the user has seen a kind; never earlier than noted before. */
export const upsertSeen = (db: Db, userId: string, kind: NotificationKind, until: Date) =>
  db
    .insertInto('user_notification')
    .values({ user_id: userId, kind, seen_until: until })
    .onConflict((on) =>
      on.columns(['user_id', 'kind']).doUpdateSet({
        seen_until: sql<Date>`greatest(user_notification.seen_until, excluded.seen_until)`,
      }),
    )
    .execute()

export const upsertIsOff = (db: Db, userId: string, kind: NotificationKind, isOff: boolean) =>
  db
    .insertInto('user_notification')
    .values({ user_id: userId, kind, is_off: isOff })
    .onConflict((on) => on.columns(['user_id', 'kind']).doUpdateSet({ is_off: isOff }))
    .execute()
