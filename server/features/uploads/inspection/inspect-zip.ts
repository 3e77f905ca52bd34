import { fromFdPromise } from 'yauzl'
import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'
import { ArchiveRejected, walkArchive } from './content/walk-archive.ts'
import { type Inspection, rejectFile, withFindings } from './inspection.ts'

/**
 * Unpacks an archive or a document without keeping anything, and returns what is in it. Rejects one that would
 * harm the computer that unpacks it, that contains programs, or that cannot be examined.
 */
export async function inspectZip(file: OpenedFile, type: string): Promise<Inspection> {
  const kind = type === 'application/zip' ? 'zip' : 'other'
  try {
    const zip = await fromFdPromise(file.descriptor, { strictFileNames: true, autoClose: false })
    const { findings, ...contents } = await walkArchive(zip, kind === 'other')
    const { entries, names, unpacked } = contents
    const facts = withFindings(kind === 'zip' ? { entries, names, unpacked } : {}, findings)
    return { accepted: true, kind, type, pageCount: null, text: null, facts }
  } catch (error) {
    if (error instanceof ArchiveRejected) return rejectFile(error.reason, withFindings({}, error.findings))
    // More bytes come out than the archive says, or a name leads out of the folder.
    const message = error instanceof Error ? error.message : ''
    const unsafe = /^(invalid|absolute|too many bytes|file data overflows)/.test(message)
    const isLonger = message.startsWith('Invalid comment length')
    return rejectFile(unsafe ? 'zip-suspicious' : isLonger ? 'trailing-data' : 'damaged')
  }
}
