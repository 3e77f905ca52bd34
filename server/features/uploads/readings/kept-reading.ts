import type { Ctx } from '../../../context.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { type ReadingRow, selectReadingsWithText } from './readings.db.ts'

/** Raised with each change of what an inspection returns: the check then reads files again that were read before it. */
export const READER_VERSION = 2

/**
 * Returns the inspections of an upload's files that its check can use instead of inspecting them again. It still scans them,
 * and applies the site's settings.
 */
export async function findKeptInspections(
  { db }: Ctx,
  uploadId: string,
  mayConfirm: boolean,
): Promise<ReadonlyMap<string, Inspection>> {
  const rows = await selectReadingsWithText(db, uploadId)
  const usable = rows.filter((row) => isUsable(row, mayConfirm))
  return new Map(usable.map(({ file_id, inspection }) => [file_id, reusedFor(inspection, mayConfirm)]))
}

/** A file with malware was not inspected, and an inspection that was not finished may succeed now. */
const isUsable = ({ reader, may_confirm, inspection }: ReadingRow, mayConfirm: boolean): boolean =>
  reader === READER_VERSION &&
  (may_confirm || !mayConfirm) &&
  (inspection.accepted ||
    (inspection.facts.reason !== 'infected' && inspection.facts.reason !== 'unreadable'))

/** Returns the inspection without the result of its scan, and confirming no patient unless it may. */
function reusedFor(inspection: Inspection, mayConfirm: boolean): Inspection {
  if (!inspection.accepted) return inspection
  const { isScanned: _isScanned, facts, ...rest } = inspection
  const { scan: _scan, wholeText, ...details } = facts
  return { ...rest, facts: { ...details, ...(mayConfirm && wholeText && { wholeText }) } }
}
