import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

export const selectTransfer = (db: Db, id: string) =>
  db.selectFrom('transfer').selectAll().where('id', '=', id).executeTakeFirst()

export type Transfer = NonNullable<Awaited<ReturnType<typeof selectTransfer>>>

/** Returns the row of an unfinished transfer, locked until the transaction ends. */
export const lockReceiving = (db: Db, id: string) =>
  db
    .selectFrom('transfer')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .forUpdate()
    .executeTakeFirst()

/**
 * Allows only one transaction at a time to begin a transfer of this user, so that counting and adding are one
 * step.
 */
export const lockUserUploads = (db: Db, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`transfers of ${userId}`}, 0))`.execute(db)

/** Allows only one transaction at a time to promise space on the disk; taken after the lock of the user. */
export const lockSpace = (db: Db) =>
  sql`select pg_advisory_xact_lock(hashtextextended('space of transfers', 0))`.execute(db)

/** Sums the bytes that all unfinished transfers have announced and that have not arrived. */
export async function selectExpectedBytes(db: Db): Promise<number> {
  const { bytes } = await db
    .selectFrom('transfer')
    .where('state', '=', 'receiving')
    .select(sql<number>`coalesce(sum(size - received), 0)::float8`.as('bytes'))
    .executeTakeFirstOrThrow()
  return bytes
}

/** Counts the files that an upload has, without removed ones, or is receiving, and the user's unfinished transfers to any upload, with
 * their announced bytes. */
export const countTransfers = (db: Db, uploadId: string, userId: string) =>
  db
    .selectNoFrom((eb) => [
      eb(
        eb
          .selectFrom('transfer')
          .where('upload_id', '=', uploadId)
          .where('state', '=', 'receiving')
          .select((count) => count.fn.countAll<number>().as('count'))
          .$asScalar(),
        '+',
        eb
          .selectFrom('file')
          .where('upload_id', '=', uploadId)
          .where('removed_at', 'is', null)
          .select((count) => count.fn.countAll<number>().as('count'))
          .$asScalar(),
      ).as('ofUpload'),
      eb
        .selectFrom('transfer')
        .where('user_id', '=', userId)
        .where('state', '=', 'receiving')
        .select((count) => count.fn.countAll<number>().as('count'))
        .$asScalar()
        .as('unfinished'),
      eb
        .selectFrom('transfer')
        .where('user_id', '=', userId)
        .where('state', '=', 'receiving')
        .select(sql<number>`coalesce(sum(size), 0)::float8`.as('bytes'))
        .$asScalar()
        .as('unfinishedBytes'),
    ])
    .executeTakeFirstOrThrow()

export const insertTransfer = (
  db: Db,
  transfer: { id: string; upload_id: string; user_id: string; name: string; size: number; sha256: Buffer },
) =>
  db
    .insertInto('transfer')
    .values({ ...transfer, state: 'receiving' })
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * Saves the number of bytes received; false if it is no longer `from`, because another request changed it.
 */
export const updateReceived = async (
  db: Db,
  id: string,
  from: number,
  to: number,
  now: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('transfer')
    .set({ received: to, updated_at: now })
    .where('id', '=', id)
    .where('received', '=', from)
    .where('state', '=', 'receiving')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const updateFinished = (db: Db, id: string, size: number, fileId: string, now: Date) =>
  db
    .updateTable('transfer')
    .set({ state: 'finished', received: size, file_id: fileId, updated_at: now })
    .where('id', '=', id)
    .execute()

/** Cancels an unfinished transfer, without activity since `before` if given; false if there is none. */
export const updateCancelled = async (db: Db, id: string, now: Date, before?: Date): Promise<boolean> => {
  let query = db
    .updateTable('transfer')
    .set({ state: 'cancelled', updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'receiving')
  if (before) query = query.where('updated_at', '<', before)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

export const selectStaleTransfers = (db: Db, before: Date) =>
  db
    .selectFrom('transfer')
    .select('id')
    .where('state', '=', 'receiving')
    .where('updated_at', '<', before)
    .execute()

export const selectReceivingAmong = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('transfer')
    .select('id')
    .where('state', '=', 'receiving')
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
