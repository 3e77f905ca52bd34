import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { stripInvisible } from '../../../../../shared/invisible-characters.ts'
import type { Finding } from '../../../../../shared/uploads/file-findings.ts'
import { isRunnable } from './recognise-program.ts'

const MAX_NAME_LENGTH = 300
const HEAD_BYTES = 4096
/** Attached files that are looked into; each is unpacked whole. */
const MAX_ATTACHMENTS = 20

/**
 * Returns the scripts and the attached files that pdf.js finds; it also reads objects that are encrypted
 * without a password. An attached program is `executable`.
 */
export async function findActiveParts(document: PDFDocumentProxy): Promise<Finding[]> {
  const findings: Finding[] = []
  if ((await document.hasJSActions()) || (await document.getJSActions()))
    findings.push({ kind: 'pdf-script' })
  const attachments = [...((await document.getAttachments()) ?? [])]
  for (const [id, { filename }] of attachments.slice(0, MAX_ATTACHMENTS)) {
    const content = await document.getAttachmentContent(id)
    const where = stripInvisible(filename).slice(0, MAX_NAME_LENGTH).toWellFormed()
    const head = Buffer.from(content?.subarray(0, HEAD_BYTES) ?? [])
    findings.push({ kind: isRunnable(filename, head) ? 'executable' : 'pdf-attachment', where })
  }
  if (attachments.length > MAX_ATTACHMENTS) findings.push({ kind: 'unexamined' })
  return findings
}
