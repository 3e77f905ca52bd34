import { z } from 'zod'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden } from '../../errors.ts'
import { parseInput } from '../../validation.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getInstitution } from './get-institution.ts'
import { institutionSearchText, PROFILE } from './institution-profile.ts'
import { canEditOwnInstitution } from './institutions.access.ts'
import { EDITABLE, type InstitutionRow, updateInstitutionRow } from './institutions.db.ts'

const schema = z.object(PROFILE)

/**
 * An institution's user puts its own contact data and its wish for delivery right; what the house has agreed with it (name,
 * code, whether it may send files) stays as it is. An old `version` is refused.
 */
export function updateOwnInstitution(
  ctx: UserCtx,
  { id, version, profile }: { id: string; version: number; profile: unknown },
): Promise<InstitutionRow> {
  if (!canEditOwnInstitution(ctx.actor)) throw forbidden('update own institution')
  const values = parseInput(schema, profile)
  return inTransaction(ctx, async (tx) => {
    const before = await getInstitution(tx, id)
    const { name, short_name, code } = before
    const search = institutionSearchText(name, short_name, code, values.locality)
    const after = await updateInstitutionRow(tx.db, id, version, tx.now, { ...values, search })
    if (!after) throw conflict('institution')
    await recordAudit(tx, {
      action: 'institution.update',
      subject: { type: 'institution', id },
      changes: listChanges(before, after, EDITABLE),
    })
    return after
  })
}
