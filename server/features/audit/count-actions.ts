import type { AuditAction } from '../../../shared/audit/audit-actions.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canCountActions, canReadWholeAuditLog } from './audit.access.ts'
import { selectActionCounts, selectActionCountsByPerson } from './audit.db.ts'

/** Days in Romania (yyyy-MM-dd), both included. */
export type Days = { from: string; to: string }

/** Returns how many entries of these actions the audit log lists for these days; undone actions count. */
export async function countActions<Action extends AuditAction>(
  ctx: UserCtx,
  actions: readonly Action[],
  days: Days,
): Promise<Record<Action, number>> {
  if (!canCountActions(ctx.actor)) throw forbidden('count actions')
  const rows = await selectActionCounts(ctx.db, actions, days)
  const countOf = (action: Action) => rows.find((row) => row.action === action)?.count ?? 0
  return Object.fromEntries(actions.map((action) => [action, countOf(action)])) as Record<Action, number>
}

/** Returns the same by account. Throws FORBIDDEN unless the actor is an administrator. */
export async function countActionsByPerson(ctx: UserCtx, actions: readonly AuditAction[], days: Days) {
  if (!canReadWholeAuditLog(ctx.actor)) throw forbidden('count actions of people')
  return selectActionCountsByPerson(ctx.db, actions, days)
}
