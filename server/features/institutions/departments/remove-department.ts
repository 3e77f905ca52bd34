import { inTransaction, type UserCtx } from '../../../context.ts'
import { conflict } from '../../../errors.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { deleteDepartment } from './departments.db.ts'
import { getLockedDepartment } from './save-department.ts'

/**
 * Removes a department; its doctors are in none then, and who had chosen it sees all results again. Throws CONFLICT if it
 * has changed.
 */
export function removeDepartment(
  ctx: UserCtx,
  { id, version }: { id: string; version: number },
): Promise<string> {
  return inTransaction(ctx, async (tx) => {
    const { institution_id, name } = await getLockedDepartment(tx, id)
    if (!(await deleteDepartment(tx.db, id, version))) throw conflict('department')
    await recordAudit(tx, {
      action: 'department.remove',
      subject: { type: 'institution', id: institution_id },
      changes: { name: { from: name } },
    })
    return id
  })
}
