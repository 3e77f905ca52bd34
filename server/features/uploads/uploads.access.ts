import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { isFinal } from '../../../shared/uploads/upload-states.ts'
import { isSender } from '../../actor.access.ts'
import type { Actor, UserActor } from '../../context.ts'

export type UploadScope =
  | { kind: 'all' }
  | { kind: 'none' }
  | { kind: 'review'; userId: string }
  | { kind: 'staff'; userId: string }
  | { kind: 'released-to'; institutionIds: readonly string[] }
  | { kind: 'sent'; userId: string; institutionIds: readonly string[] }

/**
 * Which uploads an actor may read: reviewers all; other staff those with a patient and their own; an institution's user
 * the uploads released to its institutions before the institution's referral of the patient ended. Without the feature
 * `patient::files`, reviewers read those in review, those with a verdict of theirs and their own; all others none
 * [3.2].
 */
export function uploadScope(actor: Actor): UploadScope {
  if (actor.kind === 'system') return { kind: 'all' }
  if (actor.kind !== 'user') return { kind: 'none' }
  if (!canReadFiles(actor)) return canReview(actor) ? { kind: 'review', userId: actor.id } : { kind: 'none' }
  if (canReview(actor)) return { kind: 'all' }
  if (actor.role === 'institution') return { kind: 'released-to', institutionIds: actor.institutionIds }
  return { kind: 'staff', userId: actor.id }
}

/**
 * Which uploads an actor may change: those that they may read, a user of an institution those that they have sent
 * themselves for an institution that may send files. The rules below decide about the change.
 */
export const scopeToChange = (actor: Actor): UploadScope =>
  actor.kind === 'user' && actor.role === 'institution' ? sentScope(actor) : uploadScope(actor)

/** Which uploads a user of an institution has sent, for institutions that may still send files; no others'. */
export const sentScope = (actor: UserActor): UploadScope =>
  canSend(actor)
    ? { kind: 'sent', userId: actor.id, institutionIds: actor.sendingInstitutionIds }
    : { kind: 'none' }

type Upload = {
  state: UploadState
  /** The person who filed it, or began it; null: a program has sent it, and no person has filed it. */
  created_by: string | null
  patient_id: string | null
  /** When it was last released for this patient. */
  released_at?: Date | null
  /** The institution whose user has sent it; null: staff or a program have. */
  sender_institution_id?: string | null
  institution_id?: string | null
}

/** Whether the actor's opening of a result counts: it marks the result as read for an institution's user. */
export const isRecipient = (actor: UserActor): boolean => actor.role === 'institution'

/**
 * Whether the actor may read and send files of patients [3.2]. Reviewers without this permission keep what a
 * review needs: the uploads in review, those with a verdict of theirs and their own.
 */
export const canReadFiles = (actor: UserActor): boolean => actor.features.has('patient::files')

/**
 * Whether the actor sees small pictures of the files in lists. An institution's user does not: each look at a result
 * is recorded for them.
 */
export const canSeeThumbnails = (actor: UserActor): boolean => actor.role !== 'institution'

/** Whether the actor may read the review queue and give verdicts. */
export const canReview = (actor: UserActor): boolean => actor.features.has('admin::review-files')

/**
 * Whether the actor may read and acknowledge which results, opened by users of their institutions, were withdrawn or
 * replaced.
 */
export const canAcknowledgeRecalls = (actor: UserActor): boolean =>
  actor.role === 'institution' && canReadFiles(actor)

/** Whether the actor may read which institutions had opened an upload that was withdrawn or replaced. */
export const canReadRecalls = (actor: UserActor): boolean => actor.role === 'admin' || canReview(actor)

/** Whether the actor may list what was released to any institution, with figures: only staff. */
export const canReadInstitutionResults = (actor: UserActor): boolean =>
  actor.role !== 'institution' && canReadFiles(actor)

/** Whether the actor is a user of an institution that may send files. */
export const canSend = (actor: UserActor): boolean => isSender(actor) && canReadFiles(actor)

/** Whether the actor may send the bytes of files. */
export const canTransfer = (actor: UserActor): boolean => canCreateUploads(actor) || canSend(actor)

/** Whether the actor may create uploads for any patient; users of institutions send files for their own (`canSend`). */
export const canCreateUploads = (actor: UserActor): boolean =>
  actor.role !== 'institution' && canReadFiles(actor)

/**
 * Whether the actor may add files: only the upload's author, until it is submitted, and after a rejection. A draft that a
 * program has sent takes none of a person: it may go to review in the name of the program.
 */
export const canAddFiles = (actor: UserActor, upload: Upload): boolean =>
  canSubmit(actor, upload) && (upload.created_by !== null || upload.state === 'rejected')

/**
 * Whether the actor may preview files of the upload that were read but not checked: only its author, of the staff, until it is
 * submitted. Users of institutions get no bytes before the release, also of what they have sent.
 */
export const canPreviewDraft = (actor: UserActor, upload: Upload): boolean =>
  canCreateUploads(actor) && isOwn(actor, upload) && upload.state === 'receiving'

/** Whether files are added to the upload: until it is submitted, and after a rejection. */
export const takesFiles = ({ state }: Pick<Upload, 'state'>): boolean =>
  state === 'receiving' || state === 'rejected'

/**
 * Whether the actor may submit the upload: only its author, the first time or after a rejection. A user of an institution
 * sends what was rejected anew.
 */
export const canSubmit = (actor: UserActor, upload: Upload): boolean =>
  isOwn(actor, upload) && takesFiles(upload) && (upload.state === 'receiving' || !canSend(actor))

