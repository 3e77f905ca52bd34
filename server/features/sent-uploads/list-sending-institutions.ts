import { LIMITS } from '../../../shared/limits.ts'
import type { UserCtx } from '../../context.ts'
import type { InstitutionRow } from '../institutions/institutions.db.ts'
import { listInstitutions } from '../institutions/list-institutions.ts'
import { canSend } from '../uploads/uploads.access.ts'

/** Returns the institutions for which the actor may send files, by name; none if there is none. */
export async function listSendingInstitutions(ctx: UserCtx): Promise<InstitutionRow[]> {
  if (!canSend(ctx.actor)) return []
  const { nodes } = await listInstitutions(ctx, { first: LIMITS.pageSizeMax })
  return nodes.filter(({ id }) => ctx.actor.sendingInstitutionIds.includes(id))
}
