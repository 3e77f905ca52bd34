import { fileURLToPath } from 'node:url'
import {
  getDocument,
  PasswordException,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
// Otherwise pdf.js imports it by its path, which it does not have in a built worker.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import { findCnps } from '../../../../shared/romania/cnp.ts'
import type { Finding } from '../../../../shared/uploads/file-findings.ts'
import { processorSeconds } from '../../../platform/processor-seconds.ts'
import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'
import type { SandboxLimits } from '../../../platform/sandbox/sandbox.ts'
import { findActiveParts } from './content/pdf-findings.ts'
import { findActiveObjects } from './content/pdf-objects.ts'
import { isPlainPage } from './content/plain-page.ts'
import { findFacts, hasUnclearValue, type TextLine } from './facts/find-facts.ts'
import { readAnnotationLines, readPageLines } from './facts/pdf-facts.ts'
import { type FileDetails, type Inspection, MAX_PAGES_NAMED, rejectFile, withFindings } from './inspection.ts'
import { readBytesOf } from './trailing-data/file-bytes.ts'
import { judgePdfEnd } from './trailing-data/judge-end.ts'

const TYPE = 'application/pdf'
/** A PDF is read whole into memory; one that takes a larger part of it is accepted without its text. */
const MAX_PART_OF_MEMORY = 1 / 4
const MAX_PAGES = 50
const MAX_TEXT_LENGTH = 200_000
/** The part of the processor time for reading the text; the text read until then is kept. */
const READING_PART_OF_TIME = 1 / 2
/** The part of the processor time after which no further page is examined. */
const EXAMINING_PART_OF_TIME = 3 / 4

export type PdfTask = {
  /** Whether the PDF may confirm its patient; it is then also searched for content other than text. */
  mayConfirm: boolean
  /** Whether only active content is searched, because reading the text took too long before. */
  skipsText?: boolean
  limits: SandboxLimits
}

const resourceFolder = (name: string) => fileURLToPath(import.meta.resolve(`pdfjs-dist/${name}/`))

/**
 * Counts the pages, finds the facts on all of them, and returns the text of the first fifty, separated by a form
 * feed. A PDF with a password is accepted unread, as is one whose text is skipped. Names its active content. With
 * `mayConfirm` it also looks for content other than text.
 */
export async function inspectPdf(
  file: OpenedFile,
  { mayConfirm, skipsText = false, limits }: PdfTask,
): Promise<Inspection> {
  const accepted = {
    accepted: true,
    kind: 'pdf',
    type: TYPE,
    pageCount: null,
    text: null,
    facts: {},
    stated: [],
  } as const
  const end = readBytesOf(file.descriptor, judgePdfEnd)
  if (end !== 'clean') return rejectFile(end === 'foreign' ? 'trailing-data' : 'damaged')
  const unexamined = [{ kind: 'unexamined' }] as const
  if (file.size > limits.memory * MAX_PART_OF_MEMORY)
    return { ...accepted, facts: withFindings({ unreadable: 'too-large' }, unexamined) }
  const bytes = await file.read(0, file.size)
  const objects = [...findActiveObjects(bytes)].map((kind) => ({ kind }))
  const loading = openPdf(bytes)
  try {
    const document = await loading.promise
    const read = skipsText ? null : await readText(document, limits.seconds * READING_PART_OF_TIME)
    // A broken table of attachments does not make the pages unreadable.
    const parts = await findActiveParts(document).catch((): Finding[] => [...unexamined])
    const known = new Set<string>(parts.map(({ kind }) => kind))
    const findings = [...parts, ...objects.filter(({ kind }) => !known.has(kind))]
    const programs = findings.filter(({ kind }) => kind === 'executable')
    if (programs.length > 0) return rejectFile('executable', withFindings({}, programs))
    if (!read) {
      const facts = withFindings({ unreadable: 'too-large' }, [...findings, ...unexamined])
      return { ...accepted, pageCount: document.numPages, facts }
    }
    const isWhole =
      mayConfirm &&
      read.isWhole &&
      findings.length === 0 &&
      !hasUnclearValue(read.lines) &&
      (await isPlain(bytes, limits.seconds * EXAMINING_PART_OF_TIME)) &&
      (await (await import('./content/pdfium.ts')).isReadAlike(bytes, read.text.split('\f').slice(0, -1)))
    const { text, lines, details } = read
    const facts = withFindings(isWhole ? { ...details, wholeText: true } : details, findings)
    return { ...accepted, pageCount: document.numPages, text, facts, stated: findFacts(lines) }
  } catch (error) {
    return error instanceof PasswordException
      ? { ...accepted, facts: withFindings({ unreadable: 'locked' }, [...objects, ...unexamined]) }
      : rejectFile('damaged')
  } finally {
    await loading.destroy()
  }
}

/** Opens a PDF of which only the text and the structure are read; with `stopAtErrors` nothing unknown is left out. */
export const openPdf = (bytes: Buffer, { stopAtErrors = false } = {}): PDFDocumentLoadingTask =>
  getDocument({
    stopAtErrors,
    data: new Uint8Array(bytes),
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
    cMapUrl: resourceFolder('cmaps'),
    standardFontDataUrl: resourceFolder('standard_fonts'),
  })

/**
 * Whether each page of the PDF shows its text and nothing else but lines and boxes; false where that takes too long to
 * find out, or where a part of the PDF is not understood.
 */
async function isPlain(bytes: Buffer, seconds: number): Promise<boolean> {
  const loading = openPdf(bytes, { stopAtErrors: true })
  try {
    const document = await loading.promise
    if (document.isPureXfa || (await document.getAttachments()) || (await document.getFieldObjects()))
      return false
    for (let number = 1; number <= document.numPages; number += 1) {
      if (processorSeconds() > seconds || !(await isPlainPage(await document.getPage(number)))) return false
    }
    return true
  } catch {
    return false
  } finally {
    await loading.destroy()
  }
}

type PdfText = {
  /** Of the first MAX_PAGES pages. */
  text: string
  /** Whether it is the text of all pages, each of which has text. */
  isWhole: boolean
  /** Of all pages that were read within the limits of time and length. */
  lines: TextLine[]
  details: FileDetails
}

/**
 * Reads the text of the pages until the process has used `seconds` of processor time. Throws if the document says that it
 * has no pages: other viewers then count them by themselves, and show what was not read.
 */
export async function readText(document: PDFDocumentProxy, seconds: number): Promise<PdfText> {
  if (document.numPages < 1) throw new Error('no pages')
  let text = ''
  let length = 0
  let number = 1
  const lines: TextLine[] = []
  const empty: number[] = []
  for (; number <= document.numPages; number += 1) {
    if (processorSeconds() > seconds) break
    const page = await document.getPage(number)
    const content = await page.getTextContent()
    const isWithin = length <= MAX_TEXT_LENGTH
    let pageText = ''
    for (const item of content.items) if ('str' in item) pageText += item.hasEOL ? `${item.str}\n` : item.str
    if (pageText.trim() === '') empty.push(number)
    const notes = await readAnnotationLines(page)
    length += pageText.length + 1 + notes.reduce((sum, note) => sum + note.text.length, 0)
    if (number <= MAX_PAGES && isWithin) text += `${pageText}\f`
    for (const line of [...readPageLines(page, content), ...notes]) {
      // Of what is too long only the CNPs are read.
      if (isWithin || findCnps(line.text).length > 0) lines.push(line)
    }
    page.cleanup()
  }
  const isRead = number > document.numPages && length <= MAX_TEXT_LENGTH
  const noText = { noText: true, pagesWithoutText: empty.slice(0, MAX_PAGES_NAMED) } as const
  return {
    // PostgreSQL does not store NUL in a text.
    text: text.replaceAll('\0', '').slice(0, MAX_TEXT_LENGTH),
    isWhole: isRead && empty.length === 0 && document.numPages <= MAX_PAGES,
    lines,
    details: { ...(empty.length > 0 && noText), ...(!isRead && { reading: 'incomplete' }) },
  }
}
