import { fileTypeFromFile } from 'file-type'
import sharp from 'sharp'
import { summarizeCnps } from './found-cnps.ts'
import { inspectPdf } from './inspect-pdf.ts'
import { isPlainText, readText } from './inspect-text.ts'
import { inspectZip } from './inspect-zip.ts'
import { type Inspection, rejectFile } from './inspection.ts'
import { readHead, recogniseHead } from './recognise-file.ts'

/** A file to inspect: its local path and its name. */
export type InspectionTask = {
  path: string
  name: string
  /** Whether the file may confirm its patient without a reviewer, which needs a closer inspection. */
  mayConfirm: boolean
}

const MAX_PIXELS = 100_000_000
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The accepted types, each with the extensions allowed for it; none is a type that a browser runs. */
const EXTENSIONS: Readonly<Record<string, RegExp>> = {
  'application/pdf': /^pdf$/,
  'image/jpeg': /^(jpe?g|jpe|jfif)$/,
  'image/png': /^png$/,
  // Scanners use numbers as extensions, or no extension at all.
  'application/dicom': /^(dcm|dicom|dic|ima|\d*)$/,
  'application/zip': /^zip$/,
  [DOCX]: /^docx$/,
  [XLSX]: /^xlsx$/,
  'text/plain': /^txt$/,
  'text/csv': /^csv$/,
}

/**
 * Determines what an untrusted file is by its content, whether it is accepted, and which CNPs its text has.
 * The extension must match the content: a text named `.html` would run in the reader's browser. It may throw
 * or never return: call it in the sandbox.
 */
export async function inspectFile(task: InspectionTask): Promise<Inspection> {
  const inspection = await inspectByType(task)
  if (!inspection.accepted || inspection.text === null) return inspection
  return { ...inspection, cnps: summarizeCnps(inspection.text) }
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
      // A CSV table is more often a list of people than one person's result.
      const confirms = mayConfirm && isWhole && type === 'text/plain'
      return { ...plain, kind: 'other', text, facts: confirms ? { wholeText: true } : {} }
    }
  }
}

/** Returns the type by content, or null if it is not accepted. Two detectors must agree. */
async function findType(path: string, extension: string): Promise<string | null> {
  const head = await readHead(path)
  const { type } = recogniseHead(head)
  if (type === 'application/octet-stream') {
    if (!(await isPlainText(path))) return null
    return extension === 'csv' ? 'text/csv' : 'text/plain'
  }
  if (type === 'application/dicom') return hasHarmlessPreamble(head) ? type : null
  // A file of another type that a DICOM viewer would open too.
  if (head.subarray(128).equals(Buffer.from('DICM'))) return null
  const found = (await fileTypeFromFile(path))?.mime ?? type
  const office = type === 'application/zip' && (found === DOCX || found === XLSX)
  return found === type || office ? found : null
}

/**
 * Whether the first 128 bytes of a DICOM file, which may contain anything, even a program, are zeros or a
 * TIFF header: the only two contents in legitimate use.
 */
function hasHarmlessPreamble(head: Buffer): boolean {
  const preamble = head.subarray(0, 128)
  const tiff = ['II*\0', 'MM\0*'].includes(preamble.toString('latin1', 0, 4))
  return tiff || preamble.every((byte) => byte === 0)
}

/** Reads only the image's header; decodes no pixel. */
async function inspectImage(path: string, type: string): Promise<Inspection> {
  try {
    const { width, height, orientation = 1 } = await sharp(path, { limitInputPixels: MAX_PIXELS }).metadata()
    const turned = orientation >= 5
    const facts = turned ? { width: height, height: width } : { width, height }
    return { accepted: true, kind: 'image', type, pageCount: null, text: null, facts }
  } catch (error) {
    const large = error instanceof Error && error.message.includes('pixel limit')
    return rejectFile(large ? 'too-many-pixels' : 'damaged')
  }
}
