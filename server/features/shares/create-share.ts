import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import { NO_RESULT_CHOSEN, SHARE_CHANNELS, SHARE_RECIPIENTS } from '../../../shared/shares/shares.ts'
import { SHARE_PROOFS } from '../../../shared/site/setting-bounds.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid, invalidState, notFound } from '../../errors.ts'
import { hashToken, newToken } from '../../platform/crypto/keys.ts'
import { publish } from '../../platform/events.ts'
import { isId, newId } from '../../platform/ids.ts'
import { optionalEmail, optionalText, parseInput, requiredText } from '../../validation.ts'
import { hashPassword } from '../accounts/credentials/password.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { queueMessage } from '../messages/queue-message.ts'
import { getPatient } from '../patients/get-patient.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { findSite } from '../site/find-site.ts'
import { findUploadsToShare } from '../uploads/shares/find-uploads-to-share.ts'
import { canReadFiles } from '../uploads/uploads.access.ts'
import { hashShareCode, linkOf, newDigits, newShareCode } from './share-link.ts'
import { canShare } from './shares.access.ts'
import { countShownUploads, insertShare, type ShareRow, selectShare } from './shares.db.ts'

const schema = z.object({
  patientId: z.string(),
  uploadIds: z
    .array(z.string())
    .transform((ids) => [...new Set(ids)])
    .pipe(
      z
        .array(z.string())
        .min(1, NO_RESULT_CHOSEN)
        .max(LIMITS.shareUploads, `Se pot trimite cel mult ${LIMITS.shareUploads} de rezultate odată.`),
    ),
  recipientKind: z.enum(SHARE_RECIPIENTS),
  recipientName: optionalText('Numele destinatarului'),
  channel: z.enum(SHARE_CHANNELS),
  email: optionalEmail,
  proof: z.enum(SHARE_PROOFS),
  days: z.number().int().nullish(),
  maxOpenings: z
    .number()
    .int()
    .min(1, 'Numărul de deschideri este cel puțin 1.')
    .max(
      LIMITS.shareOpenings,
      `Numărul de deschideri este cel mult ${LIMITS.shareOpenings.toLocaleString('ro-RO')}.`,
    )
    .nullish(),
  reason: requiredText('Motivul'),
})
type ShareInput = z.output<typeof schema>

/** What the maker is shown once: nothing of it is stored. */
export type CreatedShare = { share: ShareRow; link: string; pin: string | null; code: string | null }

const DAY_MS = 24 * 3_600_000

/**
 * Shares released results of a patient, which the actor may read, with a person without an account; for staff with the features
 * `patient::share` and `patient::files`. A mail has the link only: the PIN reaches the recipient otherwise.
 */
export async function createShare(ctx: UserCtx, input: unknown): Promise<CreatedShare> {
  if (!canShare(ctx.actor) || !canReadFiles(ctx.actor)) throw forbidden('create share')
  const values = parseInput(schema, input)
  const expiresAt = await readTerms(ctx, values)
  const pin = values.proof === 'pin' ? newDigits(LIMITS.sharePinDigits) : null
  const pinHash = pin && (await hashPassword(pin, ctx.actor.id))
  const token = newToken()
  const code = values.channel === 'slip' ? newShareCode() : null
  const link = await linkOf(ctx, token)
  return inTransaction(ctx, async (tx) => {
    await blockMerges(tx)
    const patient = await getPatient(tx, values.patientId)
    const uploads = await findUploadsToShare(tx, values.uploadIds.filter(isId))
    if (
      uploads.length < values.uploadIds.length ||
      uploads.some(({ patient_id }) => patient_id !== patient.id)
    )
      throw notFound('upload')
    if (uploads.some(({ state }) => state !== 'released'))
      throw invalidState('not released', 'Se trimit numai rezultate eliberate.')
    if (values.proof === 'birth_date' && !patient.birth_date)
      throw invalid([
        {
          field: 'proof',
          message: 'Pacientul nu are data nașterii: alege altă dovadă sau completează fișa.',
        },
      ])
    const recipientName =
      values.recipientName ??
      (values.recipientKind === 'patient' ? `${patient.surname} ${patient.given_names}` : null)
    if (!recipientName)
      throw invalid([{ field: 'recipientName', message: 'Numele destinatarului este necesar.' }])
    const id = newId()
    await insertShare(
      tx.db,
      {
        id,
        patient_id: patient.id,
        created_by: tx.actor.id,
        created_at: tx.now,
        recipient_kind: values.recipientKind,
        recipient_name: recipientName,
        channel: values.channel,
        email: values.email,
        proof: values.proof,
        pin_hash: pinHash,
        token_hash: hashToken(token),
        code_hash: code === null ? null : hashShareCode(tx.services.config.secret, code),
        expires_at: expiresAt,
        max_openings: values.maxOpenings ?? null,
        reason: values.reason,
      },
      values.uploadIds,
    )
    if ((await countShownUploads(tx.db, id)) < values.uploadIds.length)
      throw invalid([
        {
          field: 'uploadIds',
          message: 'Unele rezultate sunt dintr-o categorie care nu este vizibilă pacienților.',
        },
      ])
    await recordAudit(tx, {
      action: 'share.create',
      subject: { type: 'share', id },
      subjectIds: values.uploadIds,
      patientId: patient.id,
      changes: {
        recipient_kind: { to: values.recipientKind },
        recipient_name: { to: recipientName },
        channel: { to: values.channel },
        proof: { to: values.proof },
        expires_at: { to: expiresAt.toISOString() },
        ...(values.maxOpenings && { max_openings: { to: values.maxOpenings } }),
        reason: { to: values.reason },
      },
    })
    if (values.channel === 'mail')
      await queueMessage(tx, {
        // Without a name, which may be the patient's.
        to: { name: '', address: values.email! },
        content: { kind: 'share', link, expiresAt, proof: values.proof },
        about: { type: 'share', id },
      })
    await publish(tx.db, { kind: 'share', id, patientId: patient.id })
    return { share: (await selectShare(tx.db, id))!, link, pin, code }
  })
}

/** Returns when the share expires. Throws BAD_USER_INPUT for what the site's settings do not allow. */
async function readTerms(ctx: UserCtx, { proof, channel, email, days }: ShareInput): Promise<Date> {
  const { share_days, share_days_max, share_proofs } = await findSite(ctx.db)
  const fields = []
  if (!share_proofs.includes(proof))
    fields.push({ field: 'proof', message: 'Organizația nu permite această dovadă.' })
  if (!email && (channel === 'mail' || proof === 'email'))
    fields.push({ field: 'email', message: 'Adresa de e-mail este necesară.' })
  const valid = days ?? share_days
  if (valid < 1 || valid > share_days_max)
    fields.push({ field: 'days', message: `Linkul este valabil între 1 și ${share_days_max} de zile.` })
  if (fields.length > 0) throw invalid(fields)
  return new Date(ctx.now.getTime() + valid * DAY_MS)
}
