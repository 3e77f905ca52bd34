import { type OperationKind, REVIEWER_KINDS } from '../../../shared/uploads/operations.ts'
import type { UserActor } from '../../context.ts'
import { canCreateUploads, canReview } from '../uploads/uploads.access.ts'

/** Whether the actor may plan and run operations: who may change uploads, each by the rules of the single change. */
export const canOperate = (actor: UserActor): boolean => canReview(actor) || canCreateUploads(actor)

/** Whether operations of this kind are open to the actor: only reviewers release, and return to review. */
export const allowsKind = (kind: OperationKind, actor: UserActor): boolean =>
  canOperate(actor) && (canReview(actor) || !REVIEWER_KINDS.has(kind))

/** Whether there are operations for the actor: none for institutions, whose database role cannot read the table. */
export const canHaveOperations = (actor: UserActor): boolean => actor.role !== 'institution'

type Operation = { created_by: string }

/** Whether the actor may start and undo the operation: only its author, with whose rights it runs. */
export const isAuthor = (actor: UserActor, operation: Operation): boolean =>
  canHaveOperations(actor) && operation.created_by === actor.id

/** Whether the actor may read and cancel the operation: its author and administrators. */
export const canReadOperation = (actor: UserActor, operation: Operation): boolean =>
  isAuthor(actor, operation) || canReadAllOperations(actor)

/** Whether the actor may list the operations of all users. */
export const canReadAllOperations = (actor: UserActor): boolean => actor.role === 'admin'
