import { LIMITS } from '../../../shared/limits.ts'
import { inTransaction, type UserCtx, withSending } from '../../context.ts'
import { forbidden, UserError } from '../../errors.ts'
import { blockCategorySaves } from '../categories/find-category.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { addDraft } from '../uploads/create-upload.ts'
import { canSend } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { readSentInput, type SentInput } from './sent-input.ts'
import { countDrafts } from './sent-uploads.db.ts'

/**
 * Begins an upload that a user of an institution sends, for a patient of the institution or without one. Throws TOO_MANY while
 * the user has too many that they have not submitted.
 */
export async function createSentUpload(ctx: UserCtx, input: SentInput): Promise<UploadRow> {
  const { actor } = ctx
  if (!canSend(actor)) throw forbidden('create sent upload')
  return inTransaction(withSending(ctx), async (tx) => {
    await blockCategorySaves(tx)
    await blockMerges(tx)
    const values = await readSentInput(tx, input)
    const sender = { userId: actor.id, institutionIds: actor.sendingInstitutionIds }
    if ((await countDrafts(tx.db, sender)) >= LIMITS.sentDrafts)
      throw new UserError(
        'TOO_MANY',
        'too many drafts',
        'Sunt prea multe trimiteri începute. Încheiați-le sau anulați-le, apoi încercați din nou.',
      )
    return addDraft(tx, { ...values, sender_institution_id: input.institutionId })
  })
}
