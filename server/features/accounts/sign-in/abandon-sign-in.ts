import type { Ctx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { deletePendingSignIn } from '../credentials/second-factor.db.ts'

/** Deletes the pending sign-in of this token, so that no code can complete it. */
export async function abandonSignIn(ctx: Ctx, pendingToken: string): Promise<void> {
  await deletePendingSignIn(ctx.db, hashToken(pendingToken))
}
