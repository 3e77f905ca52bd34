import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { batchRows } from '../../../platform/database/batcher.ts'
import { canReadDepartments, isMember } from '../institutions.access.ts'
import {
  type DepartmentRow,
  type DoctorRow,
  type MembershipRow,
  selectDepartments,
  selectDoctors,
  selectMemberships,
} from './departments.db.ts'

const departmentsOf = batchRows(
  selectDepartments,
  (institutionId: string) => institutionId,
  ({ institution_id }) => institution_id,
)

/** Returns the actor's institutions that are not suspended, by name, with the department chosen at each. */
export async function listMemberships({ actor, db }: UserCtx): Promise<MembershipRow[]> {
  if (!isMember(actor)) throw forbidden('list memberships')
  return selectMemberships(db, actor.id, actor.institutionIds)
}

/** Returns the departments of an institution that the actor has read, by name; none for those who may not read them. */
export const loadDepartments = async (
  { actor, db }: UserCtx,
  institutionId: string,
): Promise<DepartmentRow[]> => (canReadDepartments(actor) ? departmentsOf(db, institutionId) : [])

/** Returns the referring doctors of its results, likewise. */
export const loadDoctors = async ({ actor, db }: UserCtx, institutionId: string): Promise<DoctorRow[]> =>
  canReadDepartments(actor) ? selectDoctors(db, institutionId) : []
