import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'
import { dicomBytesToRead } from './facts/dicom-elements.ts'
import { findDicomFacts } from './facts/dicom-facts.ts'
import { isOfPerson } from './facts/distinct-facts.ts'
import type { FileDetails, Inspection } from './inspection.ts'

const HEAD_BYTES = 4096

/** Reads the tags at the beginning of a DICOM file; decodes no pixel. */
export async function inspectDicom(file: OpenedFile): Promise<Inspection> {
  const head = await file.read(0, HEAD_BYTES)
  const start = await file.read(0, dicomBytesToRead(head))
  const { facts: stated, details, isReadable } = await findDicomFacts(start, start.length === file.size)
  const facts: FileDetails = {
    ...(Object.keys(details).length > 0 && { dicom: details }),
    ...(isReadable ? !stated.some(isOfPerson) && { noText: true } : { unreadable: 'damaged' }),
  }
  return {
    accepted: true,
    kind: 'dicom',
    type: 'application/dicom',
    pageCount: null,
    text: null,
    facts,
    stated,
  }
}
