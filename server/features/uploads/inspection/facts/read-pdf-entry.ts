import { openPdf, readText } from '../inspect-pdf.ts'
import type { DocumentFacts } from './archive-facts.ts'
import { findFacts } from './find-facts.ts'

/**
 * Returns what a PDF that is an entry of an archive says, read until the process has used `seconds` of processor time. A
 * damaged one and one with a password are not readable.
 */
export async function readPdfEntry(bytes: Buffer, seconds: number): Promise<DocumentFacts> {
  const loading = openPdf(bytes)
  try {
    const { lines, details } = await readText(await loading.promise, seconds)
    return { facts: findFacts(lines), isReadable: true, hasText: !details.noText && !details.reading }
  } catch {
    return { facts: [], isReadable: false, hasText: false }
  } finally {
    await loading.destroy()
  }
}
