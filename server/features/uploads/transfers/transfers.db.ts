import { type NotNull, sql } from 'kysely'
import type { FileKind } from '../../../../shared/uploads/files.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type Placeholders, staticQuery } from '../../../platform/database/static-query.ts'
import { notifyAll } from '../../../platform/events.ts'
import { addAuditRows } from '../../audit/record-audit.ts'
import type { UploadScope } from '../uploads.access.ts'
import { visible } from '../uploads.db.ts'

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

/** Adds the transfer of a user, in place of a cancelled one of that id. */
export const upsertTransfer = (
  db: Db,
  { id, ...transfer }: NewTransfer & { upload_id: string; user_id: string },
) =>
  db
    .insertInto('transfer')
    .values({ id, ...transfer, state: 'receiving' })
    .onConflict((on) =>
      on
        .column('id')
        .doUpdateSet({ ...transfer, state: 'receiving', received: 0, updated_at: new Date() })
        .where('transfer.state', '=', 'cancelled'),
    )
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

const uploadForFile = (db: Db, scope: UploadScope, id: string) =>
  db
    .selectFrom('upload')
    .selectAll('upload')
    .select([
      sql<Record<string, unknown> | null>`(select json_object_agg(key, value) from site_setting
        where key in ('upload_file_mib', 'upload_files'))`.as('settings'),
      sql<number>`(select coalesce(sum(size - received), 0)::float8 from transfer where state = 'receiving')`.as(
        'expected_bytes',
      ),
    ])
    .where('upload.id', '=', id)
    .where(visible(scope))
    .forUpdate('upload')

/**
 * Locks an upload until the transaction ends, and returns it with the settings of files and the bytes that all unfinished
 * transfers have announced and that have not arrived.
 */
export const lockUploadForFile = (db: Db, scope: UploadScope, id: string) =>
  uploadForFile(db, scope, id).executeTakeFirst()

type WholeFile = {
  /** Of the transfer. */
  id: string
  uploadId: string
  userId: string
  fileId: string
  name: string
  type: string
  kind: FileKind
  size: number
  sha256: Buffer
  key: string
  now: Date
  maxFiles: number
  /** Both in JSON. */
  auditRows: string
  events: string
}

const wholeFile = staticQuery((db: Db, slot: Placeholders<WholeFile>) => ({
  compile: () =>
    sql<{ is_added: boolean }>`
      with sent as (
        insert into transfer (id, upload_id, user_id, name, size, received, sha256, state, file_id, created_at, updated_at)
        select ${slot('id')}, ${slot('uploadId')}::uuid, ${slot('userId')}::uuid, ${slot('name')}, ${slot('size')}::bigint,
          ${slot('size')}::bigint, ${slot('sha256')}::bytea, 'finished', ${slot('fileId')}::uuid,
          ${slot('now')}::timestamptz, ${slot('now')}::timestamptz
        where (select count(*) from file where upload_id = ${slot('uploadId')}::uuid and removed_at is null)
          + (select count(*) from transfer where upload_id = ${slot('uploadId')}::uuid and state = 'receiving')
          < ${slot('maxFiles')}::int
        on conflict (id) do update set
          upload_id = excluded.upload_id, name = excluded.name, size = excluded.size, received = excluded.received,
          sha256 = excluded.sha256, state = excluded.state, file_id = excluded.file_id, updated_at = excluded.updated_at
          where transfer.state = 'cancelled' and transfer.user_id = excluded.user_id
        returning upload_id
      ), added as (
        insert into file (id, upload_id, position, name, type, kind, size, sha256, storage_key)
        select ${slot('fileId')}::uuid, upload_id,
          (select coalesce(max(position), 0) + 1 from file where upload_id = ${slot('uploadId')}::uuid), ${slot('name')},
          ${slot('type')}, ${slot('kind')}, ${slot('size')}::bigint, ${slot('sha256')}::bytea, ${slot('key')}
        from sent
        returning id
      ), recorded as (
        ${addAuditRows(slot('auditRows'))} where exists (select from added)
      ), notified as (
        select ${notifyAll(slot('events'))} from added
      )
      select exists (select from added) as is_added, (select count(*) from notified)`.compile(db),
}))

/**
 * Adds a file that has arrived whole, with its finished transfer, its entry of the audit log and its events; the transaction
 * has locked the upload. Returns false, and changes nothing, if the upload has its most files or the transfer exists; a cancelled
 * one of the user is replaced.
 */
export const addWholeFile = async (db: Db, file: WholeFile): Promise<boolean> =>
  (await wholeFile(db, file))[0]!.is_added
