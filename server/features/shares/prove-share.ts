import { timingSafeEqual } from 'node:crypto'
import { LIMITS } from '../../../shared/limits.ts'
import { type Ctx, inTransaction, type RecipientActor, withActor, withShares } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { hashToken, newToken } from '../../platform/crypto/keys.ts'
import { publish } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { verifyPassword } from '../accounts/credentials/password.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { endAfterWrongProofs } from './end-shares.ts'
import { hashLink } from './share-link.ts'
import {
  type ClaimedAttempt,
  claimAttempt,
  confirmAttempt,
  insertEvent,
  insertSession,
  returnAttempt,
} from './shares.db.ts'

export type ProofOutcome =
  | { outcome: 'proved'; shareId: string; cookie: string }
  | { outcome: 'wrong'; triesLeft: number }
  | { outcome: 'closed' }

const MAX_PROOF_LENGTH = 40

/**
 * Checks a proof for the share of a link, by anybody. The attempt is counted first, in a statement of its own: five wrong ones lock
 * the share, ten end it and its maker is notified. No proof is checked while the share is locked, over or unknown, and the answer
 * is the same.
 */
export async function proveShare(
  ctx: Ctx,
  { token, proof }: { token: string; proof: string },
): Promise<ProofOutcome> {
  if (proof.trim() === '' || proof.length > MAX_PROOF_LENGTH)
    throw invalid([{ field: 'proof', message: 'Completați dovada cerută.' }])
  const shares = withShares(withActor<Ctx['actor']>(ctx, { kind: 'anonymous' }))
  const claimed = await claimAttempt(shares.db, hashLink(ctx, token), ctx.now)
  if (!claimed) return { outcome: 'closed' }
  const isRight = await isRightProof(shares, claimed, proof).catch(async (error: unknown) => {
    await returnAttempt(shares.db, claimed.id)
    throw error
  })
  return isRight ? openShare(shares, claimed) : recordWrong(shares, claimed)
}

/** Whether the proof is right. A code by mail is valid once, and for a few minutes. */
async function isRightProof({ now, request }: Ctx, claimed: ClaimedAttempt, proof: string): Promise<boolean> {
  const typed = proof.trim()
  if (claimed.proof === 'birth_date')
    return claimed.birth_date !== null && isEqual(toDay(typed), claimed.birth_date)
  const digits = typed.replaceAll(/[\s-]/g, '')
  if (claimed.proof === 'pin') return verifyPassword(digits, claimed.pin_hash, request.ip)
  const isValid = claimed.mail_code_until !== null && claimed.mail_code_until > now
  return verifyPassword(digits, isValid ? claimed.mail_code_hash : null, request.ip)
}

/** Reads a day as `dd.MM.yyyy` or `yyyy-MM-dd`. */
function toDay(text: string): string {
  const parts = /^(\d{1,2})[./ -](\d{1,2})[./ -](\d{4})$/.exec(text)
  return parts ? `${parts[3]}-${parts[2]!.padStart(2, '0')}-${parts[1]!.padStart(2, '0')}` : text
}

const isEqual = (a: string, b: string): boolean => timingSafeEqual(hashToken(a), hashToken(b))

function openShare(ctx: Ctx, claimed: ClaimedAttempt): Promise<ProofOutcome> {
  const { id, patient_id, recipient_name } = claimed
  return inTransaction(ctx, async (tx): Promise<ProofOutcome> => {
    const confirmed = await confirmAttempt(tx.db, claimed, tx.now)
    if (!confirmed) return { outcome: 'closed' }
    const cookie = newToken()
    const sessionId = newId()
    const { ip, userAgent } = tx.request
    const end = tx.now.getTime() + LIMITS.shareSessionMinutes * 60_000
    await insertSession(tx.db, {
      id: sessionId,
      share_id: id,
      token_hash: hashToken(cookie),
      created_at: tx.now,
      expires_at: new Date(Math.min(end, confirmed.expires_at.getTime())),
      ip,
      user_agent: userAgent,
    })
    await insertEvent(tx.db, {
      id: newId(),
      share_id: id,
      session_id: sessionId,
      kind: 'opened',
      at: tx.now,
      ip,
      user_agent: userAgent,
    })
    const recipient = withActor<RecipientActor>(tx, {
      kind: 'recipient',
      shareId: id,
      sessionId,
      patientId: patient_id,
      name: recipient_name,
    })
    await recordAudit(recipient, {
      action: 'share.prove',
      subject: { type: 'share', id },
      patientId: patient_id,
    })
    await publish(tx.db, { kind: 'share', id, patientId: patient_id })
    return { outcome: 'proved', shareId: id, cookie }
  })
}

function recordWrong(
  ctx: Ctx,
  { id, patient_id, created_by, wrong_proofs: wrong }: ClaimedAttempt,
): Promise<ProofOutcome> {
  const { lock, end } = LIMITS.shareWrongProofs
  return inTransaction(ctx, async (tx): Promise<ProofOutcome> => {
    const { ip, userAgent } = tx.request
    await insertEvent(tx.db, {
      id: newId(),
      share_id: id,
      session_id: null,
      kind: 'wrong_proof',
      at: tx.now,
      ip,
      user_agent: userAgent,
    })
    await recordAudit(tx, {
      action: 'share.prove-failed',
      subject: { type: 'share', id },
      patientId: patient_id,
      outcome: 'failed',
    })
    if (wrong >= end) await endAfterWrongProofs(tx, id)
    else await publish(tx.db, { kind: 'share', id, patientId: patient_id })
    if (wrong === lock) await publish(tx.db, { kind: 'notification', userId: created_by })
    if (wrong === lock || wrong >= end) return { outcome: 'closed' }
    return { outcome: 'wrong', triesLeft: (wrong < lock ? lock : end) - wrong }
  })
}
