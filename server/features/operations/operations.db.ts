import { type Insertable, type SqlBool, sql } from 'kysely'
import {
  EXCEPTION_OUTCOMES,
  type ItemOutcome,
  type ItemReason,
  type OperationState,
} from '../../../shared/uploads/operations.ts'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'

const operations = (db: Db) =>
  db
    .selectFrom('operation')
    .innerJoin('app_user as author', 'author.id', 'operation.created_by')
    .selectAll('operation')
    .select('author.name as author_name')

export type OperationRow = NonNullable<Awaited<ReturnType<typeof selectOperation>>>

export const selectOperation = (db: Db, id: string) =>
  operations(db).where('operation.id', '=', id).executeTakeFirst()

/** Returns the operations of the author, or of all if it is null, the newest first. */
export const selectOperations = (
  db: Db,
  authorId: string | null,
  page: PageRequest,
): Promise<OperationRow[]> =>
  keyset(
    operations(db).$if(authorId !== null, (query) => query.where('operation.created_by', '=', authorId!)),
    { by: { 'operation.created_at': 'timestamptz', 'operation.id': 'uuid' }, direction: 'desc' },
    page,
  ).execute()

export const insertOperation = (db: Db, operation: Insertable<DB['operation']>) =>
  db.insertInto('operation').values(operation).execute()

/** How many items one statement inserts. */
const INSERTED_ITEMS = 10_000

/** Inserts the items in their order, those without an id for what was not found. */
export async function insertItems(
  db: Db,
  operationId: string,
  items: readonly { id: string | null; number: number | null }[],
): Promise<void> {
  for (let from = 0; from < items.length; from += INSERTED_ITEMS) {
    const some = items.slice(from, from + INSERTED_ITEMS)
    await sql`
      insert into operation_item (operation_id, position, upload_id, number)
      select ${operationId}::uuid, ${from}::integer + place, id, number
      from unnest(${some.map(({ id }) => id)}::uuid[], ${some.map(({ number }) => number)}::bigint[])
        with ordinality as item (id, number, place)`.execute(db)
  }
}

/** Locks the operation until the transaction ends. */
export const lockOperation = (db: Db, id: string) =>
  db.selectFrom('operation').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Whether the operation is in this state, in which it stays until the transaction ends: a user who cancels it waits for
 * the item that is being changed.
 */
export const isInState = async (db: Db, id: string, state: OperationState): Promise<boolean> =>
  (await db
    .selectFrom('operation')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', state)
    .forShare()
    .executeTakeFirst()) !== undefined

