import { z } from 'zod'
import { FEATURES } from '../../../shared/features.ts'
import { ROLES } from '../../../shared/roles.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid, notFound, Refusal, wrongState } from '../../errors.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { isId, newId } from '../../platform/ids.ts'
import { optionalEmail, optionalPhone, optionalText, parseInput, requiredText } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { queueMessage } from '../messages/queue-message.ts'
import { insertUser, lockUser, selectListedUser, type UserRow } from './accounts.db.ts'
import { createAccountLink } from './create-account-link.ts'
import { countOpenInstitutions, insertUserInstitutions } from './invitations.db.ts'
import { mayUsePassword } from './may-use-password.ts'

const MOST = 100

/** `many`: what there are too many of, as a sentence names it. */
const list = <T extends z.ZodType>(item: T, many: string) =>
  z.preprocess(
    (value) => value ?? [],
    z
      .array(item)
      .max(MOST, `Alege cel mult ${MOST} de ${many}.`)
      .transform((items) => [...new Set(items)]),
  )

const schema = z
  .object({
    email: optionalEmail.pipe(z.string('Adresa de email este necesară.')),
    name: requiredText('Numele'),
    role: z.enum(ROLES, { error: 'Rolul nu are o valoare cunoscută.' }),
    features: list(z.enum(FEATURES, { error: 'Dreptul nu are o valoare cunoscută.' }), 'drepturi'),
    institutionIds: list(z.string().refine(isId, { error: 'Instituția nu există.' }), 'instituții'),
    phone: optionalPhone,
    jobTitle: optionalText('Funcția'),
  })
  .superRefine(({ role, features, institutionIds }, ctx) => {
    const refuse = (field: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], message })
    if (role !== 'staff' && features.length > 0) refuse('features', 'Drepturile se acordă doar personalului.')
    if (role === 'institution' && institutionIds.length === 0)
      refuse('institutionIds', 'Alege cel puțin o instituție.')
    if (role !== 'institution' && institutionIds.length > 0)
      refuse('institutionIds', 'Doar un cont de instituție are instituții.')
  })

/**
 * An administrator makes an account for somebody: invited until its owner opens the mailed link and chooses a password.
 * CONFLICT where the address has an account already.
 */
export async function inviteUser(ctx: UserCtx, input: unknown): Promise<UserRow> {
  if (ctx.actor.role !== 'admin') throw forbidden('invite a user')
  const { institutionIds, jobTitle, ...person } = parseInput(schema, input)
  const id = newId()
  return inTransaction(ctx, async (tx) => {
    if (
      institutionIds.length > 0 &&
      (await countOpenInstitutions(tx.db, institutionIds)) < institutionIds.length
    ) {
      throw invalid([{ field: 'institutionIds', message: 'Instituția nu există sau este suspendată.' }])
    }
    try {
      await insertUser(tx.db, { id, ...person, job_title: jobTitle, status: 'invited' })
    } catch (error) {
      throw isUniqueViolation(error, 'app_user_email_key') ? takenAddress() : error
    }
    if (institutionIds.length > 0) await insertUserInstitutions(tx.db, id, institutionIds)
    return sendInvitation(tx, id)
  })
}

/** An administrator sends the invitation of an account that nobody has used yet once more; the earlier link is void. */
export function resendInvitation(ctx: UserCtx, userId: string): Promise<UserRow> {
  if (ctx.actor.role !== 'admin') throw forbidden('invite a user')
  return inTransaction(ctx, async (tx) => {
    if (!isId(userId)) throw notFound('user')
    await lockUser(tx.db, userId)
    return sendInvitation(tx, userId)
  })
}

async function sendInvitation(tx: UserCtx, userId: string): Promise<UserRow> {
  const user = await selectListedUser(tx.db, userId)
  if (!user) throw notFound('user')
  if (user.status !== 'invited') {
    throw wrongState('account no longer invited', 'Persoana are deja cont: poate cere o parolă nouă.')
  }
  await queueMessage(tx, {
    to: { name: user.name, address: user.email },
    content: {
      kind: 'invitation',
      inviter: tx.actor.name,
      link: (await mayUsePassword(tx.db, user.role))
        ? await createAccountLink(tx, userId, 'invitation')
        : null,
    },
    about: { type: 'user', id: userId },
  })
  await recordAudit(tx, { action: 'account.invite', subject: { type: 'user', id: userId } })
  return user
}

const takenAddress = () => {
  const message = 'Există deja un cont cu această adresă.'
  return new Refusal('CONFLICT', 'address has an account', message, { fields: [{ field: 'email', message }] })
}
