import type { UserActor } from '../../context.ts'
import { canEditPatients } from '../patients/patients.access.ts'
import { canReadFiles } from '../uploads/uploads.access.ts'

/**
 * Whether the actor may merge patients and undo merges: staff who read patients' files, since a merge decides
 * whose results these are.
 */
export const canMergePatients = (actor: UserActor): boolean => canEditPatients(actor) && canReadFiles(actor)
