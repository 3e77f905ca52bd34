import type { FileFact } from '../../../../../shared/uploads/file-facts.ts'
import type { OpenedFile } from '../../../../platform/sandbox/opened-file.ts'
import type { SandboxLimits } from '../../../../platform/sandbox/sandbox.ts'
import type { FileDetails } from '../inspection.ts'
import type { DocumentFacts } from './archive-facts.ts'
import type { TextLine } from './cells.ts'
import { findFacts } from './find-facts.ts'
import { openOffice } from './office-xml.ts'
import { readSheetLines } from './sheet-lines.ts'
import { readDrawingLines, readWordLines } from './word-lines.ts'

/** Characters and lines that are read of a document. */
const MAX_TEXT_LENGTH = 200_000
const MAX_LINES = 50_000

export type OfficeFacts = {
  stated: FileFact[]
  details: Pick<FileDetails, 'unreadable' | 'noText' | 'reading'>
}

/** Returns what the text of a Word or Excel document says; one with malformed parts is damaged. */
export async function readOfficeFacts(
  file: OpenedFile | Buffer,
  kind: 'word' | 'sheet',
  limits: SandboxLimits,
): Promise<OfficeFacts> {
  const lines: TextLine[] = []
  let length = 0
  try {
    const office = await openOffice(file, limits)
    const add = (line: TextLine) => {
      if (line.text.trim() === '' || length > MAX_TEXT_LENGTH) return
      length += line.text.length
      lines.push({ ...line, text: line.text.slice(0, MAX_TEXT_LENGTH) })
      if (length > MAX_TEXT_LENGTH || lines.length >= MAX_LINES) office.stop()
    }
    if (kind === 'word') {
      await readWordLines(office, add)
    } else {
      await readSheetLines(office, add)
      await readDrawingLines(office, add)
    }
    const reading = office.isWhole() ? {} : ({ reading: 'incomplete' } as const)
    return { stated: findFacts(lines), details: lines.length === 0 ? { noText: true, ...reading } : reading }
  } catch {
    return { stated: findFacts(lines), details: { unreadable: 'damaged' } }
  }
}

/** Returns what a Word or Excel document says that is an entry of an archive. */
export async function readOfficeEntry(
  bytes: Buffer,
  kind: 'word' | 'sheet',
  limits: SandboxLimits,
): Promise<DocumentFacts> {
  const { stated, details } = await readOfficeFacts(bytes, kind, limits)
  const { unreadable, noText, reading } = details
  return { facts: stated, isReadable: !unreadable, hasText: !noText && !reading }
}
