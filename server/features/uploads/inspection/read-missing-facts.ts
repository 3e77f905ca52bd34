import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { errorFields } from '../../../platform/log.ts'
import { selectFilesWithoutFacts, updateReadFacts } from '../files/files.db.ts'
import { authorIdOf } from '../uploads.access.ts'
import { replaceFacts } from './facts.db.ts'
import { inspectStoredFile } from './inspect-stored-file.ts'
import type { FileDetails, Inspection } from './inspection.ts'

const BATCH_SIZE = 50

/**
 * Reads the facts of files that were inspected before facts were kept, in uploads that are not decided or not
 * released yet. It changes no state and rejects no file; a file whose bytes are missing is tried again after
 * the next start.
 */
export async function readMissingFacts(ctx: Ctx<SystemActor>): Promise<void> {
  let after: string | null = null
  for (;;) {
    const files = await selectFilesWithoutFacts(ctx.db, after, BATCH_SIZE)
    for (const file of files) {
      try {
        const inspection = await inspectStoredFile(ctx, file, {
          mayConfirm: false,
          authorId: authorIdOf(file),
          scanner: null,
        })
        await saveFacts(ctx, file.id, inspection)
      } catch (error) {
        ctx.services.log.warn('upload: the facts of a file were not read', {
          file: file.id,
          ...errorFields(error),
        })
      }
    }
    if (files.length < BATCH_SIZE) return
    after = files.at(-1)!.id
  }
}

const saveFacts = (ctx: Ctx<SystemActor>, id: string, inspection: Inspection): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    // Nothing of a file that was purged, or read by another run, in between.
    if (!(await updateReadFacts(tx.db, id, readingDetails(inspection), tx.now))) return
    if (inspection.accepted) await replaceFacts(tx.db, id, inspection.stated)
  })

/** Returns what the inspection adds to the details of the file; what today's rules reject counts as damaged. */
function readingDetails(inspection: Inspection): FileDetails {
  if (!inspection.accepted) return { unreadable: 'damaged' }
  const { unreadable, noText, pagesWithoutText, reading, factsCut, unreadEntries } = inspection.facts
  return { unreadable, noText, pagesWithoutText, reading, factsCut, unreadEntries } as FileDetails
}
