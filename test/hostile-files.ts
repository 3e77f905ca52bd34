import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import ZipStream from 'zip-stream'
import { makeCnp } from '../shared/romania/cnp.ts'

/** Bytes by file name. */
export type Files = Record<string, Uint8Array>

export function makePdf(pages: number, options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const pdf = new PDFDocument(options)
  for (let page = 1; page <= pages; page += 1) {
    if (page > 1) pdf.addPage()
    pdf.text(`Pagina ${page}: hemoglobina 14,2`)
  }
  pdf.end()
  return buffer(pdf.pipe(new PassThrough()))
}

export async function makeZip(entries: Record<string, Uint8Array>, store = false): Promise<Buffer> {
  const zip = new ZipStream({ store })
  const whole = buffer(zip)
  for (const [name, bytes] of Object.entries(entries)) {
    const source = new PassThrough()
    source.end(bytes)
    await new Promise<void>((resolve, reject) => {
      zip.entry(source, { name, date: new Date(0) }, (error) => (error ? reject(error) : resolve()))
    })
  }
  zip.finalize()
  return whole
}

export const makeImage = (format: 'png' | 'jpeg', width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: 'white' } })
    [format]()
    .toBuffer()

export const makeDicom = (preamble = Buffer.alloc(128)) =>
  Buffer.concat([preamble, Buffer.from('DICM'), randomBytes(300)])

/** Calls `change` with every position of `part` in the bytes. */
function patchAll(bytes: Buffer, part: Buffer, change: (at: number) => void): Buffer {
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + 1)) change(at)
  return bytes
}
const CENTRAL = Buffer.from('PK\x01\x02')

/** Returns files that a browser or a computer would run. */
export async function makeRunnableFiles(): Promise<Files> {
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  return {
    'pagina.pdf': html,
    'pagina.txt': html,
    'spatii.txt': Buffer.concat([Buffer.from('\ufeff \r\n\t'), html]),
    'desen.png': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    'date.csv': Buffer.from('<?xml version="1.0"?><x/>'),
    'utf16.txt': Buffer.from(`\ufeff${html}`, 'utf16le'),
    'program.txt': Buffer.from('MZ\x90\x00\x03'),
    'gif.png': Buffer.from('GIF89a\x01\x00\x01\x00'),
    'tarziu.pdf': Buffer.concat([html, await makePdf(1)]),
    'document.html': Buffer.from('doar text'),
    'document.svg': Buffer.from('doar text'),
    fara: Buffer.from('doar text'),
  }
}

/** Returns DICOM files whose first 128 bytes are of another type; `tiff.dcm` is in legitimate use. */
export function makeDisguisedDicoms(): Files {
  const preamble = (start: string) =>
    Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(128)]).subarray(0, 128)
  return {
    'tiff.dcm': makeDicom(preamble('II*\0')),
    'pe.dcm': makeDicom(preamble('MZ')),
    'elf.dcm': makeDicom(preamble('\x7fELF')),
    'script.dcm': makeDicom(preamble('#!/bin/sh\n')),
    'pdf.dcm': makeDicom(preamble('%PDF-1.7\n')),
    'html.dcm': makeDicom(preamble('<html>')),
  }
}

/** Returns archives that would harm the computer that unpacks them. */
export async function makeHarmfulArchives(): Promise<Files> {
  const plain = () => makeZip({ 'aaaa.txt': Buffer.from('text'), 'bbbb.txt': Buffer.from('text') }, true)
  const rename = async (name: string) => {
    const zip = await plain()
    return patchAll(zip, Buffer.from('aaaa.txt'), (at) => zip.write(name, at, 'latin1'))
  }
  const encrypted = await plain()
  patchAll(encrypted, CENTRAL, (at) => {
    encrypted.writeUInt16LE(encrypted.readUInt16LE(at + 8) | 1, at + 8)
    encrypted.writeUInt32LE(encrypted.readUInt32LE(at + 20) + 12, at + 20)
  })
  const link = await plain()
  patchAll(link, CENTRAL, (at) => link.writeUInt32LE((0o120777 << 16) >>> 0, at + 38))
  const overlapping = await plain()
  patchAll(overlapping, CENTRAL, (at) => {
    overlapping.writeUInt32LE(overlapping.length - 10, at + 20)
    overlapping.writeUInt32LE(overlapping.length - 10, at + 24)
  })
  const many = Object.fromEntries(
    Array.from({ length: 2001 }, (_, index) => [`${index}.txt`, Buffer.from('x')]),
  )
  return {
    'urca.zip': await rename('../../aa'),
    'absolut.zip': await rename('/etc/pas'),
    'invers.zip': await rename('..\\..\\aa'),
    'criptat.zip': encrypted,
    'legatura.zip': link,
    'suprapus.zip': overlapping,
    'multe.zip': await makeZip(many, true),
    'bomba.zip': await makeZip({ 'zerouri.bin': Buffer.alloc(30_000_000) }),
    'rupt.zip': (await plain()).subarray(0, 60),
  }
}

/** Returns damaged files, and an image with too many pixels. */
export async function makeUnreadableFiles(): Promise<Files> {
  const huge = await makeImage('png')
  // Changes only the size in the header, without its checksum; no pixel is decoded.
  huge.writeUInt32BE(100_000, 16)
  huge.writeUInt32BE(100_000, 20)
  return {
    'rupt.pdf': Buffer.from('%PDF-1.7\nnimic'),
    'rupt.png': (await makeImage('png')).subarray(0, 20),
    'urias.png': huge,
  }
}

/** Characters; nearly the longest text that is read from a file. */
const LONG = 199_000

export const cnpAt = (serial: number) => makeCnp({ sex: 'male', birthDate: '1980-01-01', county: 22, serial })
export const CNPS = Array.from({ length: 900 }, (_, index) => cnpAt(index + 1))
export const repeat = (text: string) => text.repeat(Math.ceil(LONG / text.length)).slice(0, LONG)

/** Returns texts in which searching CNPs takes long; each with the patient's CNP where one is needed. */
export const LONG_TEXTS: [string, (cnp: string) => string][] = [
  ['zeros after the patient’s CNP', (cnp) => `${cnp} ${repeat('0')}`],
  ['one CNP repeated', (cnp) => repeat(`${cnp} `)],
  ['CNPs without separators', (cnp) => repeat(`${cnp}${cnpAt(1)}`)],
  ['a list of CNPs', () => repeat(`${CNPS.join('\n')}\n`)],
  ['one digit per box', (cnp) => repeat(`${[...cnp].join(' ')} `)],
  ['very many pages', (cnp) => repeat(`${cnp}\f`)],
]

/** Returns a PDF of 3 kB whose only page is compressed twice and has 150 MB of text: reading it takes minutes. */
export function makeSlowPdf(): Buffer {
  const page = deflateSync(deflateSync(Buffer.from('BT (a) Tj ET '.repeat(12_000_000)), { level: 9 }), {
    level: 9,
  })
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Filter [/FlateDecode /FlateDecode] /Length ${page.length} >>\nstream\n${page.toString('latin1')}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`)
  return Buffer.from(`%PDF-1.7\n${objects.join('')}trailer << /Root 1 0 R >>\n%%EOF\n`, 'latin1')
}
