import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  getDocument,
  OPS,
  PasswordException,
  type PDFDocumentProxy,
  type PDFPageProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type Inspection, rejectFile } from './inspection.ts'

const TYPE = 'application/pdf'
/** A PDF is read whole into memory; a larger one is let in without its text. */
const MAX_READ_BYTES = 256 * 1024 ** 2
const MAX_PAGES = 50
const MAX_TEXT_LENGTH = 200_000
/** Milliseconds for the text; what was read until then is kept. */
const READ_TIMEOUT_MS = 20_000

const resourceFolder = (name: string) => fileURLToPath(import.meta.resolve(`pdfjs-dist/${name}/`))

/**
 * Counts the pages and reads the text of the first fifty, pages apart by a form feed. A PDF with a password is let in,
 * unread. Only where it `mayConfirm` its patient by itself is it looked at for what its text does not tell.
 */
export async function inspectPdf(path: string, mayConfirm: boolean): Promise<Inspection> {
  const accepted = {
    accepted: true,
    kind: 'pdf',
    type: TYPE,
    pageCount: null,
    text: null,
    facts: {},
  } as const
  if ((await stat(path)).size > MAX_READ_BYTES) return { ...accepted, facts: { unread: true } }
  const loading = getDocument({
    data: new Uint8Array(await readFile(path)),
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
    cMapUrl: resourceFolder('cmaps'),
    standardFontDataUrl: resourceFolder('standard_fonts'),
  })
  try {
    const document = await loading.promise
    const { text, isWhole: isRead } = await readText(document)
    const isWhole = mayConfirm && isRead && !(await hidesMore(document))
    return { ...accepted, pageCount: document.numPages, text, facts: isWhole ? { wholeText: true } : {} }
  } catch (error) {
    return error instanceof PasswordException
      ? { ...accepted, facts: { locked: true } }
      : rejectFile('damaged')
  } finally {
    await loading.destroy()
  }
}

const PICTURES: ReadonlySet<number> = new Set([
  OPS.paintImageXObject,
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObject,
  OPS.paintImageMaskXObjectGroup,
  OPS.paintImageMaskXObjectRepeat,
  OPS.paintInlineImageXObject,
  OPS.paintInlineImageXObjectGroup,
  OPS.paintSolidColorImageMask,
])

/** Whether there is anything in it besides text and lines: a picture, a note, a form, an attached file. */
async function hidesMore(document: PDFDocumentProxy): Promise<boolean> {
  if (document.isPureXfa || (await document.getAttachments()) || (await document.getFieldObjects()))
    return true
  for (let number = 1; number <= document.numPages; number += 1) {
    if (await pageHidesMore(await document.getPage(number))) return true
  }
  return false
}

async function pageHidesMore(page: PDFPageProxy): Promise<boolean> {
  const annotations = await page.getAnnotations()
  if (annotations.some(({ subtype }) => subtype !== 'Link')) return true
  const { fnArray } = await page.getOperatorList()
  page.cleanup()
  return fnArray.some((operation) => PICTURES.has(operation))
}

/** `isWhole`: every page was read, and has text. */
async function readText(document: PDFDocumentProxy): Promise<{ text: string; isWhole: boolean }> {
  const deadline = Date.now() + READ_TIMEOUT_MS
  let text = ''
  let told = 0
  for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number += 1) {
    if (text.length > MAX_TEXT_LENGTH || Date.now() > deadline) break
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const before = text.length
    for (const item of items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str
    if (text.slice(before).trim() !== '') told += 1
    text += '\f'
    page.cleanup()
  }
  // PostgreSQL keeps no NUL in a text.
  const isWhole = told === document.numPages && text.length <= MAX_TEXT_LENGTH
  return { text: text.replaceAll('\0', '').slice(0, MAX_TEXT_LENGTH), isWhole }
}
