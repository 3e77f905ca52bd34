import { type Ctx, inTransaction } from '../../context.ts'
import { queueMessage } from '../messages/queue-message.ts'
import { MOST_FAILURES } from './limit-tries.ts'

/** Tells the owner of an account that no further guess is taken until there is a new password. */
export const warnOfGuessing = (ctx: Ctx, user: { id: string; name: string; email: string }) =>
  inTransaction(ctx, (tx) =>
    queueMessage(tx, {
      to: { name: user.name, address: user.email },
      content: { kind: 'sign-in-blocked', failures: MOST_FAILURES },
      about: { type: 'user', id: user.id },
    }),
  )
