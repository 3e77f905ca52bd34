import type { UserCtx } from '../../context.ts'
import { institutionScope } from './institutions.access.ts'
import { type InstitutionUserRow, selectInstitutionUsers } from './institutions.db.ts'

/** Returns the accounts of an institution that the actor may see, by name; none for another one. */
export async function listInstitutionUsers(
  ctx: UserCtx,
  institutionId: string,
): Promise<InstitutionUserRow[]> {
  const scope = institutionScope(ctx.actor)
  if (scope.kind === 'own' && !scope.ids.includes(institutionId)) return []
  return selectInstitutionUsers(ctx.db, institutionId)
}
