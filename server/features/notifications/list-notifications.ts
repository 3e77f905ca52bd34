import { LIMITS } from '../../../shared/limits.ts'
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '../../../shared/notifications/notification-kinds.ts'
import type { UserActor, UserCtx } from '../../context.ts'
import { mayHaveNotifications } from './notifications.access.ts'
import { type OwnRow, selectOwn } from './notifications.db.ts'
import { type Notification, SOURCES } from './sources.ts'

/** The notifications of one kind: how many there are and how many the user has not seen, up to `LIMITS.shownCount`; the newest. */
export type NotificationGroup = {
  kind: NotificationKind
  count: number
  newCount: number
  items: (Notification & { isNew: boolean })[]
}
export type NotificationSetting = { kind: NotificationKind; isOn: boolean }

const kindsOf = (actor: UserActor): NotificationKind[] =>
  NOTIFICATION_KINDS.filter((kind) => mayHaveNotifications(kind, actor))

const ownOf = (rows: readonly OwnRow[], kind: NotificationKind): OwnRow | undefined =>
  rows.find((row) => row.kind === kind)

/** Returns the kinds that the actor may have, and which of them they want. */
export async function listNotificationSettings(ctx: UserCtx): Promise<NotificationSetting[]> {
  const own = await selectOwn(ctx.db, ctx.actor.id)
  return kindsOf(ctx.actor).map((kind) => ({ kind, isOn: !ownOf(own, kind)?.is_off }))
}

/** One after the other: the few connections of guests are not taken by one reader. */
async function* readKinds(ctx: UserCtx) {
  const own = await selectOwn(ctx.db, ctx.actor.id)
  for (const kind of kindsOf(ctx.actor)) {
    const mark = ownOf(own, kind)
    if (mark?.is_off) continue
    const found = await SOURCES[kind].find(ctx, LIMITS.shownCount)
    const isNew = ({ at }: Notification): boolean => !mark?.seen_until || at > mark.seen_until
    yield { kind, found, isNew, newCount: found.filter(isNew).length }
  }
}

/** Returns how many things the actor's bell has that they have not seen, up to `LIMITS.shownCount`. Writes no audit row. */
export async function countNotifications(ctx: UserCtx): Promise<number> {
  let count = 0
  for await (const { newCount } of readKinds(ctx)) count += newCount
  return Math.min(count, LIMITS.shownCount)
}

/**
 * Returns what the actor's bell has, by kind, the kind with the newest first. It names no patient and no content, so it writes no
 * audit row.
 */
export async function listNotifications(ctx: UserCtx): Promise<NotificationGroup[]> {
  const groups: NotificationGroup[] = []
  for await (const { kind, found, isNew, newCount } of readKinds(ctx)) {
    if (found.length === 0) continue
    const newest = found
      .toSorted((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, LIMITS.shownNotifications)
    const shown = (await SOURCES[kind].describe?.(ctx, newest)) ?? newest
    groups.push({
      kind,
      count: found.length,
      newCount,
      items: shown.map((item) => ({ ...item, isNew: isNew(item) })),
    })
  }
  const newestOf = ({ items }: NotificationGroup): number => items[0]?.at.getTime() ?? 0
  return groups.toSorted((a, b) => newestOf(b) - newestOf(a))
}
