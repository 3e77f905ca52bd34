import { fileTypeFromBlob } from 'file-type'
import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'
import { isProgram } from './content/recognise-program.ts'
import { keepWithin } from './facts/distinct-facts.ts'
import { findFactsInName } from './facts/file-name-facts.ts'
import { findTextFacts, isUnclearText } from './facts/text-facts.ts'
import { factsOfCnps, summarizeCnps } from './found-cnps.ts'
import type { PdfTask } from './inspect-pdf.ts'
import { findLaterCnps, isPlainText, readText } from './inspect-text.ts'
import { DOCX, inspectZip, XLSX } from './inspect-zip.ts'
import {
  type FileDetails,
  type Inspection,
  MAX_IMAGE_PIXELS,
  rejectFile,
  withFindings,
} from './inspection.ts'
import { HEAD_BYTES, recogniseHead } from './recognise-file.ts'
import { readBytesOf } from './trailing-data/file-bytes.ts'
import { judgeJpegEnd, judgePngEnd } from './trailing-data/judge-end.ts'

/** What is known of a file to inspect; `mayConfirm`: it may confirm its patient without a reviewer. */
export type InspectionTask = PdfTask & { name: string }

/** The part of the processor time after which the rest of a long text is not searched. */
const SEARCHING_PART_OF_TIME = 1 / 2
/** The header of an image, with its metadata, is at the beginning. */
const MAX_IMAGE_HEADER_BYTES = 64 * 1024 ** 2

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
 * Determines what an untrusted file is by its content, whether it is accepted, and what it and its name say of its
 * patient.
 * The extension must match the content: a text named `.html` would run in the reader's browser. It may throw
 * or never return: call it in the sandbox.
 */
export async function inspectFile(task: InspectionTask, file: OpenedFile): Promise<Inspection> {
  const inspection = await inspectByType(task, file)
  if (!inspection.accepted) return inspection
  const cnps = inspection.text === null ? undefined : summarizeCnps(inspection.text)
  const found = [...inspection.stated, ...findFactsInName(task.name), ...(cnps ? factsOfCnps(cnps) : [])]
  const { facts: stated, isCut } = keepWithin(found)
  const facts = isCut || cnps?.isCut ? { ...inspection.facts, factsCut: true as const } : inspection.facts
  return { ...inspection, facts, stated, ...(cnps && { cnps }) }
}

/** Imports a large parser only for its type, since each file has a process of its own. */
async function inspectByType(task: InspectionTask, file: OpenedFile): Promise<Inspection> {
  const { name, mayConfirm } = task
  const extension = /\.([^.]*)$/.exec(name.toLowerCase())?.[1] ?? ''
  const head = await file.read(0, HEAD_BYTES)
  const type = await findType(file, head, extension)
  if (!type) return rejectFile(isProgram(head) ? 'executable' : 'type-not-allowed')
  if (!EXTENSIONS[type]?.test(extension)) return rejectFile('extension-mismatch')
  const plain = { accepted: true, type, pageCount: null, text: null, facts: {}, stated: [] } as const
  switch (type) {
    case 'application/pdf':
      return (await import('./inspect-pdf.ts')).inspectPdf(file, task)
    case 'image/jpeg':
    case 'image/png':
      return inspectImage(file, type)
    case 'application/zip':
    case DOCX:
    case XLSX:
      return inspectZip(file, type, task.limits)
    case 'application/dicom':
      return (await import('./inspect-dicom.ts')).inspectDicom(file)
    default: {
      const { text, isWhole, isGuessed } = await readText(file)
      // A CSV table is more often a list of people than one person's result.
      const confirms = mayConfirm && isWhole && type === 'text/plain' && !isUnclearText(text)
      const later = isWhole ? [] : await findLaterCnps(file, task.limits.seconds * SEARCHING_PART_OF_TIME)
      const stated = [...findTextFacts(text, type === 'text/csv', isGuessed), ...later]
      const facts: FileDetails = {
        ...(confirms && { wholeText: true }),
        ...(!isWhole && { reading: 'incomplete' }),
      }
      return { ...plain, kind: 'other', text, facts, stated }
    }
  }
}

/** Returns the type by content, or null if it is not accepted. Two detectors must agree. */
async function findType(file: OpenedFile, head: Buffer, extension: string): Promise<string | null> {
  if (isProgram(head)) return null
  const { type } = recogniseHead(head)
  if (type === 'application/octet-stream') {
    if (!(await isPlainText(file))) return null
    return extension === 'csv' ? 'text/csv' : 'text/plain'
  }
  if (type === 'application/dicom') return hasHarmlessPreamble(head) ? type : null
  // A file of another type that a DICOM viewer would open too.
  if (head.subarray(128).equals(Buffer.from('DICM'))) return null
  const found = (await fileTypeFromBlob(asBlob(file)))?.mime ?? type
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

/** Reads the image's header and finds its end; decodes no pixel. */
async function inspectImage(file: OpenedFile, type: string): Promise<Inspection> {
  const header = await file.read(0, MAX_IMAGE_HEADER_BYTES)
  const { default: sharp } = await import('sharp')
  try {
    const {
      width,
      height,
      orientation = 1,
    } = await sharp(header, { limitInputPixels: MAX_IMAGE_PIXELS }).metadata()
    const end = readBytesOf(file.descriptor, type === 'image/png' ? judgePngEnd : judgeJpegEnd)
    if (end === 'foreign') return rejectFile('trailing-data')
    if (end === 'missing') return rejectFile('damaged')
    const turned = orientation >= 5
    const facts = turned ? { width: height, height: width } : { width, height }
    const findings = end === 'media' ? ([{ kind: 'appended-media' }] as const) : []
    return {
      accepted: true,
      kind: 'image',
      type,
      pageCount: null,
      text: null,
      facts: withFindings({ ...facts, noText: true }, findings),
      stated: [],
    }
  } catch (error) {
    const large = error instanceof Error && error.message.includes('pixel limit')
    return rejectFile(large ? 'too-many-pixels' : 'damaged')
  }
}

/** Returns what `fileTypeFromBlob` uses of a Blob, since Node makes one only of a path. */
const asBlob = (file: OpenedFile): Blob =>
  ({
    size: file.size,
    type: '',
    slice: (start: number, end: number) => ({
      arrayBuffer: async () => {
        const { buffer, byteOffset, byteLength } = await file.read(start, end - start)
        return buffer.slice(byteOffset, byteOffset + byteLength)
      },
    }),
  }) as unknown as Blob
