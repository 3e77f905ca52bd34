import { type NotNull, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

export const selectTransfer = (db: Db, id: string) =>
  db.selectFrom('transfer').selectAll().where('id', '=', id).executeTakeFirst()

/** The transfer of a user's file to an upload, or of an integration's document. */
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
 * Allows only one transaction at a time to begin a transfer of this user or integration, so that counting and adding are one
 * step.
 */
export const lockTransfersOf = (db: Db, senderId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`transfers of ${senderId}`}, 0))`.execute(db)

/** Allows only one transaction at a time to promise space on the disk; taken after the lock of the sender. */
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

/** Counts the files that an upload has, without removed ones, or is receiving. */
export async function countFilesOf(db: Db, uploadId: string): Promise<number> {
  const { count } = await db
    .selectNoFrom((eb) =>
      eb(
        eb
          .selectFrom('transfer')
          .where('upload_id', '=', uploadId)
          .where('state', '=', 'receiving')
          .select((files) => files.fn.countAll<number>().as('count'))
          .$asScalar(),
        '+',
        eb
          .selectFrom('file')
          .where('upload_id', '=', uploadId)
          .where('removed_at', 'is', null)
          .select((files) => files.fn.countAll<number>().as('count'))
          .$asScalar(),
      ).as('count'),
    )
    .executeTakeFirstOrThrow()
  return count ?? 0
}

/** Counts the unfinished transfers of a user or an integration, with their announced bytes. */
export const countUnfinishedOf = (db: Db, column: 'user_id' | 'integration_id', senderId: string) =>
  db
    .selectFrom('transfer')
    .where(column, '=', senderId)
    .where('state', '=', 'receiving')
    .select(({ fn }) => [
      fn.countAll<number>().as('unfinished'),
      sql<number>`coalesce(sum(size), 0)::float8`.as('unfinishedBytes'),
    ])
    .executeTakeFirstOrThrow()

type NewTransfer = Pick<Transfer, 'id' | 'name' | 'size' | 'sha256'>

export const insertTransfer = (db: Db, transfer: NewTransfer & { upload_id: string; user_id: string }) =>
  db
    .insertInto('transfer')
    .values({ ...transfer, state: 'receiving' })
    .returningAll()
    .$narrowType<{ upload_id: NotNull; user_id: NotNull }>()
    .executeTakeFirstOrThrow()

/** Adds the transfer of an integration, in place of one of that id if there is one: `fileId` if its file is there already. */
export const upsertIntegrationTransfer = (
  db: Db,
  { id, ...transfer }: NewTransfer & { integration_id: string },
  fileId: string | null,
  now: Date,
) => {
  const state = fileId ? ('finished' as const) : ('receiving' as const)
  const received = fileId ? transfer.size : 0
  const values = { ...transfer, state, received, file_id: fileId, created_at: now, updated_at: now }
  return db
    .insertInto('transfer')
    .values({ id, ...values })
    .onConflict((on) => on.column('id').doUpdateSet(values))
    .returningAll()
    .$narrowType<{ integration_id: NotNull }>()
    .executeTakeFirstOrThrow()
}

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
