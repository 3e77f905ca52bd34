import type { Ctx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { deletePendingSignIn } from '../credentials/second-factor.db.ts'

/** Whoever holds the token of a pending sign-in may give it up: no code completes it any more. Nothing of it is left. */
export async function abandonSignIn(ctx: Ctx, pendingToken: string): Promise<void> {
  await deletePendingSignIn(ctx.db, hashToken(pendingToken))
}
