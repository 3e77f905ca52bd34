import { fileTypeFromFile } from 'file-type'
import sharp from 'sharp'
import { searchCnps } from './found-cnps.ts'
import { inspectPdf } from './inspect-pdf.ts'
import { isPlainText, readText } from './inspect-text.ts'
import { inspectZip } from './inspect-zip.ts'
import { type Inspection, rejectFile } from './inspection.ts'
import { readHead, recogniseHead } from './recognise-file.ts'

export type InspectionTask = {
  path: string
  name: string
  /** Whether it may be accepted by what it says itself: then it is looked at more closely. */
  mayConfirm: boolean
}

const MAX_PIXELS = 100_000_000
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The types that are let in, each with the extensions its name may have; nothing that a browser would run. */
const EXTENSIONS: Readonly<Record<string, RegExp>> = {
  'application/pdf': /^pdf$/,
  'image/jpeg': /^(jpe?g|jpe|jfif)$/,
  'image/png': /^png$/,
  // Scanners number their files, or give them no extension at all.
  'application/dicom': /^(dcm|dicom|dic|ima|\d*)$/,
  'application/zip': /^zip$/,
  [DOCX]: /^docx$/,
  [XLSX]: /^xlsx$/,
  'text/plain': /^txt$/,
  'text/csv': /^csv$/,
}

/**
 * Says what an untrusted file is, by its content alone, whether it is accepted, and which CNPs its text holds. The
 * extension must agree: a text named `.html` runs on the machine of the reader. It may throw or never return: call it in the
 * sandbox.
 */
export async function inspectFile(task: InspectionTask): Promise<Inspection> {
  const inspection = await inspectByType(task)
  if (!inspection.accepted || inspection.text === null) return inspection
  return { ...inspection, cnps: searchCnps(inspection.text) }
}

async function inspectByType({ path, name, mayConfirm }: InspectionTask): Promise<Inspection> {
  const extension = /\.([^.]*)$/.exec(name.toLowerCase())?.[1] ?? ''
  const type = await findType(path, extension)
  if (!type) return rejectFile('type-not-allowed')
  if (!EXTENSIONS[type]?.test(extension)) return rejectFile('extension-mismatch')
  const plain = { accepted: true, type, pageCount: null, text: null, facts: {} } as const
  switch (type) {
    case 'application/pdf':
      return inspectPdf(path, mayConfirm)
    case 'image/jpeg':
    case 'image/png':
      return inspectImage(path, type)
    case 'application/zip':
    case DOCX:
    case XLSX:
      return inspectZip(path, type)
    case 'application/dicom':
      return { ...plain, kind: 'dicom' }
    default: {
      const { text, isWhole } = await readText(path)
      // A table is a list of people more often than one person's result.
      const confirms = mayConfirm && isWhole && type === 'text/plain'
      return { ...plain, kind: 'other', text, facts: confirms ? { wholeText: true } : {} }
    }
  }
}

/** The type by content, or null for what is not let in; two detectors have to agree. */
async function findType(path: string, extension: string): Promise<string | null> {
  const head = await readHead(path)
  const { type } = recogniseHead(head)
  if (type === 'application/octet-stream') {
    if (!(await isPlainText(path))) return null
    return extension === 'csv' ? 'text/csv' : 'text/plain'
  }
  if (type === 'application/dicom') return hasHarmlessPreamble(head) ? type : null
  // Something else at the front of what a DICOM viewer would open as well.
  if (head.subarray(128).equals(Buffer.from('DICM'))) return null
  const found = (await fileTypeFromFile(path))?.mime ?? type
  const office = type === 'application/zip' && (found === DOCX || found === XLSX)
  return found === type || office ? found : null
}

/** The first 128 bytes of a DICOM are free for anything, also for a program; only none and TIFF are in honest use. */
function hasHarmlessPreamble(head: Buffer): boolean {
  const preamble = head.subarray(0, 128)
  const tiff = ['II*\0', 'MM\0*'].includes(preamble.toString('latin1', 0, 4))
  return tiff || preamble.every((byte) => byte === 0)
}

/** Only the header is read; no pixel is decoded. */
async function inspectImage(path: string, type: string): Promise<Inspection> {
  try {
    const { width, height, orientation = 1 } = await sharp(path, { limitInputPixels: MAX_PIXELS }).metadata()
    const turned = orientation >= 5
    const details = turned ? { width: height, height: width } : { width, height }
    return { accepted: true, kind: 'image', type, pageCount: null, text: null, facts: details }
  } catch (error) {
    const large = error instanceof Error && error.message.includes('pixel limit')
    return rejectFile(large ? 'too-many-pixels' : 'damaged')
  }
}
