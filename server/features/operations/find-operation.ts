import type { ItemOutcome } from '../../../shared/uploads/operations.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden, invalidState, notFound } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { isId } from '../../platform/ids.ts'
import { canHaveOperations, canReadAllOperations, canReadOperation } from './operations.access.ts'
import {
  type ItemRow,
  type OperationRow,
  selectItems,
  selectOperation,
  selectOperations,
} from './operations.db.ts'

/** Returns the operation. Throws NOT_FOUND unless the actor is its author or an administrator. */
export async function getOperation({ actor, db }: UserCtx, id: string): Promise<OperationRow> {
  const operation = isId(id) && canHaveOperations(actor) ? await selectOperation(db, id) : undefined
  if (!operation || !canReadOperation(actor, operation)) throw notFound('operation')
  return operation
}

/** Returns the actor's operations, with `all` those of all users for administrators, the newest first. */
export async function listOperations(
  { actor, db }: UserCtx,
  { all, ...args }: PageArgs & { all?: boolean | null | undefined },
): Promise<Page<OperationRow>> {
  if (all && !canReadAllOperations(actor)) throw forbidden('list all operations')
  const request = parsePage(args)
  const rows = await selectOperations(db, all ? null : actor.id, request)
  return toPage(rows, request, ({ created_at, id }) => [created_at.toISOString(), id])
}

/** Returns the items of an operation that the actor may read, with `outcome` only those. */
export async function listItems(
  { db }: UserCtx,
  { id }: OperationRow,
  { outcome, ...args }: PageArgs & { outcome?: ItemOutcome | null | undefined },
): Promise<Page<ItemRow>> {
  const request = parsePage(args)
  const rows = await selectItems(db, id, outcome ?? null, request)
  return toPage(rows, request, ({ position }) => [String(position), id])
}

/** How many items had an outcome, and a reason, when they were last counted. */
export type ItemCount = { outcome: ItemOutcome; reason: string | null; message: string | null; count: number }

export const countsOf = ({ counts }: OperationRow): ItemCount[] => counts as ItemCount[]

/** How many items had this outcome when they were last counted. */
export const countOf = (operation: OperationRow, outcome: ItemOutcome): number =>
  countsOf(operation)
    .filter((counted) => counted.outcome === outcome)
    .reduce((sum, { count }) => sum + count, 0)

/** An error for an operation whose kind cannot be undone. */
export const notUndoable = (): Error => invalidState('not undoable', 'Această operație nu se anulează.')