/** Changes the state of an operation that the transaction has locked. */
export const updateState = (
  db: Db,
  id: string,
  state: OperationState,
  times: { started_at?: Date; ended_at?: Date | null } = {},
) =>
  db
    .updateTable('operation')
    .set((eb) => ({ ...times, state, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Counts the items by outcome and reason. */
export const updateCounts = (db: Db, id: string) =>
  sql`
    update operation set counts = coalesce((
      select jsonb_agg(to_jsonb(counted) order by outcome, count desc, reason)
      from (
        select outcome, reason, message, count(*)::integer as count
        from operation_item where operation_id = ${id}::uuid group by 1, 2, 3) counted), '[]')
    where id = ${id}::uuid`.execute(db)

const items = (db: Db, operationId: string) =>
  db.selectFrom('operation_item').selectAll().where('operation_id', '=', operationId)

export type ItemRow = Awaited<ReturnType<typeof selectItems>>[number]

/** Returns a page of the items in their order, with `outcome` only those. */
export const selectItems = (db: Db, operationId: string, outcome: ItemOutcome | null, page: PageRequest) =>
  keyset(
    items(db, operationId).$if(outcome !== null, (query) => query.where('outcome', '=', outcome!)),
    { by: { position: 'bigint' }, direction: 'asc' },
    page,
  ).execute()

/** Returns the exceptions after a position, in order. */
export const selectExceptions = (db: Db, operationId: string, after: number, limit: number) =>
  items(db, operationId)
    .where('outcome', 'in', EXCEPTION_OUTCOMES)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()

/** Returns the first items with this outcome. */
export const selectBatch = (db: Db, operationId: string, outcome: ItemOutcome, limit: number) =>
  items(db, operationId).where('outcome', '=', outcome).orderBy('position').limit(limit).execute()

/** Returns the items of a download that can be downloaded, in order: at most OPERATION_LIMITS.downloads. */
export const selectToDownload = (db: Db, operationId: string) =>
  items(db, operationId).where('outcome', 'in', ['will_change', 'changed']).orderBy('position').execute()

/** Returns the size of the files of what can be downloaded. */
export const sumBytes = async (db: Db, operationId: string): Promise<number> => {
  const { bytes } = await db
    .selectFrom('operation_item as item')
    .innerJoin('file', 'file.upload_id', 'item.upload_id')
    .select(sql<number>`coalesce(sum(file.size), 0)::float8`.as('bytes'))
    .where('item.operation_id', '=', operationId)
    .where('item.outcome', 'in', ['will_change', 'changed'])
    .where('file.removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return bytes
}

/** Locks an item until the transaction ends, if it still has this outcome. */
export const lockItem = (
  db: Db,
  { operation_id, position }: Pick<ItemRow, 'operation_id' | 'position'>,
  outcome: ItemOutcome,
) =>
  items(db, operation_id)
    .where('position', '=', position)
    .where('outcome', '=', outcome)
    .forUpdate()
    .executeTakeFirst()

export type ItemResult = {
  outcome: ItemOutcome
  reason: ItemReason | null
  message: string | null
}

/** Writes what became of an item, unless it has no longer the outcome `from`. */
export const updateItem = (
  db: Db,
  { operation_id, position }: Pick<ItemRow, 'operation_id' | 'position'>,
  from: ItemOutcome,
  result: ItemResult & { before?: string; after_version?: number },
) =>
  db
    .updateTable('operation_item')
    .set(result)
    .where('operation_id', '=', operation_id)
    .where('position', '=', position)
    .where('outcome', '=', from)
    .execute()

/** Writes the plan of items that wait for it. */
export const updatePlanned = (
  db: Db,
  operationId: string,
  planned: readonly (ItemResult & { position: number; version: number | null })[],
) =>
  sql`
    update operation_item item
    set outcome = planned.outcome, reason = planned.reason, message = planned.message, version = planned.version
    from unnest(
      ${planned.map(({ position }) => position)}::integer[], ${planned.map(({ version }) => version)}::integer[],
      ${planned.map(({ outcome }) => outcome)}::text[], ${planned.map(({ reason }) => reason)}::text[],
      ${planned.map(({ message }) => message)}::text[]) as planned (position, version, outcome, reason, message)
    where item.operation_id = ${operationId}::uuid and item.position = planned.position and item.outcome = 'waiting'`.execute(
    db,
  )

/** Returns the open referrals of the patients. */
export const selectOpenReferrals = (db: Db, patientIds: readonly string[]) =>
  db
    .selectFrom('referral')
    .select(['patient_id', 'institution_id'])
    .where(sql<SqlBool>`patient_id = any(${patientIds}::uuid[])`)
    .where('ended_at', 'is', null)
    .execute()

/** Returns the operations on which a job works. */
export const selectUnfinished = (db: Db) =>
  db.selectFrom('operation').select('id').where('state', 'in', ['planning', 'running', 'undoing']).execute()

/** Returns the oldest operation from before `before` on which no job works. */
export const selectOld = (db: Db, before: Date) =>
  db
    .selectFrom('operation')
    .select('id')
    .where('created_at', '<', before)
    .where('state', 'not in', ['planning', 'running', 'undoing'])
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()

export const deleteOperation = (db: Db, id: string) =>
  db.deleteFrom('operation').where('id', '=', id).execute()
