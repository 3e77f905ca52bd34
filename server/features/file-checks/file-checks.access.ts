import type { UserActor } from '../../context.ts'
import { canReview, isOwn } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'

/** Whether the actor sees what was read in files before their check: the upload's author and reviewers. */
export const canReadFileChecks = (actor: UserActor, upload: UploadRow): boolean =>
  isOwn(actor, upload) || canReview(actor)
