import { LIMITS } from '../../../shared/limits.ts'
import { todayInRomania } from '../../../shared/romania/day.ts'
import { formatDate } from '../../../shared/romania/romanian.ts'
import type { Ctx, IntegrationActor } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import {
  countAnnounced,
  type IntakeDraft,
  insertBatch,
  insertIntakeDraft,
  selectBatchOfDay,
} from './batches.db.ts'

/**
 * Adds a draft for a document of an integration to its open batch of today, or a new one; returns the draft's id. The
 * transaction has locked the integration, so that there is one batch a day unless people close it or it is full.
 */
export async function addIntakeDraft(tx: Ctx<IntegrationActor>, draft: IntakeDraft): Promise<string> {
  const batchId = await findOrCreateBatch(tx)
  const id = newId()
  await insertIntakeDraft(tx.db, { id, batch_id: batchId, integration_id: tx.actor.id, ...draft })
  await recordAudit(tx, {
    action: 'batch.add',
    subject: { type: 'batch', id: batchId },
    subjectIds: [id],
    changes: { files: { to: 1 } },
  })
  return id
}

async function findOrCreateBatch(tx: Ctx<IntegrationActor>): Promise<string> {
  const today = todayInRomania()
  const open = await selectBatchOfDay(tx.db, tx.actor.id, today)
  if (open && (await countAnnounced(tx.db, open.id)) < LIMITS.batchFiles) return open.id
  const id = newId()
  const name = `${tx.actor.name}, ${formatDate(today)}`
  await insertBatch(tx.db, { id, name, source: 'integration', integration_id: tx.actor.id })
  await recordAudit(tx, { action: 'batch.create', subject: { type: 'batch', id } })
  return id
}
