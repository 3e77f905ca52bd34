import type { UserActor } from '../../context.ts'
import { canEditPatients } from '../patients/patients.access.ts'

/** Whether the actor may import patients: those who may create them. Each reads the own imports alone. */
export const canImportPatients = (actor: UserActor): boolean => canEditPatients(actor)
