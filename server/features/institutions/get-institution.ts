import type { Ctx } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { institutionScope } from './institutions.access.ts'
import { type InstitutionRow, selectInstitution } from './institutions.db.ts'

/** The institution, for whoever may see it; anybody else, and an unknown id, get the same refusal. Leaves no trace. */
export async function getInstitution(ctx: Ctx, id: string): Promise<InstitutionRow> {
  const found = isId(id) ? await selectInstitution(ctx.db, institutionScope(ctx.actor), id) : undefined
  if (!found) throw notFound('institution')
  return found
}

/** The same for something new, named by the input `institutionId`: nothing is entered for an institution while it is suspended. */
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
