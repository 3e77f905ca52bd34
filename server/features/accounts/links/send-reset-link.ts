import { LIMITS } from '../../../../shared/limits.ts'
import { type Ctx, inTransaction, type RequestOrigin, type SystemActor } from '../../../context.ts'
import type { Db } from '../../../platform/database/database.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { lockUser, selectUserByEmail } from '../accounts.db.ts'
import { mayUsePassword } from '../credentials/may-use-password.ts'
import { hasLinkSince } from './account-links.db.ts'
import { createAccountLink } from './create-account-link.ts'

const MINUTE_MS = 60 * 1000

/**
 * Handles a job queued by `requestPasswordReset`: mails the account's owner a reset link, or the invitation
 * again if the account is still invited. The audit log records `denied` if the account is suspended, may not
 * use a password or was sent a link recently. Does nothing if there is no account.
 */
export async function sendResetLink(ctx: Ctx<SystemActor>, encrypted: string): Promise<void> {
  const { email, request }: { email: string; request: RequestOrigin } = JSON.parse(
    ctx.services.encryption.decrypt(Buffer.from(encrypted, 'base64')),
  )
  await inTransaction<Ctx['actor'], void>({ ...ctx, actor: { kind: 'anonymous' }, request }, async (tx) => {
    const found = await selectUserByEmail(tx.db, email)
    const user = found && (await lockUser(tx.db, found.id))
    if (!user) return
    const isSent =
      user.effective_status !== 'suspended' &&
      (await mayUsePassword(tx.db, user.role)) &&
      !(await hasRecentResetLink(tx.db, user.id, tx.now))
    if (isSent) {
      const link = (purpose: 'invitation' | 'reset') => createAccountLink(tx, user.id, purpose)
      await queueMessage(tx, {
        to: { name: user.name, address: user.email },
        content:
          user.effective_status === 'invited'
            ? { kind: 'invitation', inviter: null, link: await link('invitation') }
            : { kind: 'reset', link: await link('reset') },
        about: { type: 'user', id: user.id },
      })
    }
    await recordAudit(tx, {
      action: 'account.ask-reset',
      subject: { type: 'user', id: user.id },
      outcome: isSent ? 'ok' : 'denied',
    })
  })
}

/**
 * Returns whether a link was created so recently that its mail may still be under way, so that others cannot
 * flood the owner's mailbox. A daily limit would let an attacker use it up and keep the owner out.
 */
const hasRecentResetLink = (db: Db, userId: string, now: Date): Promise<boolean> =>
  hasLinkSince(db, userId, new Date(now.getTime() - LIMITS.resetPauseMinutes * MINUTE_MS))
