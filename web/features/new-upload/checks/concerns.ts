import { isTemporary } from '../../../api/client-error.ts'
import type { Confirmation } from '../engine/submission.ts'
import type { FileCheck } from '../new-upload.queries.ts'
import { describeCheck } from './file-statement.ts'

/** What the user is asked about before an upload is submitted. */
export type Concern = { key: string; name: string; text: string }

export const listConcerns = (checks: Iterable<FileCheck>, patientId: string | null): Concern[] =>
  [...checks].flatMap((check) => {
    const { isConcern, text } = describeCheck(check, patientId ?? '')
    return isConcern ? [{ key: `${check.file.sha256} ${text}`, name: check.file.name, text }] : []
  })

/** Between two questions whether the files are read. */
const READ_DELAY_MS = 700
/** The submission waits so often: what is read later holds the upload in the review. */
const MAX_READS = 12

/**
 * Reads what the files of an upload say, waiting for a moment until they are read, and lets `ask` decide about what
 * concerns the user.
 */
export async function confirmFiles(
  read: () => Promise<{
    version: number
    checks: readonly { state: string }[]
    concerns: readonly Concern[]
  }>,
  ask: (concerns: readonly Concern[]) => Promise<boolean>,
): Promise<Confirmation> {
  try {
    for (let reads = 1; ; reads += 1) {
      const { version, checks, concerns } = await read()
      if (reads < MAX_READS && checks.some(({ state }) => state === 'WAITING')) {
        await new Promise((resolve) => setTimeout(resolve, READ_DELAY_MS))
        continue
      }
      if (concerns.length > 0 && !(await ask(concerns))) return { kind: 'declined' }
      return { kind: 'confirmed', version }
    }
  } catch (error) {
    return { kind: 'refused', error, isUnreachable: isTemporary(error) }
  }
}
