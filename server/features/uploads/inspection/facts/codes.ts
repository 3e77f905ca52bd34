import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, type ReadResult, readBarcodes } from 'zxing-wasm/reader'
import { parseCnp } from '../../../../../shared/romania/cnp.ts'
import type { FactPlace, FileFact } from '../../../../../shared/uploads/file-facts.ts'
import { processorSeconds } from '../../../../platform/processor-seconds.ts'
import type { OpenedFile } from '../../../../platform/sandbox/opened-file.ts'
import { type Drawing, drawPage, drawPicture, openPdf } from '../draw-pages.ts'
import type { KeptFacts } from './distinct-facts.ts'
import { findFacts } from './find-facts.ts'

/** `pages`, from 1, are those of a PDF that have no text; a picture has the page 1. */
export type CodesTask = { kind: 'pdf' | 'image'; pages: readonly number[]; seconds: number }

/** The longer side of an A4 page at 300 dpi: enough for codes that people scan. */
const SIDE_PIXELS = 3508
const MAX_PAGES = 10
const MAX_CODES_OF_PAGE = 20
const MAX_CODE_FACTS = 2_000
/** The part of the processor time after which no further page is drawn. */
const DRAWING_PART_OF_TIME = 1 / 2

/**
 * Returns what the bar codes on a picture or on pages of a PDF say, each fact once a page; `isCut`: not
 * all of it. It may throw or never return: call it in the sandbox.
 */
export async function readCodes({ kind, pages, seconds }: CodesTask, file: OpenedFile): Promise<KeptFacts> {
  await loadReader()
  const facts = new Map<string, FileFact>()
  let isCut = false
  for await (const { number, drawing } of draw(kind, pages, seconds, file)) {
    const codes = await findCodes(drawing)
    // Further codes are not read.
    isCut ||= codes.length >= MAX_CODES_OF_PAGE
    for (const code of codes) {
      const place = { in: 'code', page: number, box: boxOf(code, drawing) } as const
      for (const fact of factsOfCode(code.text, place)) {
        const key = `${fact.kind} ${fact.value} ${number}`
        if (!facts.has(key)) facts.set(key, fact)
      }
    }
  }
  return { facts: [...facts.values()].slice(0, MAX_CODE_FACTS), isCut: isCut || facts.size > MAX_CODE_FACTS }
}

async function* draw(
  kind: CodesTask['kind'],
  pages: readonly number[],
  seconds: number,
  file: OpenedFile,
): AsyncGenerator<{ number: number; drawing: Drawing }> {
  if (kind === 'image') return yield { number: 1, drawing: await drawPicture(file, SIDE_PIXELS) }
  const document = await openPdf(file)
  for (const number of pages.slice(0, MAX_PAGES)) {
    if (processorSeconds() > seconds * DRAWING_PART_OF_TIME) return
    yield { number, drawing: await drawPage(document, number, SIDE_PIXELS) }
  }
}

/** The module would otherwise load its code from the network. */
async function loadReader(): Promise<void> {
  const path = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
  const { buffer: wasmBinary } = Uint8Array.from(await readFile(path))
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
}

const findCodes = ({ data, width, height }: Drawing): Promise<ReadResult[]> =>
  readBarcodes({ data: Uint8ClampedArray.from(data), width, height, colorSpace: 'srgb' } as ImageData, {
    formats: ['Code128', 'QRCode', 'DataMatrix', 'PDF417'],
    maxNumberOfSymbols: MAX_CODES_OF_PAGE,
  })

const round = (part: number) => Math.min(1, Math.max(0, Math.round(part * 1000) / 1000))

function boxOf({ position }: ReadResult, { width, height }: Drawing): NonNullable<FactPlace['box']> {
  const corners = [position.topLeft, position.topRight, position.bottomLeft, position.bottomRight]
  const [left, right] = [Math.min, Math.max].map((pick) => pick(...corners.map(({ x }) => x)) / width)
  const [top, bottom] = [Math.min, Math.max].map((pick) => pick(...corners.map(({ y }) => y)) / height)
  return [round(left!), round(top!), round(right! - left!), round(bottom! - top!)]
}

/** Returns what a code says: a CNP or an accession number alone, or facts with their names, one a line. */
export function factsOfCode(text: string, place: FactPlace): FileFact[] {
  const said = text.trim()
  if (/^\d{13}$/.test(said) && parseCnp(said).ok) return [{ kind: 'cnp', value: said, place }]
  if (isAccession(said)) return [{ kind: 'accession', value: said, place }]
  const lines = said.split(SEPARATORS).filter((line) => line.trim() !== '')
  return findFacts(lines.map((line) => ({ text: line.trim(), place })))
}

/** Ends of lines, and what programs write between the fields of a code. */
const SEPARATORS = /[\p{Cc};|]+/u
const TOKEN = /^[A-Z0-9]+(?:[-./][A-Z0-9]+)*$/i
const ACCESSION_LENGTHS = { least: 5, most: 20 }
const LEAST_DIGITS = 4
const DATE = /^(?:\d{4}[-./]\d{2}[-./]\d{2}|\d{2}[-./]\d{2}[-./]\d{4})$/

/**
 * Whether a code that has nothing else may be the number of an examination: letters and digits, enough of them to
 * be no page number. A date is none, nor is a number that is nearly a CNP.
 */
function isAccession(said: string): boolean {
  if (said.length < ACCESSION_LENGTHS.least || said.length > ACCESSION_LENGTHS.most) return false
  if (!TOKEN.test(said) || DATE.test(said) || said.replace(/\D/g, '').length < LEAST_DIGITS) return false
  const cnp = parseCnp(said)
  return !cnp.ok && !['serial', 'check-digit', 'future'].includes(cnp.reason)
}
