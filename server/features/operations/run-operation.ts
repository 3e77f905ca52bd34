import {
  ITEM_REASONS,
  type ItemOutcome,
  isAtWork,
  OPERATION_LIMITS,
  type OperationState,
} from '../../../shared/uploads/operations.ts'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { type Ctx, inTransaction, type SystemActor, type UserCtx } from '../../context.ts'
import { isDatabaseUnavailable } from '../../platform/database/database.ts'
import { findActorOfAccount } from '../accounts/sessions/find-actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { blockCategorySaves } from '../categories/find-category.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { findUploads, getUploadToChange } from '../uploads/find-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { changeDetail, changeUpload } from './change-upload.ts'
import { ChangedMeanwhile, explainFailure, withReason } from './explain-failure.ts'
import { notUndoable } from './find-operation.ts'
import { DETAILS, forecast, isDetailKind } from './forecast.ts'
import { allowsKind } from './operations.access.ts'
import {
  deleteOperation,
  type ItemResult,
  type ItemRow,
  isInState,
  lockItem,
  lockOperation,
  type OperationRow,
  selectBatch,
  selectOld,
  selectOperation,
  selectUnfinished,
  updateCounts,
  updateItem,
  updatePlanned,
  updateState,
} from './operations.db.ts'
import type { Parameters } from './read-parameters.ts'

/** After this time the job yields to other operations and continues as the next job. */
const SLICE_MS = 2_000
/** Uploads that are planned by one statement. */
const PLANNED_ITEMS = 200
/** Uploads that are read to be changed one by one. */
const CHANGED_ITEMS = 100

type Operation = Omit<OperationRow, 'parameters'> & { parameters: Parameters }
/** Works on items until `until`; returns whether none is left. */
type Work = (ctx: UserCtx, operation: Operation, until: number) => Promise<boolean>

const STEPS: Partial<Record<OperationState, { work: Work; next: OperationState }>> = {
  planning: { work: planItems, next: 'planned' },
  running: {
    work: (ctx, operation, until) => changeItems(ctx, operation, until, CHANGE),
    next: 'done',
  },
  undoing: {
    work: (ctx, operation, until) => changeItems(ctx, operation, until, UNDO),
    next: 'undone',
  },
}

/**
 * Continues an operation for some seconds, with its author's rights of now, and enqueues itself again until no upload
 * is left, so that several operations proceed. The transaction that changes an upload also writes what became of it:
 * after the end of a server none is changed twice. An operation whose author has lost the right ends.
 */
export async function runOperation(
  ctx: Ctx<SystemActor>,
  { operationId: id }: { operationId: string },
  sliceMs = SLICE_MS,
): Promise<void> {
  const until = Date.now() + sliceMs
  const operation = (await selectOperation(ctx.db, id)) as Operation | undefined
  const step = operation && STEPS[operation.state]
  if (!step) return
  const actor = await findActorOfAccount(ctx.db, operation.created_by)
  if (!actor || !allowsKind(operation.kind, actor)) return endOperation(ctx, id)
  const isDone = await step.work({ ...ctx, actor }, operation, until)
  await inTransaction(ctx, async (tx) => {
    await lockOperation(tx.db, id)
    await updateCounts(tx.db, id)
    const now = await selectOperation(tx.db, id)
    // Also after a stop and a continuation meanwhile, which has a job of its own.
    if (now?.version !== operation.version) return
    if (isDone)
      await updateState(tx.db, id, step.next, step.next === 'planned' ? {} : { ended_at: new Date() })
    else await tx.services.jobs.enqueue(tx.db, 'run-operation', { operationId: id })
  })
}

/** Cancels an operation whose author may not make its change any more. */
const endOperation = (ctx: Ctx<SystemActor>, id: string): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    await lockOperation(tx.db, id)
    const operation = await selectOperation(tx.db, id)
    if (!operation || !isAtWork(operation.state)) return
    await updateCounts(tx.db, id)
    await updateState(tx.db, id, 'cancelled', { ended_at: tx.now })
    await recordAudit(tx, { action: 'operation.cancel', subject: { type: 'operation', id } })
  })

async function planItems(ctx: UserCtx, operation: Operation, until: number): Promise<boolean> {
  do {
    const batch = await selectBatch(ctx.db, operation.id, 'waiting', PLANNED_ITEMS)
    if (batch.length === 0) return true
    const uploads = await findUploads(
      ctx,
      batch.flatMap(({ upload_id }) => upload_id ?? []),
    )
    const forecasts = await forecast(ctx, operation, uploads)
    const found = new Map(uploads.map((upload, at) => [upload.id, { upload, ...forecasts[at]! }]))
    const planned = batch.map(({ position, upload_id }) => {
      const { upload, changes, reason, message } = found.get(upload_id ?? '') ?? NOT_FOUND
      const outcome: ItemOutcome = changes ? 'will_change' : 'will_not'
      return { position, version: upload?.version ?? null, outcome, reason, message }
    })
    await updatePlanned(ctx.db, operation.id, planned)
  } while (Date.now() < until)
  return false
}

