import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalidState } from '../../errors.ts'
import { publish } from '../../platform/events.ts'
import { lockAccounts } from '../accounts/users/lock-account.ts'
import { revokeAllAccess } from '../accounts/users/revoke-access.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { stopMessages } from '../messages/stop-messages.ts'
import { getInstitution } from './get-institution.ts'
import { canEditInstitutions } from './institutions.access.ts'
import {
  type InstitutionRow,
  type Suspension,
  selectMembers,
  selectSuspension,
  updateInstitutionRow,
} from './institutions.db.ts'

type SuspensionRequest = { id: string; version: number }

/**
 * An administrator locks an institution out. Those who stand for no other lose whatever lets them in, and the mail that
 * waits for them; the others keep their other institutions. Nothing of what the institution has is touched. An old
 * `version` is refused.
 */
export function suspendInstitution(ctx: UserCtx, requested: SuspensionRequest): Promise<InstitutionRow> {
  return changeSuspension(ctx, requested, async (tx, before) => {
    if (before.suspended_at)
      throw invalidState('institution already suspended', 'Instituția este deja suspendată.')
    const after = await saveSuspension(tx, requested, tx.now)
    const members = await lockMembers(tx, requested.id)
    const out = members.filter(({ effective_status }) => effective_status === 'suspended').map(({ id }) => id)
    for (const userId of out) await revokeAllAccess(tx, userId)
    await stopMessages(tx, out)
    await recordAudit(tx, {
      action: 'institution.suspend',
      subject: { type: 'institution', id: requested.id },
      changes: { suspended_at: { to: after.suspended_at }, shut_out: { to: out.length } },
    })
    await publishToMembers(tx, members)
    return after
  })
}

/** An administrator lets an institution in again: its people sign in anew, and whoever never came in is invited anew. */
export function reactivateInstitution(ctx: UserCtx, requested: SuspensionRequest): Promise<InstitutionRow> {
  return changeSuspension(ctx, requested, async (tx, before) => {
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

/** What suspending the institution would mean now. */
export async function previewSuspension(ctx: UserCtx, id: string): Promise<Suspension> {
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

/** From here on the institution is held: nobody is given it before this is through. */
async function saveSuspension(
  tx: UserCtx,
  { id, version }: SuspensionRequest,
  at: Date | null,
): Promise<InstitutionRow> {
  const after = await updateInstitutionRow(tx.db, id, version, tx.now, { suspended_at: at })
  if (!after) throw conflict('institution')
  return after
}

/** Its people, held, with what each account comes to by now: of two institutions suspended at once the later one sees both. */
async function lockMembers(tx: UserCtx, id: string) {
  const members = await selectMembers(tx.db, id)
  await lockAccounts(
    tx,
    members.map((member) => member.id),
  )
  return selectMembers(tx.db, id)
}

/** Open pages end, or are judged anew. */
async function publishToMembers(tx: UserCtx, members: readonly { id: string }[]): Promise<void> {
  for (const { id } of members) await publish(tx.db, { kind: 'account', id })
}
