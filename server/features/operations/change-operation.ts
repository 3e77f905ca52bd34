import type { AuditAction } from '../../../shared/audit/audit-actions.ts'
import { isAtWork, type OperationState, UNDOABLE_KINDS } from '../../../shared/uploads/operations.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalidState } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { countOf, getOperation, notUndoable } from './find-operation.ts'
import { allowsKind, isAuthor } from './operations.access.ts'
import { lockOperation, type OperationRow, updateCounts, updateState } from './operations.db.ts'

type Named = { id: string; version: number }

/** Locks an operation of the actor, who may still make its change. Throws NOT_FOUND, FORBIDDEN or CONFLICT. */
async function getOwnOperation(tx: UserCtx, { id, version }: Named): Promise<OperationRow> {
  await getOperation(tx, id)
  await lockOperation(tx.db, id)
  const operation = await getOperation(tx, id)
  if (!isAuthor(tx.actor, operation) || !allowsKind(operation.kind, tx.actor))
    throw forbidden('run operation')
  if (operation.version !== version) throw conflict('operation')
  return operation
}

async function changeState(
  tx: UserCtx,
  { id, started_at }: OperationRow,
  state: OperationState,
  action: AuditAction,
): Promise<OperationRow> {
  const times =
    state === 'running'
      ? { started_at: started_at ?? tx.now, ended_at: null }
      : { ended_at: state === 'cancelled' ? tx.now : null }
  await updateState(tx.db, id, state, times)
  await recordAudit(tx, { action, subject: { type: 'operation', id } })
  if (isAtWork(state)) await tx.services.jobs.enqueue(tx.db, 'run-operation', { operationId: id })
  return getOperation(tx, id)
}

/** Whether an operation was stopped while it changed uploads, and nothing of it was undone: the rest can follow. */
export const isContinuable = (operation: OperationRow): boolean =>
  operation.state === 'cancelled' &&
  operation.started_at !== null &&
  countOf(operation, 'undone') + countOf(operation, 'not_undone') === 0 &&
  countOf(operation, 'will_change') > 0

/**
 * Starts a planned operation, or continues one that was stopped, for its author. Throws CONFLICT if it is neither or nothing
 * would change.
 */
export const startOperation = (ctx: UserCtx, named: Named): Promise<OperationRow> =>
  inTransaction(ctx, async (tx) => {
    const operation = await getOwnOperation(tx, named)
    if (operation.kind === 'download')
      throw invalidState('a download', 'Fișierele se descarcă, operația nu se pornește.')
    if (operation.state !== 'planned' && !isContinuable(operation))
      throw invalidState('not planned', 'Operația nu așteaptă pornirea.')
    if (countOf(operation, 'will_change') === 0)
      throw invalidState('nothing to change', 'Nicio încărcare nu s-ar modifica.')
    return changeState(tx, operation, 'running', 'operation.start')
  })

/**
 * Cancels an operation that has not ended, for its author and administrators: no upload is changed after this. What was
 * changed stays, until it is undone. Throws CONFLICT if it has ended.
 */
export const cancelOperation = (ctx: UserCtx, id: string): Promise<OperationRow> =>
  inTransaction(ctx, async (tx) => {
    await getOperation(tx, id)
    await lockOperation(tx.db, id)
    const operation = await getOperation(tx, id)
    if (!isAtWork(operation.state) && operation.state !== 'planned')
      throw invalidState('ended', 'Operația s-a încheiat deja.')
    await updateCounts(tx.db, id)
    return changeState(tx, operation, 'cancelled', 'operation.cancel')
  })

/**
 * Restores the former values of the uploads that an operation has changed and nobody has since, for its author. Throws
 * CONFLICT if its kind cannot be undone, if it is still at work, or if it has changed nothing.
 */
export const undoOperation = (ctx: UserCtx, named: Named): Promise<OperationRow> =>
  inTransaction(ctx, async (tx) => {
    const operation = await getOwnOperation(tx, named)
    if (!UNDOABLE_KINDS.has(operation.kind)) throw notUndoable()
    if (operation.state !== 'done' && operation.state !== 'cancelled')
      throw invalidState('not done', 'Se anulează doar o operație încheiată sau oprită.')
    if (countOf(operation, 'changed') === 0)
      throw invalidState('nothing to undo', 'Operația nu a modificat nimic.')
    return changeState(tx, operation, 'undoing', 'operation.undo')
  })