const NOT_FOUND = {
  upload: null,
  changes: false,
  reason: 'not-found',
  message: ITEM_REASONS['not-found'],
} as const

/** What the undo restores, and the state from which the change has taken the upload. */
type Before = { state: UploadState; value: string | null }
type ItemChange = ItemResult & { before?: string; after_version: number }

/** How an item is changed or undone, and the outcome of the items to which this is done or cannot be done. */
type Change = {
  state: OperationState
  from: ItemOutcome
  failed: ItemOutcome
  /** The version that the upload must still have. */
  versionOf(item: ItemRow): number | null
  apply(tx: UserCtx, operation: Operation, upload: UploadRow, item: ItemRow): Promise<ItemChange>
}

const CHANGE: Change = {
  state: 'running',
  from: 'will_change',
  failed: 'failed',
  versionOf: ({ version }) => version,
  apply: async (tx, operation, upload) => {
    const after = await changeUpload(tx, operation, upload)
    const value = isDetailKind(operation.kind) ? upload[DETAILS[operation.kind].column] : null
    const before: Before = { state: upload.state, value }
    const returned = isDetailKind(operation.kind) && after.state !== upload.state
    return {
      outcome: 'changed',
      ...(returned ? withReason('returns-to-review') : NO_REASON),
      before: JSON.stringify(before),
      after_version: after.version,
    }
  },
}

const UNDO: Change = {
  state: 'undoing',
  from: 'changed',
  failed: 'not_undone',
  versionOf: ({ after_version }) => after_version,
  apply: async (tx, { kind, number }, upload, item) => {
    if (!isDetailKind(kind)) throw notUndoable()
    const { state, value } = item.before as Before
    const after = await changeDetail(tx, upload, kind, value, `Anularea operației nr. ${number}`)
    const reason = after.state === state ? NO_REASON : withReason('stays-in-review')
    return { outcome: 'undone', ...reason, after_version: after.version }
  },
}

const NO_REASON = { reason: null, message: null } as const

async function changeItems(
  ctx: UserCtx,
  operation: Operation,
  until: number,
  change: Change,
): Promise<boolean> {
  for (;;) {
    const batch = await selectBatch(ctx.db, operation.id, change.from, CHANGED_ITEMS)
    if (batch.length === 0) return true
    for (const item of batch) {
      if (!(await changeItem({ ...ctx, now: new Date() }, operation, item, change))) return false
      if (Date.now() >= until) return false
    }
  }
}

/** Changes an item, or writes why it cannot be changed; returns false if the operation was cancelled meanwhile. */
async function changeItem(
  ctx: UserCtx,
  operation: Operation,
  item: ItemRow,
  change: Change,
): Promise<boolean> {
  try {
    return await inTransaction(ctx, async (tx) => {
      if (!(await isInState(tx.db, operation.id, change.state))) return false
      // Another server may have changed it.
      if (!(await lockItem(tx.db, item, change.from))) return true
      // In the order of the verbs.
      await blockCategorySaves(tx)
      await blockMerges(tx)
      const upload = await getUploadToChange(tx, item.upload_id ?? '')
      if (upload.version !== change.versionOf(item)) throw new ChangedMeanwhile()
      await updateItem(tx.db, item, change.from, await change.apply(tx, operation, upload, item))
      return true
    })
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    const why = explainFailure(ctx, item, error)
    // The state allows it, but the gate does not.
    const isHeld = operation.kind === 'release' && why.reason === 'state'
    await updateItem(ctx.db, item, change.from, {
      outcome: change.failed,
      ...why,
      ...(isHeld && { reason: 'held' as const }),
    })
    return true
  }
}

/** Enqueues the operations on which the last server worked. */
export async function resumeOperations({ db, services }: Ctx<SystemActor>): Promise<void> {
  for (const { id } of await selectUnfinished(db))
    await services.jobs.enqueue(db, 'run-operation', { operationId: id })
}

/** Deletes the operations that are too old, one by one; what they changed stays, and its audit entries. */
export async function deleteOldOperations({ db, now }: Ctx<SystemActor>): Promise<void> {
  const before = new Date(now.getTime() - OPERATION_LIMITS.days * DAY_MS)
  for (let old = await selectOld(db, before); old; old = await selectOld(db, before))
    await deleteOperation(db, old.id)
}

const DAY_MS = 24 * 60 * 60 * 1_000
