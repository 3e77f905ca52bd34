import type { UploadState } from '../../../shared/uploads/upload-states.ts'
import type { Actor, UserActor } from '../../context.ts'

/**
 * Which uploads an actor may see. Reviewers and admins: all. Other staff: those of a patient, and their own. An
 * institution's user: the released ones that one of its institutions ordered, of patients referred to it.
 */
export type UploadScope =
  | { kind: 'all' }
  | { kind: 'staff'; userId: string }
  | { kind: 'released-to'; institutionIds: readonly string[] }

export function uploadScope(actor: Actor): UploadScope {
  if (actor.kind === 'system') return { kind: 'all' }
  if (actor.kind !== 'user') return { kind: 'released-to', institutionIds: [] }
  if (actor.role === 'institution') return { kind: 'released-to', institutionIds: actor.institutionIds }
  return canReview(actor) ? { kind: 'all' } : { kind: 'staff', userId: actor.id }
}

type Upload = { state: UploadState; created_by: string; patient_id: string | null }

/** The opening of a result by an institution's user is recorded: the result is no longer unread. */
export const isRecipient = (actor: UserActor): boolean => actor.role === 'institution'

/** Notes, verdicts and policies are for the organisation's own people. */
export const canReadInternalNotes = (actor: UserActor): boolean => actor.role !== 'institution'

/** The review queue and its verdicts. */
export const canReview = (actor: UserActor): boolean => actor.features.has('admin::review-files')

/** Staff file results; institutions' own sending comes with its screen. */
export const canCreateUploads = (actor: UserActor): boolean => actor.role !== 'institution'

/** Whoever began an upload adds its files, as long as it has not been handed in. */
export const canAddFiles = (actor: UserActor, upload: Upload): boolean =>
  canCreateUploads(actor) && upload.created_by === actor.id && upload.state === 'receiving'

/** Handed in once its files are there; handed in again after a rejection, with its facts put right. */
export const canSubmit = (actor: UserActor, upload: Upload): boolean =>
  canAddFiles(actor, upload) || (upload.state === 'rejected' && isOwn(actor, upload))

/** Its author until it is out and after a rejection; a reviewer also what was released by mistake. */
export const canWithdraw = (actor: UserActor, upload: Upload): boolean =>
  canAddFiles(actor, upload) ||
  (WITHDRAWABLE.has(upload.state) && (isOwn(actor, upload) || canReview(actor))) ||
  (upload.state === 'released' && canReview(actor))

/** Patient, category and the like may change as long as no verdict stands. */
export const canEditUpload = (actor: UserActor, upload: Upload): boolean =>
  EDITABLE.has(upload.state) && (isOwn(actor, upload) || canReview(actor))

export const canDecide = (actor: UserActor, upload: Upload): boolean =>
  canReview(actor) && upload.state === 'in_review' && upload.patient_id !== null

/** Whether the actor removes files at all; of which uploads, `canRemoveFiles` decides. */
export const canRemoveSomeFiles = (actor: UserActor): boolean =>
  actor.role !== 'institution' && actor.features.has('admin::remove-files')

/** Takes single files out of an upload and puts them back. */
export const canRemoveFiles = (actor: UserActor, upload: Upload): boolean =>
  canRemoveSomeFiles(actor) && upload.state !== 'receiving' && upload.state !== 'checking'

/** What was accepted and waits to be released: now after all, or back to review. */
export const canRelease = (actor: UserActor, upload: Upload): boolean =>
  canReview(actor) && upload.state === 'accepted'

const WITHDRAWABLE: ReadonlySet<UploadState> = new Set([
  'unassigned',
  'in_review',
  'accepted',
  'rejected',
  'quarantined',
])
const EDITABLE: ReadonlySet<UploadState> = new Set(['receiving', 'unassigned', 'in_review', 'rejected'])

const isOwn = (actor: UserActor, upload: Upload): boolean =>
  canCreateUploads(actor) && upload.created_by === actor.id
