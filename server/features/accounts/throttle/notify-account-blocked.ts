import { type Ctx, inTransaction } from '../../../context.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { MAX_FAILURES } from './attempt-limit.ts'

/** Tells the owner of an account that no further guess is taken until there is a new password. */
export const notifyAccountBlocked = (ctx: Ctx, user: { id: string; name: string; email: string }) =>
  inTransaction(ctx, (tx) =>
    queueMessage(tx, {
      to: { name: user.name, address: user.email },
      content: { kind: 'sign-in-blocked', failures: MAX_FAILURES },
      about: { type: 'user', id: user.id },
    }),
  )
