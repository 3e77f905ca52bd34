import { inTransaction, type UserCtx } from '../../../context.ts'
import { conflict, forbidden, invalid } from '../../../errors.ts'
import { requireFreshProof } from '../../../fresh-proof.ts'
import { isUniqueViolation } from '../../../platform/database/database.ts'
import { publish } from '../../../platform/events.ts'
import { listChanges } from '../../audit/list-changes.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { revokeSessionsOfUser } from '../accounts.db.ts'
import { deleteIdentities } from '../credentials/identities.db.ts'
import { mayUsePassword } from '../credentials/may-use-password.ts'
import { clearSecondFactor, deletePendingSignIns } from '../credentials/second-factor.db.ts'
import { createAccountLink } from '../links/create-account-link.ts'
import { isSecondFactorRequired } from '../sign-in/start-session-or-second-factor.ts'
import { endSessionsAndLinks } from './end-sessions-and-links.ts'
import { lockAccount, OWN_ACCOUNT_MESSAGE } from './lock-account.ts'
import { EMAIL_TAKEN_MESSAGE, readUserInput, requireOpenInstitutions } from './user-input.ts'
import { lockInstitutions, replaceUserInstitutions } from './user-institutions.db.ts'
import { clearPassword, selectListedUser, type UserRow, updateUserRow } from './users.db.ts'

const EDITABLE = ['name', 'email', 'phone', 'job_title', 'role', 'features', 'institutions'] as const

/**
 * Changes an account; its new rights apply from the next request and event on. A new address means a new
 * owner: the old one loses all access, both addresses are notified, and an active account that may use a
 * password gets a link to set one. Throws CONFLICT for an outdated `version`, BAD_USER_INPUT for a change
 * of the actor's own role or address, and FRESH_PROOF_REQUIRED for a change of address, role or rights.
 */
export async function updateUser(
  ctx: UserCtx,
  { id, version, user: input }: { id: string; version: number; user: unknown },
): Promise<UserRow> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('change an account')
  const { institutionIds, person } = readUserInput(input)
  return inTransaction(ctx, async (tx) => {
    // Locked before the account, in the order that a suspension uses, to prevent a deadlock.
    await lockInstitutions(tx.db, institutionIds)
    const locked = await lockAccount(tx, id)
    if (locked.version !== version) throw conflict('user')
    const isOtherRole = person.role !== locked.role
    const isOtherAddress = person.email !== locked.email
    if (locked.id === tx.actor.id && (isOtherRole || isOtherAddress))
      throw invalid([{ field: isOtherRole ? 'role' : 'email', message: OWN_ACCOUNT_MESSAGE }])

    const before = await selectLockedUser(tx, id)
    if (isOtherRole || isOtherAddress || hasOtherRights(before, person.features, institutionIds))
      requireFreshProof(tx)
    const currentInstitutionIds = new Set(before.institutions.map((institution) => institution.id))
    await requireOpenInstitutions(
      tx.db,
      institutionIds.filter((institutionId) => !currentInstitutionIds.has(institutionId)),
    )
    try {
      await updateUserRow(tx.db, id, tx.now, person)
    } catch (error) {
      // Not CONFLICT, which here means that another user has saved first.
      if (!isUniqueViolation(error, 'app_user_email_key')) throw error
      throw invalid([{ field: 'email', message: EMAIL_TAKEN_MESSAGE }])
    }
    await replaceUserInstitutions(tx.db, id, institutionIds)
    // A session without a second factor must not continue under a role or with features that require one.
    if (
      !before.has_second_factor &&
      !(await isSecondFactorRequired(tx.db, before)) &&
      (await isSecondFactorRequired(tx.db, person))
    ) {
      await revokeSessionsOfUser(tx.db, id, tx.now)
      await deletePendingSignIns(tx.db, id)
    }
    const { effective_status } = await selectLockedUser(tx, id)
    // The account now has only suspended institutions.
    if (effective_status === 'suspended') await endSessionsAndLinks(tx, id)
    if (isOtherAddress) {
      await removeSignInMethods(tx, id)
      await notifyBothAddresses(tx, before, person)
      if (effective_status === 'active' && (await mayUsePassword(tx.db, person.role))) {
        await queueMessage(tx, {
          to: { name: person.name, address: person.email },
          content: { kind: 'reset', link: await createAccountLink(tx, id, 'reset') },
          about: { type: 'user', id },
        })
      }
    }
    const after = await selectLockedUser(tx, id)
    await recordAudit(tx, {
      action: 'account.change',
      subject: { type: 'user', id },
      changes: listChanges(toAuditValues(before), toAuditValues(after), EDITABLE),
    })
    await publish(tx.db, { kind: 'account', id })
    return after
  })
}

/** Whether the account is to get other features or institutions. */
function hasOtherRights(before: UserRow, features: readonly string[], institutionIds: readonly string[]) {
  const differ = (some: readonly string[], others: readonly string[]) =>
    new Set(some).symmetricDifference(new Set(others)).size > 0
  const institutions = before.institutions.map(({ id }) => id)
  return differ(before.features, features) || differ(institutions, institutionIds)
}

/** Returns the account, which the transaction has locked, with its institutions. */
async function selectLockedUser(tx: UserCtx, id: string): Promise<UserRow> {
  const user = await selectListedUser(tx.db, id)
  if (!user) throw new Error('a locked account is missing')
  return user
}

const toAuditValues = ({ institutions, ...user }: UserRow) => ({
  ...user,
  institutions: institutions.map(({ name }) => name),
})

/**
 * Removes everything that the owner of the former address could sign in with, also the password, the
 * second factor with its passkeys, and the provider's identities: that address may have been mistyped and belong to another person.
 */
async function removeSignInMethods(tx: UserCtx, id: string): Promise<void> {
  await endSessionsAndLinks(tx, id)
  await deleteIdentities(tx.db, id)
  await clearPassword(tx.db, id)
  await clearSecondFactor(tx.db, id, tx.now)
}

/** Notifies the old and the new address, so that an account cannot be taken over silently. */
async function notifyBothAddresses(
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
