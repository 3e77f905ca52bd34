import { readFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import sharp, { type OverlayOptions } from 'sharp'
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer'
import { makeRawPdf, streamOf } from '../hostile-files.ts'

export type Code = { format: WriteInputBarcodeFormat; text: string }

/** How well a page was scanned; without a value it is clean. */
export type ScanQuality = {
  dpi: number
  /** Of the JPEG, 1 to 100. */
  quality: number
  /** Degrees. */
  turned?: number
  /** The standard deviation of each pixel's lightness, of 255. */
  noise?: number
}

/** A4 at 300 dpi. */
const PAGE = { width: 2480, height: 3508 }
/** Pixels of one module of a code at 300 dpi: 0.34 mm, as labels have. */
const MODULE_PIXELS = 4

async function drawCode({ format, text }: Code): Promise<Buffer> {
  const path = fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'))
  const { buffer: wasmBinary } = Uint8Array.from(await readFile(path))
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
  const { image, error } = await writeBarcode(text, { format, scale: MODULE_PIXELS })
  if (!image) throw new Error(error)
  const drawn = Buffer.from(await image.arrayBuffer())
  if (format !== 'Code128') return drawn
  // The writer draws linear codes 50 modules high, at any scale.
  const { width = 1 } = await sharp(drawn).metadata()
  return sharp(drawn).resize(width, 150, { fit: 'fill', kernel: 'nearest' }).toBuffer()
}

/** Returns the JPEG of a scanned page with these codes one below the other, and lines that look like text. */
export async function makeScan(codes: readonly Code[], scan: ScanQuality): Promise<Buffer> {
  const layers: OverlayOptions[] = []
  for (const [index, code] of codes.entries())
    layers.push({ input: await drawCode(code), left: 200, top: 200 + index * 500 })
  const lines = Array.from(
    { length: 20 },
    (_, line) => `<rect x="200" y="${2300 + line * 50}" width="${1500 + ((line * 97) % 500)}" height="12"/>`,
  )
  layers.push({ input: Buffer.from(`<svg ${svgSize(PAGE)}>${lines.join('')}</svg>`), left: 0, top: 0 })
  const page = await sharp({ create: { ...PAGE, channels: 3, background: 'white' } })
    .composite(layers)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const turned = sharp(page.data, { raw: page.info }).rotate(scan.turned ?? 0, { background: 'white' })
  const { data: pixels, info: size } = await turned.raw().toBuffer({ resolveWithObject: true })
  const resized = sharp(pixels, { raw: size }).resize(Math.round((PAGE.width * scan.dpi) / 300))
  if (!scan.noise) return resized.jpeg({ quality: scan.quality }).toBuffer()
  const { data, info } = await resized.greyscale().raw().toBuffer({ resolveWithObject: true })
  const noise = { type: 'gaussian', mean: 128, sigma: scan.noise } as const
  const added = await sharp({
    create: { width: info.width, height: info.height, channels: 3, background: 'grey', noise },
  })
    .greyscale()
    .raw()
    .toBuffer()
  for (const [index, value] of data.entries())
    data[index] = Math.max(0, Math.min(255, value + added[index]! - 128))
  return sharp(data, { raw: info }).jpeg({ quality: scan.quality }).toBuffer()
}

const svgSize = ({ width, height }: typeof PAGE) =>
  `xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`

/** Returns a PDF of scanned pages, and of pages with text where a string is given. */
export function makeScannedPdf(
  pages: readonly (Buffer | string)[],
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', autoFirstPage: false, ...options })
  for (const page of pages) {
    pdf.addPage()
    if (typeof page === 'string') pdf.text(page)
    else pdf.image(page, 0, 0, { width: pdf.page.width })
  }
  pdf.end()
  return buffer(pdf.pipe(new PassThrough()))
}

/** Returns a PDF whose only page has this image, as large as the page, and nothing else. */
export const makeImagePdf = (image: string, bytes: Buffer, box = '0 0 595 842'): Buffer => {
  const [, , width, height] = box.split(' ')
  return makeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>`,
    streamOf('', Buffer.from(`q ${width} 0 0 ${height} 0 0 cm /I Do Q`)),
    streamOf(`/Type /XObject /Subtype /Image ${image}`, bytes),
  ])
}

/** The page in one tile of a TIFF, whose sides are multiples of 16. */
const FAX = { width: 2496, height: 3520 }

/** Returns a PDF of a page as fax machines and older scanners compress it: black and white, CCITT group 4. */
export async function makeFaxPdf(scan: Buffer): Promise<Buffer> {
  const tiff = await sharp(scan)
    .toColourspace('b-w')
    .threshold()
    .tiff({
      compression: 'ccittfax4',
      bitdepth: 1,
      tile: true,
      tileWidth: FAX.width,
      tileHeight: FAX.height,
    })
    .toBuffer()
  return makeImagePdf(
    `/Width ${FAX.width} /Height ${FAX.height} /BitsPerComponent 1 /ColorSpace /DeviceGray
    /Filter /CCITTFaxDecode /DecodeParms << /K -1 /BlackIs1 true /Columns ${FAX.width} /Rows ${FAX.height} >>`,
    readTile(tiff),
  )
}

const TILE_OFFSETS = 324
const TILE_LENGTHS = 325

/** Returns the bytes of the only tile of a TIFF in little-endian order. */
function readTile(tiff: Buffer): Buffer {
  const directory = tiff.readUInt32LE(4)
  const entries = Array.from(
    { length: tiff.readUInt16LE(directory) },
    (_, index) => directory + 2 + 12 * index,
  )
  const read = (tag: number) => tiff.readUInt32LE(entries.find((at) => tiff.readUInt16LE(at) === tag)! + 8)
  const start = read(TILE_OFFSETS)
  return tiff.subarray(start, start + read(TILE_LENGTHS))
}
