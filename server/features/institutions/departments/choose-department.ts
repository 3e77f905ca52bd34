import { inTransaction, type UserCtx } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { isMember } from '../institutions.access.ts'
import {
  lockDepartments,
  type MembershipRow,
  selectDepartment,
  selectMemberships,
  updateOwnDepartment,
} from './departments.db.ts'

/**
 * Chooses the actor's own department at one of their institutions; null: none. A preference of the actor alone, so it leaves
 * no audit row. Throws NOT_FOUND for another institution, or a department of another one.
 */
export function chooseDepartment(
  ctx: UserCtx,
  { institutionId, departmentId }: { institutionId: string; departmentId: string | null },
): Promise<MembershipRow> {
  return inTransaction(ctx, async (tx) => {
    const { actor, db } = tx
    if (!isMember(actor) || !actor.institutionIds.includes(institutionId)) throw notFound('institution')
    await lockDepartments(db, institutionId)
    const department = departmentId && isId(departmentId) ? await selectDepartment(db, departmentId) : null
    if (departmentId && department?.institution_id !== institutionId) throw notFound('department')
    await updateOwnDepartment(db, actor.id, institutionId, departmentId)
    const [membership] = await selectMemberships(db, actor.id, [institutionId])
    if (!membership) throw notFound('membership')
    return membership
  })
}
