import type { Ctx } from '../../context.ts'
import { canReadLastUse, institutionScope } from './institutions.access.ts'
import { type InstitutionUserRow, selectInstitutionUsers } from './institutions.db.ts'

/** Returns the accounts of an institution by name; none for an institution that the actor may not read. */
export async function listInstitutionUsers(ctx: Ctx, institutionId: string): Promise<InstitutionUserRow[]> {
  const scope = institutionScope(ctx.actor)
  if (scope.kind === 'own' && !scope.ids.includes(institutionId)) return []
  return selectInstitutionUsers(ctx.db, institutionId, { withLastUse: canReadLastUse(ctx.actor) })
}
