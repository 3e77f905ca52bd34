import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { isRunnableName } from '../../../shared/uploads/runnable-names.ts'
import type { Ctx, IntegrationActor } from '../../context.ts'
import { UserError } from '../../errors.ts'
import type { Lock } from '../../platform/locks.ts'
import { findSite } from '../site/find-site.ts'
import { IDLE_TIMEOUT_MS } from '../uploads/transfers/append-bytes.ts'
import { reserveSpace } from '../uploads/transfers/require-space.ts'
import { emptyFile, fileTooLarge, isDiskFull, noSpace } from '../uploads/transfers/transfer-errors.ts'
import { type Filed, fileIntake, withIntakeLock } from './file-intake.ts'
import { inProgress, notAccepted } from './intake-errors.ts'
import { readIntakeFacts } from './read-intake-facts.ts'

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

/**
 * Receives a document of an integration in one request: its bytes are durable before `fileIntake` adds it. A request that is
 * cut or killed before that leaves nothing; one that is sent again with the same key gets the first answer. Throws IN_PROGRESS
 * while another request works on the key, and IDEMPOTENCY_CONFLICT if it has another document.
 */
export async function receiveIntake(ctx: Ctx<IntegrationActor>, sent: SentDocument): Promise<Filed> {
  const { key, fileName: name } = sent
  const partialId = randomBytes(16).toString('hex')
  const { partialFiles } = ctx.services
  const receive = async (lock: Lock) => {
    const facts = readIntakeFacts(sent.facts)
    if (isRunnableName(name)) throw notAccepted()
    const size = await receiveBytes(ctx, sent, { partialId, lock })
    const sha256 = await partialFiles.digest(partialId)
    const filed = await fileIntake(ctx, { key, facts, name, size, sha256, partialId }, lock)
    await partialFiles.remove(partialId)
    return filed
  }
  const discard = async (error: unknown) => {
    // After any other error the transaction may have been committed; the sweep deletes what is left.
    if (error instanceof UserError) await partialFiles.remove(partialId)
    throw error
  }
  try {
    return await withIntakeLock(ctx, key, (lock) => receive(lock).catch(discard))
  } finally {
    sent.bytes.destroy()
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
