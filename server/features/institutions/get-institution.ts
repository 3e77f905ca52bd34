import type { Ctx } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { institutionScope } from './institutions.access.ts'
import { type InstitutionRow, selectInstitution } from './institutions.db.ts'

/**
 * Returns the institution. Throws NOT_FOUND if the actor may not read it or the id is unknown. Writes no
 * audit row.
 */
export async function getInstitution(ctx: Ctx, id: string): Promise<InstitutionRow> {
  const found = isId(id) ? await selectInstitution(ctx.db, institutionScope(ctx.actor), id) : undefined
  if (!found) throw notFound('institution')
  return found
}

/**
 * Returns the institution for a new referral or upload. Throws like `getInstitution`, and BAD_USER_INPUT if
 * suspended.
 */
export async function getOpenInstitution(ctx: Ctx, id: string): Promise<InstitutionRow> {
  const found = await getInstitution(ctx, id)
  if (found.suspended_at === null) return found
  throw invalid([
    {
      field: 'institutionId',
      message: 'Instituția este suspendată: pentru ea nu se mai adaugă trimiteri și rezultate.',
    },
  ])
}
