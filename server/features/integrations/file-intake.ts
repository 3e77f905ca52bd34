import { isDeepStrictEqual } from 'node:util'
import type { IntakeFacts } from '../../../shared/integrations.ts'
import { parseCui } from '../../../shared/romania/cui.ts'
import { cleanFileName } from '../../../shared/uploads/file-names.ts'
import { type Ctx, type IntegrationActor, inTransaction } from '../../context.ts'
import { UserError, unauthenticated } from '../../errors.ts'
import { isId, newId } from '../../platform/ids.ts'
import type { Lock } from '../../platform/locks.ts'
import { NO_OPEN_INSTITUTION_MESSAGE } from '../accounts/users/user-input.ts'
import { addIntakeDraft } from '../batches/add-intake-draft.ts'
import { findCategory, UNKNOWN_CATEGORY } from '../categories/find-category.ts'
import type { Recognised } from '../uploads/inspection/recognise-file.ts'
import {
  addReceivedFile,
  recognisePartialFile,
  storePartialFile,
} from '../uploads/transfers/add-received-file.ts'
import { requireAllowedAddress, requireUnrevoked } from './find-integration.ts'
import { type IntakeRow, insertIntake, selectIntake, selectOpenInstitutions } from './intake.db.ts'
import { inProgress, notAccepted, otherDocument } from './intake-errors.ts'
import { lockIntegration } from './integrations.db.ts'
import { invalidFacts } from './read-intake-facts.ts'

/** A document whose bytes are durable in a partial file. */
export type ReceivedDocument = {
  key: string
  facts: IntakeFacts
  name: string
  size: number
  sha256: Buffer
  partialId: string
}

/** The answer to the sender; the same again for the same key. */
export type Receipt = {
  id: string
  upload: string
  file: string
  sha256: string
  size: number
  status: 'received'
}
export type Filed = { receipt: Receipt; isNew: boolean }

/** Runs the work while no other request works on the key. Throws IN_PROGRESS while one does. */
export async function withIntakeLock<T>(
  ctx: Ctx<IntegrationActor>,
  key: string,
  work: (lock: Lock) => Promise<T>,
): Promise<T> {
  const lock = await ctx.services.locks.tryAcquire(`intake ${ctx.actor.id} ${key}`)
  if (!lock) throw inProgress()
  try {
    return await work(lock)
  } finally {
    await lock.release()
  }
}

/**
 * Returns the first answer to the key, or files the document and returns its answer: one transaction adds the draft, the file
 * and the row of its key, and runs `onFiled`. The partial file stays.
 */
export async function fileIntake(
  ctx: Ctx<IntegrationActor>,
  { key, facts, partialId, size, sha256, ...document }: ReceivedDocument,
  lock: Lock,
  onFiled?: (tx: Ctx, fileId: string) => Promise<void>,
): Promise<Filed> {
  const known = await selectIntake(ctx.db, ctx.actor.id, key)
  if (known) return { receipt: await answerAgain(ctx, known, { sha256, facts }), isNew: false }
  const name = cleanFileName(document.name)
  const recognised = await recognisePartialFile(ctx, partialId)
  if (recognised.kind === 'other' && !/\.(txt|csv)$/i.test(name)) throw notAccepted()
  const storageKey = await storePartialFile(ctx, partialId)
  try {
    const row = await inTransaction(ctx, async (tx) => {
      if (lock.lost.aborted) throw inProgress()
      const file = { name, ...recognised, size, sha256, storage_key: storageKey }
      const added = await addDocument(tx, { key, facts, file })
      await onFiled?.(tx, added.file_id)
      return added
    })
    return { receipt: asReceipt(row), isNew: true }
  } catch (error) {
    if (error instanceof UserError) await ctx.services.storage.remove(storageKey)
    throw error
  }
}

type StoredFile = Recognised & { name: string; size: number; sha256: Buffer; storage_key: string }

async function addDocument(
  tx: Ctx<IntegrationActor>,
  { key, facts, file }: { key: string; facts: IntakeFacts; file: StoredFile },
): Promise<IntakeRow> {
  const integration = await lockIntegration(tx.db, tx.actor.id)
  if (!integration || integration.revoked_at) throw unauthenticated()
  requireAllowedAddress(integration, tx.request.ip)
  const uploadId = await addIntakeDraft(tx, {
    key,
    title: facts.title ?? file.name,
    institution_id: await readInstitution(tx, facts.institution),
    category_slug: await readCategory(tx, facts.category),
    examined_on: facts.examinedAt ?? null,
    accession_number: facts.accessionNumber ?? null,
    referring_doctor: facts.doctor ?? null,
  })
  const fileId = await addReceivedFile(tx, uploadId, file)
  const { sha256, size } = file
  const row = { id: newId(), sha256, size, facts, upload_id: uploadId, file_id: fileId }
  await insertIntake(tx.db, { ...row, integration_id: tx.actor.id, key })
  return row
}

async function readInstitution(tx: Ctx, given: string | undefined): Promise<string | null> {
  if (given === undefined) return null
  const cui = parseCui(given)
  const wanted = isId(given) ? { id: given, cui: null } : cui.ok ? { id: null, cui: cui.cui } : null
  const [found, other] = wanted ? await selectOpenInstitutions(tx.db, wanted) : []
  if (!found) throw invalidFacts([{ field: 'institution', message: NO_OPEN_INSTITUTION_MESSAGE }])
  if (other)
    throw invalidFacts([
      { field: 'institution', message: 'Mai multe instituții au acest CUI: trimite ID-ul instituției.' },
    ])
  return found.id
}

async function readCategory(tx: Ctx, given: string | undefined): Promise<string | null> {
  if (given === undefined) return null
  const category = await findCategory(tx, given)
  if (!category) throw invalidFacts([{ field: 'category', message: UNKNOWN_CATEGORY }])
  return category.slug
}

/**
 * Returns the first answer. Throws UNAUTHENTICATED if the key of the integration was revoked meanwhile, and IDEMPOTENCY_CONFLICT
 * for other bytes or facts; facts that were deleted with their file are not compared.
 */
export async function answerAgain(
  ctx: Ctx<IntegrationActor>,
  known: IntakeRow,
  { sha256, facts }: { sha256: Buffer; facts: IntakeFacts },
): Promise<Receipt> {
  await requireUnrevoked(ctx)
  const isSame =
    known.sha256.equals(sha256) && (known.facts === null || isDeepStrictEqual(known.facts, facts))
  if (!isSame) throw otherDocument()
  return asReceipt(known)
}

const asReceipt = ({ id, upload_id, file_id, sha256, size }: IntakeRow): Receipt => ({
  id,
  upload: upload_id,
  file: file_id,
  sha256: sha256.toString('hex'),
  size,
  status: 'received',
})
