import { LIMITS } from '../shared/limits.ts'
import type { UserCtx } from './context.ts'
import { freshProofRequired } from './errors.ts'

/** Whether the user of this session has signed in or proved their identity again within the last five minutes. */
export const hasFreshProof = ({ actor, now }: UserCtx): boolean =>
  now.getTime() - actor.provedAt.getTime() < LIMITS.freshProofSeconds * 1000

/**
 * Throws FRESH_PROOF_REQUIRED unless the user has just proved their identity. For acts that give or remove access, so that
 * an unattended session is not enough for them; called after the check of the permission.
 */
export function requireFreshProof(ctx: UserCtx): void {
  if (!hasFreshProof(ctx)) throw freshProofRequired()
}
