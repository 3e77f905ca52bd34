import { counted } from '../../../shared/romania/romanian.ts'
import {
  OPERATION_KIND_NAMES,
  OPERATION_LIMITS,
  type OperationKind,
} from '../../../shared/uploads/operations.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { requireFreshProof } from '../../fresh-proof.ts'
import { isId, newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { findFilteredUploads, findUploadNumbers, type QueueArgs } from '../uploads/list-uploads.ts'
import { allowsKind } from './operations.access.ts'
import { insertItems, insertOperation, type OperationRow, selectOperation } from './operations.db.ts'
import { readParameters } from './read-parameters.ts'

/** Exactly one of them names the uploads. */
export type Selection = {
  ids?: readonly string[] | null | undefined
  numbers?: readonly number[] | null | undefined
  filter?: Omit<QueueArgs, 'first' | 'after'> | null | undefined
}

type Selected = { id: string | null; number: number | null }

/**
 * Plans one change for many uploads, for users who may make it for one, and returns the operation: a job then finds out
 * for each upload whether it will change. The uploads are those that match now; later ones are not changed. Throws
 * BAD_USER_INPUT for none or too many.
 */
export async function planOperation(
  ctx: UserCtx,
  input: { kind: OperationKind; selection: Selection; parameters?: unknown },
): Promise<OperationRow> {
  const { kind } = input
  if (!allowsKind(kind, ctx.actor)) throw forbidden('plan operation')
  // The files leave the product's access control, as a list that is exported does.
  if (kind === 'download') requireFreshProof(ctx)
  const parameters = await readParameters(ctx, kind, input.parameters ?? {})
  const selected = await findSelected(ctx, input.selection)
  if (kind === 'download' && selected.length > OPERATION_LIMITS.downloads)
    throw tooMany(OPERATION_LIMITS.downloads)
  const id = newId()
  return inTransaction(ctx, async (tx) => {
    await insertOperation(tx.db, {
      id,
      created_by: tx.actor.id,
      kind,
      parameters: JSON.stringify(parameters),
      state: 'planning',
      total: selected.length,
      created_at: tx.now,
    })
    await insertItems(tx.db, id, selected)
    await recordAudit(tx, {
      action: 'operation.plan',
      subject: { type: 'operation', id },
      changes: { operation: { to: OPERATION_KIND_NAMES[kind] }, uploads: { to: selected.length } },
    })
    await tx.services.jobs.enqueue(tx.db, 'run-operation', { operationId: id })
    return (await selectOperation(tx.db, id))!
  })
}

const invalidSelection = (message: string) => invalid([{ field: 'selection', message }])
const tooMany = (limit: number) =>
  invalidSelection(`Sunt prea multe: cel mult ${counted(limit, 'încărcare', 'încărcări')} odată.`)

async function findSelected(ctx: UserCtx, { ids, numbers, filter }: Selection): Promise<Selected[]> {
  if ([ids, numbers, filter].filter((given) => given != null).length !== 1)
    throw invalidSelection('Alege încărcările într-un singur fel: din listă, din filtru sau după număr.')
  const selected = ids
    ? await findByIds(ctx, ids)
    : numbers
      ? await findByNumbers(ctx, numbers)
      : await findByFilter(ctx, filter!)
  if (selected.length === 0) throw invalidSelection('Nu ai ales nicio încărcare.')
  return selected
}

async function findByIds(ctx: UserCtx, ids: readonly string[]): Promise<Selected[]> {
  if (ids.length > OPERATION_LIMITS.ids) throw tooMany(OPERATION_LIMITS.ids)
  const distinct = [...new Set(ids)]
  const found = await findUploadNumbers(ctx, { ids: distinct.filter(isId) })
  const numbers = new Map(found.map(({ id, number }) => [id, number]))
  return distinct.map((id) =>
    numbers.has(id) ? { id, number: numbers.get(id)! } : { id: null, number: null },
  )
}

async function findByNumbers(ctx: UserCtx, numbers: readonly number[]): Promise<Selected[]> {
  if (numbers.length > OPERATION_LIMITS.numbers) throw tooMany(OPERATION_LIMITS.numbers)
  const distinct = [...new Set(numbers)]
  const found = await findUploadNumbers(ctx, { numbers: distinct })
  const ids = new Map(found.map(({ id, number }) => [number, id]))
  return distinct.map((number) => ({ id: ids.get(number) ?? null, number }))
}

async function findByFilter(ctx: UserCtx, filter: NonNullable<Selection['filter']>): Promise<Selected[]> {
  const found = await findFilteredUploads(ctx, filter, OPERATION_LIMITS.uploads + 1)
  if (found.length > OPERATION_LIMITS.uploads) throw tooMany(OPERATION_LIMITS.uploads)
  return found
}
