import { z } from 'zod'
import { LIMITS } from '../../../../shared/limits.ts'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { conflict, invalidState, notFound } from '../../../errors.ts'
import { requireFreshProof } from '../../../fresh-proof.ts'
import { publish } from '../../../platform/events.ts'
import { isId, newId } from '../../../platform/ids.ts'
import { parseInput, requiredText } from '../../../validation.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { findSite } from '../../site/find-site.ts'
import { lockUser } from '../accounts.db.ts'
import { getOwnUser } from '../credentials/reauthenticate.ts'
import { hashRecoveryCode, newRecoveryCodes } from '../credentials/recovery-codes.ts'
import {
  countRecoveryCodes,
  deletePendingSignIns,
  deleteRecoveryCodes,
  replaceRecoveryCodes,
} from '../credentials/second-factor.db.ts'
import { revokeOtherSessions } from '../sessions/sessions.db.ts'
import { isSecondFactorRequired } from '../sign-in/start-session-or-second-factor.ts'
import { requestNewPasskey, requestPasskey, verifyNewPasskey } from './ceremony.ts'
import { sessionBinding } from './challenge.ts'
import {
  deletePasskey,
  insertPasskey,
  type PasskeyRow,
  raiseUserVersion,
  selectPasskeys,
  updatePasskeyName,
} from './passkeys.db.ts'

const nameInput = z.object({ name: requiredText('Numele', LIMITS.passkeyName) })

/** Returns the passkeys of the signed-in user. */
export const listOwnPasskeys = ({ db, actor }: UserCtx): Promise<PasskeyRow[]> => selectPasskeys(db, actor.id)

/** Returns what the browser needs to create a passkey for the signed-in user, after a fresh proof. */
export async function beginPasskey(ctx: UserCtx): Promise<object> {
  requireFreshProof(ctx)
  if ((await selectPasskeys(ctx.db, ctx.actor.id)).length >= LIMITS.passkeys)
    throw invalidState('too many passkeys', `Contul poate avea cel mult ${LIMITS.passkeys} chei de acces.`)
  const { id, name, email } = await getOwnUser(ctx)
  const { name: siteName } = await findSite(ctx.db)
  return requestNewPasskey(ctx, addingOf(ctx), { id, name, email, siteName })
}

const addingOf = ({ actor }: UserCtx) =>
  ({ purpose: 'add', binding: sessionBinding(actor.sessionId) }) as const

/**
 * Stores the passkey that the browser has created, after a fresh proof, and notifies the user by mail. Returns recovery codes,
 * which cannot be shown again, if the account had none. The first second factor of an account ends the user's other sessions
 * and pending sign-ins, because they began without it. Throws CONFLICT for a response that is not valid or too late.
 */
export async function addPasskey(
  ctx: UserCtx,
  input: { name: string; response: unknown },
): Promise<{ recoveryCodes: string[] }> {
  requireFreshProof(ctx)
  const { name } = parseInput(nameInput, { name: input.name })
  const created = await verifyNewPasskey(ctx, addingOf(ctx), input.response)
  if (!created)
    throw invalidState(
      'the new passkey is not valid',
      'Cheia de acces nu a putut fi verificată. Ia-o de la început.',
    )
  const codes = newRecoveryCodes()
  return inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, tx.actor.id)
    if (user?.effective_status !== 'active') throw conflict('account')
    if (
      !(await insertPasskey(tx.db, { id: newId(), user_id: user.id, name, created_at: tx.now, ...created }))
    )
      throw invalidState('the passkey exists', 'Această cheie de acces este deja adăugată.')
    await raiseUserVersion(tx.db, user.id, tx.now)
    if (!user.totp_secret && !user.has_passkey) {
      await deletePendingSignIns(tx.db, user.id)
      await revokeOtherSessions(tx.db, user.id, tx.actor.sessionId, tx.now)
    }
    const needsCodes = (await countRecoveryCodes(tx.db, user.id)).given === 0
    if (needsCodes)
      await replaceRecoveryCodes(
        tx.db,
        user.id,
        codes.map((code) => hashRecoveryCode(user.id, code)),
      )
    await recordAudit(tx, {
      action: 'second-factor.add-passkey',
      subject: { type: 'user', id: user.id },
      changes: { name: { to: name } },
    })
    await mailOwner(tx, 'passkey-added', name)
    await publish(tx.db, { kind: 'account', id: user.id })
    return { recoveryCodes: needsCodes ? codes : [] }
  })
}

/** Renames a passkey of the signed-in user. */
export async function renamePasskey(ctx: UserCtx, input: { id: string; name: string }): Promise<void> {
  const { name } = parseInput(nameInput, { name: input.name })
  const { id: userId } = ctx.actor
  await inTransaction(ctx, async (tx) => {
    const former = isId(input.id) ? await updatePasskeyName(tx.db, userId, input.id, name) : undefined
    if (former === undefined) throw notFound('passkey')
    if (former === name) return
    await recordAudit(tx, {
      action: 'second-factor.rename-passkey',
      subject: { type: 'user', id: userId },
      changes: { name: { from: former, to: name } },
    })
  })
}

/**
 * Removes a passkey of the signed-in user, after a fresh proof, and notifies the user by mail. Throws CONFLICT if it is the
 * last second factor and the role requires one.
 */
export async function removePasskey(ctx: UserCtx, id: string): Promise<void> {
  requireFreshProof(ctx)
  if (!isId(id)) throw notFound('passkey')
  await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, tx.actor.id)
    const removed = user && (await deletePasskey(tx.db, user.id, id))
    if (!removed) throw notFound('passkey')
    // A change that was prepared with the passkey in mind must not be made without it.
    await raiseUserVersion(tx.db, user.id, tx.now)
    if (!user.totp_secret && (await selectPasskeys(tx.db, user.id)).length === 0) {
      if (await isSecondFactorRequired(tx.db, user))
        throw invalidState(
          'the role requires a second factor',
          'Rolul contului cere un al doilea factor: adaugă întâi altul.',
        )
      await deleteRecoveryCodes(tx.db, user.id)
    }
    await recordAudit(tx, {
      action: 'second-factor.remove-passkey',
      subject: { type: 'user', id: user.id },
      changes: { name: { from: removed.name } },
    })
    await mailOwner(tx, 'passkey-removed', removed.name)
    await publish(tx.db, { kind: 'account', id: user.id })
  })
}

const mailOwner = (tx: UserCtx, kind: 'passkey-added' | 'passkey-removed', passkey: string) =>
  queueMessage(tx, {
    to: { name: tx.actor.name, address: tx.actor.email },
    content: { kind, passkey, at: tx.now },
    about: { type: 'user', id: tx.actor.id },
  })

/** Returns what the browser needs to prove the signed-in user's identity with a passkey. */
export const beginPasskeyProof = async (ctx: UserCtx): Promise<object> =>
  requestPasskey(ctx, { purpose: 'proof', binding: sessionBinding(ctx.actor.sessionId) }, ctx.actor.id)
