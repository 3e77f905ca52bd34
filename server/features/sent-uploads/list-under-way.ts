import { LIMITS } from '../../../shared/limits.ts'
import type { UserCtx } from '../../context.ts'
import { canReadFiles, isRecipient } from '../uploads/uploads.access.ts'
import { selectUnderWay, type UnderWayRow } from './sent-uploads.db.ts'

/**
 * Returns the examinations of a patient, whom the actor may read, that the actor's institutions have ordered and that are
 * not released yet: nothing but the day and the category of each. None for staff, who have the list of uploads.
 */
export const listUnderWay = async ({ actor, db }: UserCtx, patientId: string): Promise<UnderWayRow[]> =>
  isRecipient(actor) && canReadFiles(actor)
    ? selectUnderWay(db, { patientId, institutionIds: actor.institutionIds }, LIMITS.pageSizeMax)
    : []
