import { inTransaction, type UserCtx } from '../../../context.ts'
import { forbidden, invalidState, notFound, UserError } from '../../../errors.ts'
import { requireFreshProof } from '../../../fresh-proof.ts'
import { isUniqueViolation } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { insertUser } from '../accounts.db.ts'
import { mayUsePassword } from '../credentials/may-use-password.ts'
import { createAccountLink } from '../links/create-account-link.ts'
import { lockAccount, lockAdministrator } from './lock-account.ts'
import {
  ALL_INSTITUTIONS_SUSPENDED_MESSAGE,
  EMAIL_TAKEN_MESSAGE,
  readUserInput,
  requireOpenInstitutions,
} from './user-input.ts'
import { replaceUserInstitutions } from './user-institutions.db.ts'
import { selectListedUser, type UserRow } from './users.db.ts'

/**
 * The invited account and its one-time link, which is never returned again; null if the user signs in by the
 * OpenID provider. `isMailed` false: no mail server is configured, so the administrator must pass the link
 * on.
 */
export type Invitation = { user: UserRow; link: string | null; isMailed: boolean }

/**
 * Creates an account for another person, who sets a password with a mailed link. Only administrators may,
 * after a fresh proof. Throws CONFLICT if the address already has an account.
 */
export async function inviteUser(ctx: UserCtx, input: unknown): Promise<Invitation> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('invite a user')
  requireFreshProof(ctx)
  const { institutionIds, person } = readUserInput(input)
  const id = newId()
  return inTransaction(ctx, async (tx) => {
    // Institutions before accounts, in the order that a suspension uses, to prevent a deadlock.
    await requireOpenInstitutions(tx.db, institutionIds)
    await lockAdministrator(tx)
    try {
      await insertUser(tx.db, { id, ...person, status: 'invited' })
    } catch (error) {
      throw isUniqueViolation(error, 'app_user_email_key') ? emailTaken() : error
    }
    await replaceUserInstitutions(tx.db, id, institutionIds)
    return sendInvitation(tx, id)
  })
}

/**
 * Mails a new invitation to an account whose user has never signed in; the earlier link becomes invalid.
 * Throws CONFLICT if the account has been used or its institutions are suspended.
 */
export function resendInvitation(ctx: UserCtx, userId: string): Promise<Invitation> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('invite a user')
  requireFreshProof(ctx)
  return inTransaction(ctx, async (tx) => {
    await lockAccount(tx, userId)
    return sendInvitation(tx, userId)
  })
}

async function sendInvitation(tx: UserCtx, userId: string): Promise<Invitation> {
  const invited = await selectListedUser(tx.db, userId)
  if (!invited) throw notFound('user')
  if (invited.status !== 'invited') {
    throw invalidState('account no longer invited', 'Persoana are deja cont: poate cere o parolă nouă.')
  }
  if (invited.effective_status === 'suspended')
    throw invalidState('institution suspended', ALL_INSTITUTIONS_SUSPENDED_MESSAGE)
  const link = (await mayUsePassword(tx.db, invited.role))
    ? await createAccountLink(tx, userId, 'invitation')
    : null
  await queueMessage(tx, {
    to: { name: invited.name, address: invited.email },
    content: { kind: 'invitation', inviter: tx.actor.name, link },
    about: { type: 'user', id: userId },
  })
  await recordAudit(tx, {
    action: 'account.invite',
    subject: { type: 'user', id: userId },
    changes: { name: { to: invited.name }, email: { to: invited.email } },
  })
  // Read again for the expiry of the new link.
  const user = (await selectListedUser(tx.db, userId)) ?? invited
  return { user, link, isMailed: tx.services.mailer !== null }
}

const emailTaken = () =>
  new UserError('CONFLICT', 'address has an account', EMAIL_TAKEN_MESSAGE, {
    fields: [{ field: 'email', message: EMAIL_TAKEN_MESSAGE }],
  })
