import { fromFdPromise } from 'yauzl'
import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'
import type { SandboxLimits } from '../../../platform/sandbox/sandbox.ts'
import { ArchiveRejected, walkArchive } from './content/walk-archive.ts'
import { type Inspection, rejectFile, withFindings } from './inspection.ts'

const ZIP = 'application/zip'
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * Unpacks an archive or a document without keeping anything, and returns what is in it. Rejects one that would
 * harm the computer that unpacks it, that contains programs, or that cannot be examined.
 */
export async function inspectZip(file: OpenedFile, type: string, limits: SandboxLimits): Promise<Inspection> {
  const kind = type === ZIP ? 'zip' : 'other'
  try {
    const zip = await fromFdPromise(file.descriptor, { strictFileNames: true, autoClose: false })
    const { findings, ...contents } = await walkArchive(zip, kind === 'other')
    const { entries, names, unpacked } = contents
    const facts = withFindings(kind === 'zip' ? { entries, names, unpacked } : {}, findings)
    const accepted = { accepted: true, kind, type, pageCount: null, text: null, facts, stated: [] } as const
    if (kind === 'zip') return accepted
    const { readOfficeFacts } = await import('./facts/office-facts.ts')
    const { stated, details } = await readOfficeFacts(file, type === XLSX ? 'sheet' : 'word', limits)
    return { ...accepted, facts: { ...facts, ...details }, stated }
  } catch (error) {
    if (error instanceof ArchiveRejected) return rejectFile(error.reason, withFindings({}, error.findings))
    // More bytes come out than the archive says, or a name leads out of the folder.
    const message = error instanceof Error ? error.message : ''
    const unsafe = /^(invalid|absolute|too many bytes|file data overflows)/.test(message)
    const isLonger = message.startsWith('Invalid comment length')
    return rejectFile(unsafe ? 'zip-suspicious' : isLonger ? 'trailing-data' : 'damaged')
  }
}
