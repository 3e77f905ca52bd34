import type { UserActor } from '../../context.ts'
import { canReadWholeAuditLog } from '../audit/audit.access.ts'
import { canReadFiles } from '../uploads/uploads.access.ts'

/** Whether the actor may export everything about a patient: administrators, who read who has seen it, with the files of patients. */
export const canExportPatientRecords = (actor: UserActor): boolean =>
  canReadWholeAuditLog(actor) && canReadFiles(actor)
