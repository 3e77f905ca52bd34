import { fromFdPromise } from 'yauzl'
import { processorSeconds } from '../../../platform/processor-seconds.ts'
import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'
import type { SandboxLimits } from '../../../platform/sandbox/sandbox.ts'
import { ArchiveRejected, walkArchive } from './content/walk-archive.ts'
import { type DocumentReaders, openArchiveReader } from './facts/archive-facts.ts'
import { type Inspection, rejectFile, withFindings } from './inspection.ts'

const ZIP = 'application/zip'
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** The part of the processor time after which no further entry is read; the others are still unpacked. */
const READING_PART_OF_TIME = 1 / 2

/**
 * Unpacks an archive or a document without keeping anything, and returns what is in it. Rejects one that would
 * harm the computer that unpacks it, that contains programs, or that cannot be examined.
 */
export async function inspectZip(file: OpenedFile, type: string, limits: SandboxLimits): Promise<Inspection> {
  const kind = type === ZIP ? 'zip' : 'other'
  const accepted = { accepted: true, kind, type, pageCount: null, text: null } as const
  try {
    const zip = await fromFdPromise(file.descriptor, { strictFileNames: true, autoClose: false })
    if (kind === 'other') {
      const { findings } = await walkArchive(zip, null)
      const { readOfficeFacts } = await import('./facts/office-facts.ts')
      const { stated, details } = await readOfficeFacts(file, type === XLSX ? 'sheet' : 'word', limits)
      return { ...accepted, facts: withFindings(details, findings), stated }
    }
    const readUntil = limits.seconds * READING_PART_OF_TIME
    // Imported with the first document, since the parsers are large.
    const readers: DocumentReaders = {
      pdf: async (bytes) => (await import('./facts/read-pdf-entry.ts')).readPdfEntry(bytes, readUntil),
      office: async (bytes, kind) =>
        (await import('./facts/office-facts.ts')).readOfficeEntry(bytes, kind, limits),
    }
    const reader = openArchiveReader(readers, () => processorSeconds() < readUntil)
    const { findings, ...contents } = await walkArchive(zip, reader.read)
    const { stated, details } = reader.finish()
    return { ...accepted, facts: withFindings({ ...contents, ...details }, findings), stated }
  } catch (error) {
    if (error instanceof ArchiveRejected) return rejectFile(error.reason, withFindings({}, error.findings))
    // More bytes come out than the archive says, or a name leads out of the folder.
    const message = error instanceof Error ? error.message : ''
    const unsafe = /^(invalid|absolute|too many bytes|file data overflows)/.test(message)
    const isLonger = message.startsWith('Invalid comment length')
    return rejectFile(unsafe ? 'zip-suspicious' : isLonger ? 'trailing-data' : 'damaged')
  }
}
