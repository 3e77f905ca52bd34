import { LIMITS } from '../../../../shared/limits.ts'
import { type Ctx, inTransaction, type RequestInfo, type SystemActor } from '../../../context.ts'
import type { Db } from '../../../platform/database/database.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { lockUser, selectUserByEmail } from '../accounts.db.ts'
import { mayUsePassword } from '../credentials/may-use-password.ts'
import { hasLinkSince } from './account-links.db.ts'
import { createAccountLink } from './create-account-link.ts'

const MINUTE_MS = 60 * 1000

/**
 * Answers what `requestPasswordReset` put down: mails the owner of the address a link, to its stored form; who has only
 * been invited so far gets the invitation anew. Leaves a row in the journal where there is an account, `denied` where it
 * is suspended, has no password by the rules of the house or has just been sent one; nothing where there is none.
 */
export async function sendResetLink(ctx: Ctx<SystemActor>, sealed: string): Promise<void> {
  const { email, request }: { email: string; request: RequestInfo } = JSON.parse(
    ctx.services.encryption.decrypt(Buffer.from(sealed, 'base64')),
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
 * Whether a link is on its way that is hardly older than the mail takes: that is all that keeps others from filling the
 * owner's mail. A number a day would be one that they could use up, and keep the owner out with.
 */
const hasRecentResetLink = (db: Db, userId: string, now: Date): Promise<boolean> =>
  hasLinkSince(db, userId, new Date(now.getTime() - LIMITS.resetPauseMinutes * MINUTE_MS))
