import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { canSetUp } from './setup.access.ts'
import { lockSetup, updateSetup } from './setup.db.ts'

/** Records that an administrator states that backups are arranged; the first statement stays. */
export function stateBackup(ctx: UserCtx): Promise<void> {
  if (!canSetUp(ctx.actor)) throw forbidden('state the backup')
  return inTransaction(ctx, async (tx) => {
    if ((await lockSetup(tx.db)).backup_stated_at !== null) return
    await updateSetup(tx.db, { backup_stated_at: tx.now, backup_stated_by: tx.actor.id })
    await recordAudit(tx, { action: 'setup.backup' })
  })
}

/** Hides the steps of the setup from all administrators, or shows them again. */
export function hideSetup(ctx: UserCtx, hidden: boolean): Promise<void> {
  if (!canSetUp(ctx.actor)) throw forbidden('hide the setup')
  return inTransaction(ctx, async (tx) => {
    if (((await lockSetup(tx.db)).hidden_at !== null) === hidden) return
    await updateSetup(tx.db, { hidden_at: hidden ? tx.now : null })
    await recordAudit(tx, { action: hidden ? 'setup.hide' : 'setup.show' })
  })
}
