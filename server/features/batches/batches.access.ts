import { isAdmin } from '../../actor.access.ts'
import type { UserActor } from '../../context.ts'
import { canCreateUploads } from '../uploads/uploads.access.ts'

/** Whether the actor may send many files at once: everybody who may create uploads. */
export const canUseBatches = (actor: UserActor): boolean => canCreateUploads(actor)

type Batch = { created_by: string }

/** Whether the actor may read the batch: its author and administrators. */
export const canReadBatch = (actor: UserActor, batch: Batch): boolean =>
  canUseBatches(actor) && (batch.created_by === actor.id || isAdmin(actor))

/** Whether the actor may add files to the batch, file its groups and close it: only its author. */
export const canChangeBatch = (actor: UserActor, batch: Batch): boolean =>
  canUseBatches(actor) && batch.created_by === actor.id
