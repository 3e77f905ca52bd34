import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalid } from '../../errors.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { announce } from '../../platform/events.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { queueMessage } from '../messages/queue-message.ts'
import { canManageAccounts } from './accounts.access.ts'
import { revokeSessionsOfUser } from './accounts.db.ts'
import { isSecondFactorRequired } from './admit-user.ts'
import { createAccountLink } from './create-account-link.ts'
import { endAccess } from './end-access.ts'
import { holdAccount, OWN_ACCOUNT } from './hold-account.ts'
import { deleteIdentities } from './identities.db.ts'
import { holdInstitutions, replaceUserInstitutions } from './invitations.db.ts'
import { mayUsePassword } from './may-use-password.ts'
import { deletePendingSignIns } from './second-factor.db.ts'
import { readUserInput, requireOpenInstitutions, TAKEN_ADDRESS } from './user-input.ts'
import { clearPassword, selectListedUser, type UserRow, updateUserRow } from './users.db.ts'

const EDITABLE = ['name', 'email', 'phone', 'job_title', 'role', 'features', 'institutions'] as const

/**
 * An administrator changes an account; its rights are the new ones from the next request and event on. An old `version` is
 * refused with CONFLICT. Nobody changes their own role or address. Another address is another holder: the one before
 * is out, by whichever way they came, both are told, and the new one is mailed a link to set a password by. A role that asks for a second factor ends the sessions of an account that has none.
 */
export async function updateUser(
  ctx: UserCtx,
  { id, version, user: input }: { id: string; version: number; user: unknown },
): Promise<UserRow> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('change an account')
  const { institutionIds, person } = readUserInput(input)
  return inTransaction(ctx, async (tx) => {
    // Before the account, as a suspension does it; the other way round each would wait for the other.
    await holdInstitutions(tx.db, institutionIds)
    const held = await holdAccount(tx, id)
    if (held.version !== version) throw conflict('user')
    const isOtherRole = person.role !== held.role
    const isOtherAddress = person.email !== held.email
    if (held.id === tx.actor.id && (isOtherRole || isOtherAddress))
      throw invalid([{ field: isOtherRole ? 'role' : 'email', message: OWN_ACCOUNT }])

    const before = await readListed(tx, id)
    const kept = new Set(before.institutions.map((institution) => institution.id))
    await requireOpenInstitutions(
      tx.db,
      institutionIds.filter((institutionId) => !kept.has(institutionId)),
    )
    try {
      await updateUserRow(tx.db, id, tx.now, person)
    } catch (error) {
      // No CONFLICT, which here says that somebody else has saved.
      if (!isUniqueViolation(error, 'app_user_email_key')) throw error
      throw invalid([{ field: 'email', message: TAKEN_ADDRESS }])
    }
    await replaceUserInstitutions(tx.db, id, institutionIds)
    if (isOtherRole && !held.totp_secret && (await isSecondFactorRequired(tx.db, person.role))) {
      await revokeSessionsOfUser(tx.db, id, tx.now)
      await deletePendingSignIns(tx.db, id)
    }
    const { effective_status } = await readListed(tx, id)
    // Left with suspended institutions alone.
    if (effective_status === 'suspended') await endAccess(tx, id)
    if (isOtherAddress) {
      await shutOut(tx, id)
      await tellBoth(tx, before, person)
      if (effective_status === 'active' && (await mayUsePassword(tx.db, person.role))) {
        await queueMessage(tx, {
          to: { name: person.name, address: person.email },
          content: { kind: 'reset', link: await createAccountLink(tx, id, 'reset') },
          about: { type: 'user', id },
        })
      }
    }
    const after = await readListed(tx, id)
    await recordAudit(tx, {
      action: 'account.change',
      subject: { type: 'user', id },
      changes: listChanges(named(before), named(after), EDITABLE),
    })
    await announce(tx.db, { kind: 'account', id })
    return after
  })
}

async function readListed(tx: UserCtx, id: string): Promise<UserRow> {
  const user = await selectListedUser(tx.db, id)
  if (!user) throw new Error('a held account is gone')
  return user
}

const named = ({ institutions, ...user }: UserRow) => ({
  ...user,
  institutions: institutions.map(({ name }) => name),
})

/** Whoever has held the account has nothing left that opens it: a mistyped invitation may have made a stranger its holder. */
async function shutOut(tx: UserCtx, id: string): Promise<void> {
  await endAccess(tx, id)
  await deleteIdentities(tx.db, id)
  await clearPassword(tx.db, id)
}

/** Whoever reads the mail of either address hears of it: an account is not carried off in silence. */
async function tellBoth(
  tx: UserCtx,
  before: { id: string; name: string; email: string },
  after: { name: string; email: string },
): Promise<void> {
  for (const [address, isNew] of [
    [before.email, false],
    [after.email, true],
  ] as const) {
    await queueMessage(tx, {
      to: { name: isNew ? after.name : before.name, address },
      content: { kind: 'address-changed', isNew, by: tx.actor.name },
      about: { type: 'user', id: before.id },
    })
  }
}
