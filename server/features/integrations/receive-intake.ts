import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { IntakeFacts } from '../../../shared/integrations.ts'
import { parseCui } from '../../../shared/romania/cui.ts'
import { cleanFileName } from '../../../shared/uploads/file-names.ts'
import { FILE_REJECTIONS } from '../../../shared/uploads/file-rejections.ts'
import { isRunnableName } from '../../../shared/uploads/runnable-names.ts'
import { type Ctx, type IntegrationActor, inTransaction } from '../../context.ts'
import { UserError, unauthenticated } from '../../errors.ts'
import { isId, newId } from '../../platform/ids.ts'
import type { Lock } from '../../platform/locks.ts'
import { NO_OPEN_INSTITUTION_MESSAGE } from '../accounts/users/user-input.ts'
import { addIntakeDraft } from '../batches/add-intake-draft.ts'
import { findCategory, UNKNOWN_CATEGORY } from '../categories/find-category.ts'
import { findSite } from '../site/find-site.ts'
import type { Recognised } from '../uploads/inspection/recognise-file.ts'
import {
  addReceivedFile,
  recognisePartialFile,
  storePartialFile,
} from '../uploads/transfers/add-received-file.ts'
import { IDLE_TIMEOUT_MS } from '../uploads/transfers/receive-bytes.ts'
import { reserveSpace } from '../uploads/transfers/require-space.ts'
import { emptyFile, fileTooLarge, isDiskFull, noSpace } from '../uploads/transfers/transfer-errors.ts'
import { type IntakeRow, insertIntake, selectIntake, selectOpenInstitutions } from './intake.db.ts'
import { lockIntegration } from './integrations.db.ts'
import { invalidFacts, readIntakeFacts } from './read-intake-facts.ts'

/** A document on its way. `announced`: the bytes of the whole request, if it says so. */
export type SentDocument = {
  key: string
  facts: string | null
  fileName: string
  bytes: Readable
  announced: number | null
  /** Resolves at the end of the request; throws if more follows the file. */
  end: () => Promise<void>
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

/**
 * Receives a document of an integration: its bytes are durable before one transaction adds the draft, the file and the row of
 * its key. A request that is cut or killed before that leaves nothing; one that is sent again with the same key gets the first
 * answer. Throws IN_PROGRESS while another request works on the key, and IDEMPOTENCY_CONFLICT if it has another document.
 */
export async function receiveIntake(
  ctx: Ctx<IntegrationActor>,
  sent: SentDocument,
): Promise<{ receipt: Receipt; isNew: boolean }> {
  const lock = await ctx.services.locks.tryAcquire(`intake ${ctx.actor.id} ${sent.key}`)
  const partialId = randomBytes(16).toString('hex')
  try {
    if (!lock) throw inProgress()
    const facts = readIntakeFacts(sent.facts)
    if (isRunnableName(sent.fileName)) throw notAccepted()
    const size = await receiveBytes(ctx, sent, { partialId, lock })
    const found = await finish(ctx, sent, { partialId, facts, size, lock })
    await ctx.services.partialFiles.remove(partialId)
    return found
  } catch (error) {
    // After any other error the transaction may have been committed; the sweep deletes what is left.
    if (error instanceof UserError) await ctx.services.partialFiles.remove(partialId)
    throw error
  } finally {
    sent.bytes.destroy()
    await lock?.release()
  }
}

type PartialFile = { partialId: string; lock: Lock }

/** Writes the bytes to a partial file and returns their number. Throws unless all of them are durable. */
async function receiveBytes(
  ctx: Ctx,
  { bytes, announced, end }: SentDocument,
  { partialId, lock }: PartialFile,
): Promise<number> {
  const maxBytes = (await findSite(ctx.db)).upload_file_mib * 1024 ** 2
  const space = await reserveSpace(ctx, Math.min(announced ?? maxBytes, maxBytes))
  const written = await ctx.services.partialFiles
    .append(partialId, bytes, {
      offset: 0,
      total: maxBytes,
      signal: lock.lost,
      idle: IDLE_TIMEOUT_MS,
      onBytes: space.use,
    })
    .catch((error: unknown) => {
      throw isDiskFull(error) ? noSpace() : error
    })
    .finally(space.release)
  if (lock.lost.aborted) throw inProgress()
  if (written.end === 'too-long') throw fileTooLarge(maxBytes)
  if (written.end !== 'ended')
    // A sender that was only slow sends it again.
    throw new UserError('UNAVAILABLE', 'the request broke off', 'Cererea nu a ajuns întreagă.')
  if (written.size === 0) throw emptyFile('file')
  await end()
  return written.size
}

/** Returns the first answer, or stores the document and returns its answer. */
async function finish(
  ctx: Ctx<IntegrationActor>,
  { key, fileName }: SentDocument,
  { partialId, facts, size, lock }: PartialFile & { facts: IntakeFacts; size: number },
): Promise<{ receipt: Receipt; isNew: boolean }> {
  const sha256 = await ctx.services.partialFiles.digest(partialId)
  const known = await selectIntake(ctx.db, ctx.actor.id, key)
  if (known) return { receipt: answerAgain(known, { sha256, facts }), isNew: false }
  const name = cleanFileName(fileName)
  const recognised = await recognisePartialFile(ctx, partialId)
  if (recognised.kind === 'other' && !/\.(txt|csv)$/i.test(name)) throw notAccepted()
  const storageKey = await storePartialFile(ctx, partialId)
  try {
    const row = await inTransaction(ctx, async (tx) => {
      if (lock.lost.aborted) throw inProgress()
      const file = { name, ...recognised, size, sha256, storage_key: storageKey }
      return addDocument(tx, { key, facts, file })
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

/** Facts that were deleted with their file are not compared. */
function answerAgain(known: IntakeRow, { sha256, facts }: { sha256: Buffer; facts: IntakeFacts }): Receipt {
  const isSame =
    known.sha256.equals(sha256) && (known.facts === null || isDeepStrictEqual(known.facts, facts))
  if (!isSame) throw new UserError('IDEMPOTENCY_CONFLICT', 'another document has the key')
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

const inProgress = () => new UserError('IN_PROGRESS', 'another request works on the key')
const notAccepted = () => new UserError(415, 'type not accepted', FILE_REJECTIONS['type-not-allowed'])
