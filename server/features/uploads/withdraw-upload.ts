import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { getUpload, getUploadToChange } from './find-upload.ts'
import { moveUpload } from './move-upload.ts'
import { canWithdraw } from './uploads.access.ts'
import type { UploadRow } from './uploads.db.ts'

/**
 * Its author or a reviewer takes an upload back, a reviewer also one that is out already: from now on nobody outside sees
 * it. Its files stay where they are, and so does the record of who opened them.
 */
export async function withdrawUpload(ctx: UserCtx, id: string): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    const upload = await getUploadToChange(tx, id)
    if (!canWithdraw(tx.actor, upload)) throw forbidden('withdraw upload')
    await moveUpload(tx, id, 'withdrawn', 'upload.withdraw')
    return getUpload(tx, id)
  })
}
