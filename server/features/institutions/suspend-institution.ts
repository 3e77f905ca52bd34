import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalidState } from '../../errors.ts'
import { requireFreshProof } from '../../fresh-proof.ts'
import { publish } from '../../platform/events.ts'
import { endSessionsAndLinks } from '../accounts/users/end-sessions-and-links.ts'
import { lockAccounts } from '../accounts/users/lock-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { stopMessages } from '../messages/stop-messages.ts'
import { getInstitution } from './get-institution.ts'
import { canEditInstitutions } from './institutions.access.ts'
import {
  type InstitutionRow,
  type SuspensionEffects,
  selectMembers,
  selectSuspension,
  updateInstitutionRow,
} from './institutions.db.ts'

type SuspensionRequest = { id: string; version: number }

/**
 * Suspends an institution, for an administrator, without changing its data. Its users without another
 * institution lose sessions, links and queued mail; the others keep their other institutions. Throws CONFLICT
 * if `version` is not the current one or the institution is already suspended.
 */
export function suspendInstitution(ctx: UserCtx, requested: SuspensionRequest): Promise<InstitutionRow> {
  return changeSuspension(ctx, requested, async (tx, before) => {
    if (before.suspended_at)
      throw invalidState('institution already suspended', 'Instituția este deja suspendată.')
    const after = await saveSuspension(tx, requested, tx.now)
    const members = await lockMembers(tx, requested.id)
    const suspended = members
      .filter(({ effective_status }) => effective_status === 'suspended')
      .map(({ id }) => id)
    for (const userId of suspended) await endSessionsAndLinks(tx, userId)
    await stopMessages(tx, suspended)
    await recordAudit(tx, {
      action: 'institution.suspend',
      subject: { type: 'institution', id: requested.id },
      changes: { suspended_at: { to: after.suspended_at }, shut_out: { to: suspended.length } },
    })
    await publishToMembers(tx, members)
    return after
  })
}

/**
 * Reactivates an institution: its users sign in again, and those who never signed in need a new invitation.
 */
export function reactivateInstitution(ctx: UserCtx, requested: SuspensionRequest): Promise<InstitutionRow> {
  return changeSuspension(ctx, requested, async (tx, before) => {
    requireFreshProof(tx)
    if (!before.suspended_at)
      throw invalidState('institution not suspended', 'Instituția nu mai este suspendată.')
    const after = await saveSuspension(tx, requested, null)
    await recordAudit(tx, {
      action: 'institution.reactivate',
      subject: { type: 'institution', id: requested.id },
      changes: { suspended_at: { from: before.suspended_at, to: null } },
    })
    await publishToMembers(tx, await lockMembers(tx, requested.id))
    return after
  })
}

/** Returns the effects that suspending the institution would have now. */
export async function previewSuspension(ctx: UserCtx, id: string): Promise<SuspensionEffects> {
  if (!canEditInstitutions(ctx.actor)) throw forbidden('suspend institution')
  await getInstitution(ctx, id)
  return selectSuspension(ctx.db, id)
}

async function changeSuspension(
  ctx: UserCtx,
  { id }: SuspensionRequest,
  change: (tx: UserCtx, before: InstitutionRow) => Promise<InstitutionRow>,
): Promise<InstitutionRow> {
  if (!canEditInstitutions(ctx.actor)) throw forbidden('suspend institution')
  return inTransaction(ctx, async (tx) => change(tx, await getInstitution(tx, id)))
}

/**
 * Saves the suspension and so locks the institution's row: no account is assigned to it before the
 * transaction ends.
 */
async function saveSuspension(
  tx: UserCtx,
  { id, version }: SuspensionRequest,
  at: Date | null,
): Promise<InstitutionRow> {
  const after = await updateInstitutionRow(tx.db, id, version, tx.now, { suspended_at: at })
  if (!after) throw conflict('institution')
  return after
}

/**
 * Locks the institution's accounts and reads them again: of two concurrent suspensions the later one sees
 * both.
 */
async function lockMembers(tx: UserCtx, id: string) {
  const members = await selectMembers(tx.db, id)
  await lockAccounts(
    tx,
    members.map((member) => member.id),
  )
  return selectMembers(tx.db, id)
}

/** Makes the members' open pages recheck their access. */
async function publishToMembers(tx: UserCtx, members: readonly { id: string }[]): Promise<void> {
  for (const { id } of members) await publish(tx.db, { kind: 'account', id })
}
