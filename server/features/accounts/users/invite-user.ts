import { inTransaction, type UserCtx } from '../../../context.ts'
import { forbidden, invalidState, notFound, UserError } from '../../../errors.ts'
import { isUniqueViolation } from '../../../platform/database/database.ts'
import { isId, newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { insertUser, lockUser } from '../accounts.db.ts'
import { mayUsePassword } from '../credentials/may-use-password.ts'
import { createAccountLink } from '../links/create-account-link.ts'
import {
  ALL_INSTITUTIONS_SUSPENDED_MESSAGE,
  EMAIL_TAKEN_MESSAGE,
  readUserInput,
  requireOpenInstitutions,
} from './user-input.ts'
import { replaceUserInstitutions } from './user-institutions.db.ts'
import { selectListedUser, type UserRow } from './users.db.ts'

/**
 * `link` is told here, to the administrator who made it, and never again; null where the person comes in by the OpenID
 * provider. Without a mail server (`isMailed` false) it is theirs to pass on.
 */
export type Invitation = { user: UserRow; link: string | null; isMailed: boolean }

/**
 * An administrator makes an account for somebody: invited until its owner opens the link and chooses a password.
 * CONFLICT where the address has an account already.
 */
export async function inviteUser(ctx: UserCtx, input: unknown): Promise<Invitation> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('invite a user')
  const { institutionIds, person } = readUserInput(input)
  const id = newId()
  return inTransaction(ctx, async (tx) => {
    await requireOpenInstitutions(tx.db, institutionIds)
    try {
      await insertUser(tx.db, { id, ...person, status: 'invited' })
    } catch (error) {
      throw isUniqueViolation(error, 'app_user_email_key') ? emailTaken() : error
    }
    await replaceUserInstitutions(tx.db, id, institutionIds)
    return sendInvitation(tx, id)
  })
}

/** An administrator sends the invitation of an account that nobody has used yet once more; the earlier link is void. */
export function resendInvitation(ctx: UserCtx, userId: string): Promise<Invitation> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('invite a user')
  return inTransaction(ctx, async (tx) => {
    if (!isId(userId)) throw notFound('user')
    await lockUser(tx.db, userId)
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
  // Read once more: until when the link is good.
  const user = (await selectListedUser(tx.db, userId)) ?? invited
  return { user, link, isMailed: tx.services.mailer !== null }
}

const emailTaken = () =>
  new UserError('CONFLICT', 'address has an account', EMAIL_TAKEN_MESSAGE, {
    fields: [{ field: 'email', message: EMAIL_TAKEN_MESSAGE }],
  })
