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
 * Changes the contact data and the delivery of the actor's own institution; name, code and permission to
 * upload, which the organisation decides, stay. Throws CONFLICT if `version` is not the current one.
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
