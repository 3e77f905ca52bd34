import { isAdmin } from '../../actor.access.ts'
import type { UserActor } from '../../context.ts'
import { canCreateUploads } from '../uploads/uploads.access.ts'

/** Whether the actor may send many files at once: everybody who may create uploads. */
export const canUseBatches = (actor: UserActor): boolean => canCreateUploads(actor)

/** `created_by`: null if a program sends it. */
type Batch = { created_by: string | null }

/** Whether the actor may read the batch: its author and administrators, and of a program's all who may send files. */
export const canReadBatch = (actor: UserActor, batch: Batch): boolean =>
  canChangeBatch(actor, batch) || (canUseBatches(actor) && isAdmin(actor))

/** Whether the actor may file the groups of the batch and close it: its author, and of a program's all who may send files. */
export const canChangeBatch = (actor: UserActor, batch: Batch): boolean =>
  canUseBatches(actor) && (batch.created_by === actor.id || batch.created_by === null)

/** Whether the actor may add files to the batch: only its author. */
export const canAddToBatch = (actor: UserActor, batch: Batch): boolean =>
  canUseBatches(actor) && batch.created_by === actor.id
