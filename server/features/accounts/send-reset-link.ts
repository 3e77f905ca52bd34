import { LIMITS } from '../../../shared/limits.ts'
import { type Ctx, inTransaction, type RequestFacts, type SystemActor } from '../../context.ts'
import type { Db } from '../../platform/database.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { queueMessage } from '../messages/queue-message.ts'
import { lockAccountLinks, selectLinkTimes } from './account-links.db.ts'
import { selectUserByEmail } from './accounts.db.ts'
import { createAccountLink } from './create-account-link.ts'
import { mayUsePassword } from './may-use-password.ts'

const MINUTE = 60 * 1000

/**
 * Answers what `requestPasswordReset` put down: mails the owner of the address a link, to its stored form; who has only
 * been invited so far gets the invitation anew. Leaves a row in the journal where there is an account, `denied` where it
 * is suspended, has no password by the rules of the house or has been sent enough of them lately; nothing where there is none.
 */
export async function sendResetLink(ctx: Ctx<SystemActor>, sealed: string): Promise<void> {
  const { email, request }: { email: string; request: RequestFacts } = JSON.parse(
    ctx.seals.open(Buffer.from(sealed, 'base64')),
  )
  await inTransaction<Ctx['actor'], void>({ ...ctx, actor: { kind: 'anonymous' }, request }, async (tx) => {
    const user = await selectUserByEmail(tx.db, email)
    if (!user) return
    await lockAccountLinks(tx.db, user.id)
    const isSent =
      user.status !== 'suspended' &&
      (await mayUsePassword(tx.db, user.role)) &&
      !(await hasHadEnough(tx.db, user.id, tx.now))
    if (isSent) {
      const link = (purpose: 'invitation' | 'reset') => createAccountLink(tx, user.id, purpose)
      await queueMessage(tx, {
        to: { name: user.name, address: user.email },
        content:
          user.status === 'invited'
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

/** Whether the owner has links enough to look for in their mail; others must not be able to fill it. */
async function hasHadEnough(db: Db, userId: string, now: Date): Promise<boolean> {
  const times = await selectLinkTimes(db, userId, new Date(now.getTime() - 24 * 60 * MINUTE))
  const newest = times[0]?.getTime() ?? 0
  return times.length >= LIMITS.resetsPerDay || now.getTime() - newest < LIMITS.resetPauseMinutes * MINUTE
}
