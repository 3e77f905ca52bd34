import { type Ctx, inTransaction } from '../../../context.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { MAX_FAILURES } from './attempt-limit.ts'

/** Mails the owner of an account that sign-in is blocked until the password is changed. */
export const notifyAccountBlocked = (ctx: Ctx, user: { id: string; name: string; email: string }) =>
  inTransaction(ctx, (tx) =>
    queueMessage(tx, {
      to: { name: user.name, address: user.email },
      content: { kind: 'sign-in-blocked', failures: MAX_FAILURES },
      about: { type: 'user', id: user.id },
    }),
  )
