import { LIMITS } from '../../../shared/limits.ts'
import { type Ctx, inTransaction, withActor, withShares } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { hashPassword } from '../accounts/credentials/password.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { queueMessage } from '../messages/queue-message.ts'
import { hashLink, newDigits } from './share-link.ts'
import { insertEvent, mayStoreMailCode, storeMailCode } from './shares.db.ts'

/**
 * Sends the code of a share to its address, for anybody with the link: at most one a minute, and `shareCodes` in all. The
 * answer is the same whether or not one was sent.
 */
export async function sendShareCode(ctx: Ctx, token: string): Promise<void> {
  const shares = withShares(withActor<Ctx['actor']>(ctx, { kind: 'anonymous' }))
  const link = hashLink(ctx, token)
  if (!(await mayStoreMailCode(shares.db, link, ctx.now))) return
  const code = newDigits(LIMITS.sharePinDigits)
  const codeHash = await hashPassword(code, ctx.request.ip)
  const until = new Date(ctx.now.getTime() + LIMITS.shareCodeMinutes * 60_000)
  await inTransaction(shares, async (tx) => {
    const stored = await storeMailCode(tx.db, link, { codeHash, until, now: tx.now })
    if (!stored?.email) return
    const { id, patient_id, email } = stored
    await queueMessage(tx, {
      to: { name: '', address: email },
      content: { kind: 'share-code', code },
      about: { type: 'share', id },
    })
    await insertEvent(tx.db, {
      id: newId(),
      share_id: id,
      session_id: null,
      kind: 'code_sent',
      at: tx.now,
      ip: tx.request.ip,
      user_agent: tx.request.userAgent,
    })
    await recordAudit(tx, {
      action: 'share.send-code',
      subject: { type: 'share', id },
      patientId: patient_id,
    })
  })
}