/**
 * Whether the actor may withdraw the upload: its author before submission; its author or a reviewer after the
 * check, until the release; only a reviewer after the release, and for a user of an institution after any release, or once
 * staff have given it to another institution.
 */
export const canWithdraw = (actor: UserActor, upload: Upload): boolean =>
  canSubmit(actor, upload) ||
  (upload.state === 'receiving' && upload.created_by === actor.id && canReview(actor)) ||
  (WITHDRAWABLE.has(upload.state) &&
    ((isOwn(actor, upload) && !(canSend(actor) && hasLeftSender(upload))) || canReview(actor))) ||
  (upload.state === 'released' && canReview(actor))

/** Whether an upload of an institution's user is no longer the sender's alone: released before, or of another institution. */
const hasLeftSender = (upload: Upload): boolean =>
  wasReleased(upload) || upload.institution_id !== upload.sender_institution_id

/**
 * Whether the actor may move an upload, which is of another patient, to that patient after its verdict: only a
 * reviewer, if it is released, also after a correction has returned it to review, or if it is withdrawn or replaced.
 */
export const canMoveReleased = (actor: UserActor, upload: Upload): boolean =>
  canReview(actor) &&
  (upload.state === 'released' ||
    (RETURNED.has(upload.state) && wasReleased(upload)) ||
    (isFinal(upload.state) && upload.patient_id !== null))

/** Whether the patient's institution could see the upload, and may have opened it. */
export const wasReleased = ({ state, released_at }: Upload): boolean =>
  state === 'released' || released_at instanceof Date

/** When it was last released; of one that was released before this was kept, since when it is in its state. */
export const releaseTimeOf = ({
  released_at,
  state_since,
}: {
  released_at: Date | null
  state_since: Date
}): Date => released_at ?? state_since

/**
 * Whether the actor may change the upload's details, such as patient or category: its author or a reviewer,
 * before submission, while it is unassigned or in review, or after a rejection; a user of an institution only before
 * submission.
 */
export const canEditUpload = (actor: UserActor, upload: Upload): boolean =>
  EDITABLE.has(upload.state) &&
  (canReview(actor) || (isOwn(actor, upload) && (upload.state === 'receiving' || !canSend(actor))))

/** Whether the actor may give a verdict on the upload; `canAccept` decides whether it may be an acceptance. */
export const canDecide = (actor: UserActor, upload: Upload): boolean =>
  canReview(actor) && upload.state === 'in_review' && upload.patient_id !== null

/**
 * Whether the actor may accept the upload: never its author, unless the site's setting `self_review` is on.
 * The author may still reject it.
 */
export const canAccept = (actor: UserActor, upload: Upload): boolean =>
  canDecide(actor, upload) && (upload.created_by !== actor.id || actor.mayAcceptOwn)

/**
 * Whether the actor may remove files of any upload that is checked. Like all other changes of files, it also
 * requires the feature `patient::files`.
 */
export const canRemoveSomeFiles = (actor: UserActor): boolean =>
  actor.role !== 'institution' && canReadFiles(actor) && actor.features.has('admin::remove-files')

/** Whether the actor may remove and restore single files of the upload; its author after a rejection too. */
export const canRemoveFiles = (actor: UserActor, upload: Upload): boolean =>
  (canRemoveSomeFiles(actor) && upload.state !== 'receiving' && upload.state !== 'checking') ||
  (upload.state === 'rejected' && canCreateUploads(actor) && isOwn(actor, upload))

/** Whether the actor may read which files were removed: also reviewers, who see what changed since their verdict. */
export const canReadRemovedFiles = (actor: UserActor, upload: Upload): boolean =>
  canRemoveFiles(actor, upload) || (canReview(actor) && canReadFiles(actor))

/** Whether the actor may release an accepted upload or return it to review. */
export const canDecideRelease = (actor: UserActor, upload: Upload): boolean =>
  canReview(actor) && upload.state === 'accepted'

/** Whether the actor may correct the details of an upload that is accepted, or that was released. */
export const canCorrect = (actor: UserActor, upload: Upload): boolean =>
  canReview(actor) &&
  (upload.state === 'accepted' ||
    upload.state === 'released' ||
    (RETURNED.has(upload.state) && wasReleased(upload)))

/** Whether the actor may file a new version of the upload, which takes its place once it is released. */
export const canReplace = (actor: UserActor, upload: Upload): boolean =>
  canCreateUploads(actor) && upload.state === 'released'

const WITHDRAWABLE: ReadonlySet<UploadState> = new Set([
  'unassigned',
  'in_review',
  'accepted',
  'rejected',
  'quarantined',
])
/** The states that a released upload comes to by a correction, and by the verdicts after it. */
const RETURNED: ReadonlySet<UploadState> = new Set(['in_review', 'accepted', 'rejected'])
const EDITABLE: ReadonlySet<UploadState> = new Set(['receiving', 'unassigned', 'in_review', 'rejected'])

/**
 * Whether the actor may still create uploads, and is the upload's author or may become it, since a program has sent it and
 * no person has filed it; of a user of an institution, whether they have sent it for an institution that may still send files.
 */
export const isOwn = (actor: UserActor, upload: Upload): boolean =>
  (canCreateUploads(actor) &&
    (upload.created_by === actor.id || (upload.created_by === null && takesFiles(upload)))) ||
  (canSend(actor) &&
    upload.created_by === actor.id &&
    actor.sendingInstitutionIds.some((id) => id === upload.sender_institution_id))

/** Returns the id of the author, or of the integration that has sent the upload, by which jobs are shared fairly. */
export const authorIdOf = ({
  created_by,
  integration_id,
}: {
  created_by: string | null
  integration_id: string | null
}): string => (created_by ?? integration_id)!
