import { type FileBytes, findBytes } from './file-bytes.ts'

const END = Buffer.from('%%EOF')
/** What follows the end of an earlier version of the file: objects, a table, or the rest of an attached PDF. */
const CONTINUES = /(?:^|[\s>])(?:\d{1,10}\s+\d{1,5}\s+obj|xref|startxref|trailer|endstream)\b/

/**
 * Returns the position after the last `%%EOF` of a PDF; null if there is none. Updates are appended to a PDF,
 * each with an end of its own: an end that is not followed by an update within `limit` bytes is the last one.
 */
export function findPdfEnd(file: FileBytes, limit: number): number | null {
  let at = findBytes(file, END, 0)
  if (at < 0) return null
  for (;;) {
    const end = at + END.length
    const next = findBytes(file, END, end)
    if (next < 0) return end
    const between = file.read(end, Math.min(next, end + limit)).toString('latin1')
    if (next - end > limit && !CONTINUES.test(between)) return end
    at = next
  }
}
