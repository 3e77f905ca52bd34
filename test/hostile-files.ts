import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32, deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import ZipStream from 'zip-stream'
import { makeCnp } from '../shared/romania/cnp.ts'

/** Bytes by file name. */
export type Files = Record<string, Uint8Array>

export function makePdf(
  pages: number,
  options: PDFKit.PDFDocumentOptions = {},
  text = 'hemoglobina 14,2',
): Promise<Buffer> {
  const pdf = new PDFDocument(options)
  for (let page = 1; page <= pages; page += 1) {
    if (page > 1) pdf.addPage()
    pdf.text(`Pagina ${page}: ${text}`)
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

/** Returns a PDF of these objects, numbered from 1; the first is the catalogue. Readers rebuild its missing table. */
export function makeRawPdf(objects: readonly string[], trailer = ''): Buffer {
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.7\n${body}trailer << /Root 1 0 R ${trailer}>>\n%%EOF\n`, 'latin1')
}

const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>'

export const streamOf = (dictionary: string, bytes: Buffer) =>
  `<< ${dictionary} /Length ${bytes.length} >>\nstream\n${bytes.toString('latin1')}\nendstream`

/** Returns a PDF of 3 kB whose only page is compressed twice and has 160 MB of text: reading it takes half a minute. */
export function makeSlowPdf(): Buffer {
  const page = deflateSync(
    deflateSync(Buffer.from('BT /F1 9 Tf (a) Tj ET '.repeat(7_500_000)), { level: 9 }),
    {
      level: 9,
    },
  )
  return makeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    PAGES,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    streamOf('/Filter [/FlateDecode /FlateDecode]', page),
    FONT,
  ])
}

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const TEXT = streamOf('', Buffer.from('BT /F1 12 Tf 9 50 Td (hemoglobina) Tj ET'))

/**
 * Returns a PDF with text whose catalogue has these entries, and the objects they refer to, numbered from 4. A page without
 * text would be drawn and searched for codes too.
 */
function pdfWith(catalogue: string, objects: readonly string[] = []): Buffer {
  const text = `/Contents ${objects.length + 4} 0 R /Resources << /Font << /F1 ${FONT} >> >>`
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] ${text} >>`
  return makeRawPdf([`<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`, PAGES, page, ...objects, TEXT])
}

/**
 * Returns a PDF in which these objects, numbered from 4, are in a compressed object stream; readers undo
 * each coding.
 */
function makePackedPdf(
  catalogue: string,
  objects: readonly string[],
  coding: 'deflated' | 'hexadecimal' | 'deflated twice' = 'deflated',
  type = '/Type /ObjStm',
): Buffer {
  const starts = objects.map((_, index) => objects.slice(0, index).join(' ').length + (index > 0 ? 1 : 0))
  const index = starts.map((start, place) => `${place + 4} ${start}`).join(' ')
  const deflated = deflateSync(Buffer.from(`${index} ${objects.join(' ')}`))
  const [filter, packed] = {
    deflated: ['/Filter /FlateDecode', deflated] as const,
    hexadecimal: [
      '/Filter [/ASCIIHexDecode /FlateDecode]',
      Buffer.from(`${deflated.toString('hex')}>`),
    ] as const,
    'deflated twice': ['/Filter [/FlateDecode /FlateDecode]', deflateSync(deflated)] as const,
  }[coding]
  const first = index.length + 1
  const head = `${type} /N ${objects.length} /First ${first} ${filter}`
  const container = objects.length + 4
  const bodies = [`<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`, PAGES, PAGE]
  const numbered = [
    ...bodies.map((body, place) => ({ number: place + 1, body })),
    { number: container, body: streamOf(head, packed) },
  ]
  let text = '%PDF-1.7\n'
  const rows: [number, number, number][] = [[0, 0, 65_535]]
  for (const { number, body } of numbered) {
    rows[number] = [1, text.length, 0]
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  for (const place of objects.keys()) rows[place + 4] = [2, container, place]
  const table = Buffer.concat(
    [...rows, [1, text.length, 0] as const].map(([type, at, generation]) => {
      const row = Buffer.alloc(7)
      row.writeUInt8(type, 0)
      row.writeUInt32BE(at, 1)
      row.writeUInt16BE(generation, 5)
      return row
    }),
  )
  const size = container + 2
  const start = text.length
  text += `${container + 1} 0 obj\n${streamOf(`/Type /XRef /Size ${size} /W [1 4 2] /Root 1 0 R`, table)}\nendobj\n`
  return Buffer.from(`${text}startxref\n${start}\n%%EOF\n`, 'latin1')
}

const attachment = (name: string, bytes: Buffer) => [
  `<< /Names [(${name}) 5 0 R] >>`,
  `<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F 6 0 R >> >>`,
  streamOf('/Type /EmbeddedFile', bytes),
]

/** Returns PDFs that act when they are opened or carry files, by what the check names in them. */
export function makeActivePdfs(): Files {
  const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
  const launch = '<< /S /Launch /F (cmd.exe) >>'
  return {
    'cod.pdf': pdfWith('/OpenAction 4 0 R', [script]),
    'cod-ascuns.pdf': pdfWith('/OpenAction << /S /Java#53cript /JS (x) >>'),
    'cod-comprimat.pdf': makePackedPdf('/OpenAction 4 0 R', [script]),
    'pornire.pdf': pdfWith(`/OpenAction ${launch}`),
    'pornire-comprimata.pdf': makePackedPdf('/OpenAction 4 0 R', [launch]),
    'adresa.pdf': pdfWith('/OpenAction 4 0 R', ['<< /S /URI /URI (https://exemplu.test/) >>']),
    'adresa-comprimata.pdf': makePackedPdf('/OpenAction 4 0 R', [
      '<< /S /URI /URI (https://exemplu.test/) >>',
    ]),
    'adresa-pagina.pdf': pdfWith('/AA << /WC 4 0 R >>', ['<< /S /URI /URI (https://exemplu.test/) >>']),
    'adresa-urmatoare.pdf': pdfWith('/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next 4 0 R >>', [
      '<< /S /SubmitForm /F (https://exemplu.test/) >>',
    ]),
    'atasat.pdf': pdfWith('/Names << /EmbeddedFiles 4 0 R >>', attachment('date.csv', Buffer.from('a;b'))),
    'program-atasat.pdf': pdfWith(
      '/Names << /EmbeddedFiles 4 0 R >>',
      attachment('factura.pdf', Buffer.from('MZ\x90\x00\x03', 'latin1')),
    ),
    'necitit.pdf': makePackedPdf('/OpenAction 4 0 R', [script], 'hexadecimal'),
    'pornire-necitita.pdf': makePackedPdf('/OpenAction 4 0 R', [launch], 'deflated twice'),
  }
}

/** Returns active PDFs that are written in a legal but unusual way, or act in an unusual way. */
export function makeUnusualPdfs(): Files {
  const launch = '<< /S /Launch /F (cmd.exe) >>'
  return {
    'fara-tip.pdf': makePackedPdf('/OpenAction 4 0 R', [launch], 'deflated', ''),
    'cuvant-fals.pdf': makePackedPdf(
      '/OpenAction 4 0 R',
      [launch],
      'deflated',
      '/Type /ObjStm /X (stream\nendstream)',
    ),
    'octet-zero.pdf': pdfWith('/OpenAction << /S\0/URI /URI (https://exemplu.test/) >>'),
    'comentariu.pdf': pdfWith('/OpenAction << /S %x\n/URI /URI (https://exemplu.test/) >>'),
    'departe.pdf': pdfWith(`/OpenAction << ${' '.repeat(5000)} /S /URI /URI (https://exemplu.test/) >>`),
    'spatii.pdf': Buffer.from(
      pdfWith('/OpenAction 4 0 R', ['<< /S /URI /URI (https://exemplu.test/) >>'])
        .toString('latin1')
        .replace('4 0 obj', '4  0  obj'),
      'latin1',
    ),
    'redare.pdf': pdfWith('/OpenAction << /S /Rendition /OP 0 /JS (app.alert\\(1\\)) >>'),
    'formular.pdf': pdfWith('/AcroForm << /Fields [] /XFA 4 0 R >>', [
      streamOf('/Filter /FlateDecode', deflateSync(Buffer.from('<xdp:xdp/>'))),
    ]),
    'film.pdf': pdfWith('', ['<< /Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] >>']),
  }
}

/** Returns PDFs that look active but are not: a link that is clicked, and a page shown first. */
export const makeHarmlessPdfs = (): Files => ({
  'pagina.pdf': pdfWith('/OpenAction [3 0 R /Fit]'),
  'legatura.pdf': makeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R /OpenAction [3 0 R /Fit] /AA << >> >>',
    PAGES,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Annots [4 0 R] >>',
    '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://exemplu.test/) >> >>',
  ]),
})

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Returns a Word document with further parts. */
export const makeWord = (parts: Files = {}): Promise<Buffer> =>
  makeZip({
    '[Content_Types].xml': Buffer.from(
      `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${WORD}.main+xml"/></Types>`,
    ),
    'word/document.xml': Buffer.from('<x/>'),
    ...parts,
  })

const relation = (attributes: string) =>
  Buffer.from(`<?xml version="1.0"?><Relationships><Relationship Id="r1" ${attributes}/></Relationships>`)

/** Returns Word documents that act when they are opened, and one with an ordinary link. */
export async function makeActiveDocuments(): Promise<Files> {
  const rels = 'word/_rels/settings.xml.rels'
  const template = `Type="${RELATION}/attachedTemplate" Target="https://exemplu.test/x.dotm"`
  return {
    'macro.docx': await makeWord({ 'word/vbaProject.bin': randomBytes(20) }),
    'sablon.docx': await makeWord({ [rels]: relation(`${template} TargetMode="External"`) }),
    'sablon-ascuns.docx': await makeWord({
      [rels]: relation(`${template.replace('attached', '&#x61;ttached')} TargetMode='External'`),
    }),
    'sablon-utf16.docx': await makeWord({
      [rels]: Buffer.from(`\ufeff${relation(`${template} TargetMode="External"`)}`, 'utf16le'),
    }),
    'obiect.docx': await makeWord({ 'word/embeddings/oleObject1.bin': randomBytes(20) }),
    'legatura.docx': await makeWord({
      [rels]: relation(`Type="${RELATION}/hyperlink" Target="https://exemplu.test/" TargetMode="External"`),
      'word/media/pictograma.svg': Buffer.from('<svg/>'),
    }),
  }
}

/** Returns archives with something to run, by the name of the entry. */
export async function makeArchivesWithPrograms(): Promise<Files> {
  const contents: Files = {
    'rezultat.exe': Buffer.from('MZ'),
    'rezultat.pdf': Buffer.from('MZ\x90\x00\x03', 'latin1'),
    'elf.dat': Buffer.from('\x7fELF\x02'),
    'mac.dat': Buffer.from('\xcf\xfa\xed\xfe\x07', 'latin1'),
    'script.txt': Buffer.from('#!/bin/sh\n'),
    'instalare.msi': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'program.jar': await makeZip({ 'META-INF/MANIFEST.MF': Buffer.from('x') }),
    'index.html': Buffer.from('<p>'),
    'aplicatie.hta': Buffer.from('x'),
    'cod.js': Buffer.from('x'),
    'scurtatura.lnk': Buffer.from('x'),
    'pagina.dat': Buffer.from(' \n<!doctype html><script>1</script>'),
    'utf16.dat': Buffer.from('\ufeff<html >', 'utf16le'),
    'desen.xml': Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    'ct.dcm': makeDicom(Buffer.concat([Buffer.from('MZ'), Buffer.alloc(126)])),
  }
  const archives: Files = {}
  for (const [name, bytes] of Object.entries(contents))
    archives[`${name}.zip`] = await makeZip({ 'citește.txt': Buffer.from('bună'), [name]: bytes })
  return archives
}

/** Returns an archive whose only entry has this name, written as it is, and another one in an extra field. */
export function makeNamedArchive(name: string, unicodeName?: string): Buffer {
  const [written, content] = [Buffer.from(name), Buffer.from('WScript.Echo(1)')]
  const other = Buffer.from(unicodeName ?? '')
  const extra = Buffer.alloc(unicodeName === undefined ? 0 : 9 + other.length)
  if (unicodeName !== undefined) {
    extra.writeUInt16LE(0x7075)
    extra.writeUInt16LE(5 + other.length, 2)
    extra.writeUInt8(1, 4)
    extra.writeUInt32LE(crc32(written), 5)
    other.copy(extra, 9)
  }
  const sizes = Buffer.alloc(18)
  sizes.writeUInt32LE(crc32(content), 4)
  sizes.writeUInt32LE(content.length, 8)
  sizes.writeUInt32LE(content.length, 12)
  sizes.writeUInt16LE(written.length, 16)
  const local = Buffer.concat([
    Buffer.from('PK\x03\x04\x14\0\0\x08\0\0'),
    sizes.subarray(0),
    Buffer.alloc(2),
    written,
    content,
  ])
  const after = Buffer.alloc(16)
  after.writeUInt16LE(extra.length)
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\0\x14\0\0\x08\0\0'),
    sizes,
    after,
    written,
    extra,
  ])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

/** Returns archives that cannot be examined: with another archive, or compressed in an unusual way. */
export async function makeNestedArchives(): Promise<Files> {
  const inner = await makeZip({ 'a.txt': Buffer.from('a') })
  const deflate64 = await makeZip({ 'a.txt': Buffer.from('text') })
  patchAll(deflate64, CENTRAL, (at) => deflate64.writeUInt16LE(9, at + 10))
  return {
    'zip.zip': await makeZip({ 'dosar/interior.zip': inner }),
    'ascuns.zip': await makeZip({ 'imagine.jpg': inner }),
    'gz.zip': await makeZip({ 'serie.nii.gz': Buffer.from([0x1f, 0x8b, 8]) }),
    'rar.zip': await makeZip({ 'a.rar': Buffer.from('Rar!\x1a\x07\x00', 'latin1') }),
    'document.zip': await makeZip({ 'a.docx': await makeWord({ 'x/interior.zip': inner }) }),
    'deflate64.zip': deflate64,
  }
}

/** Returns an archive whose only entry is said to have ten bytes, and unpacks to as many as given. */
export async function makeLyingArchive(bytes: number): Promise<Buffer> {
  const zip = await makeZip({ 'zerouri.bin': randomBytes(bytes) })
  patchAll(zip, CENTRAL, (at) => zip.writeUInt32LE(10, at + 24))
  return zip
}

/** The file that every malware scanner reports, in two parts so that this file is not reported. */
export const EICAR = Buffer.from(
  `${'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR'}${'-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'}`,
)

/** Bytes that are neither padding nor part of a picture: a web page or anything else. */
export const foreignBytes = (length: number) => Buffer.alloc(length, '<html><script>alert(1)</script>')

const box = (type: string, content: Buffer) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** Returns a film as phones append it to a photo. */
export const makeFilm = (bytes = 5000) =>
  Buffer.concat([
    box('ftyp', Buffer.from('mp42\0\0\0\0isommp42')),
    box('mdat', randomBytes(bytes)),
    box('moov', randomBytes(100)),
  ])

/** Returns the blocks that Samsung phones write after a photo, each with a name. */
export function makeSamsungTrailer(blocks: Record<string, Buffer>): Buffer {
  const written = Object.entries(blocks).map(([name, data], index) => {
    const head = Buffer.alloc(8)
    head.writeUInt16LE(0x0a30 + index, 2)
    head.writeUInt32LE(name.length, 4)
    return Buffer.concat([head, Buffer.from(name), data])
  })
  const directory = Buffer.alloc(12 + 12 * written.length)
  directory.write('SEFH', 'latin1')
  directory.writeUInt32LE(106, 4)
  directory.writeUInt32LE(written.length, 8)
  let remaining = written.reduce((sum, { length }) => sum + length, 0)
  for (const [index, block] of written.entries()) {
    directory.writeUInt16LE(0x0a30 + index, 14 + 12 * index)
    directory.writeUInt32LE(remaining, 16 + 12 * index)
    directory.writeUInt32LE(block.length, 20 + 12 * index)
    remaining -= block.length
  }
  const foot = Buffer.alloc(8)
  foot.writeUInt32LE(directory.length)
  foot.write('SEFT', 4, 'latin1')
  return Buffer.concat([...written, directory, foot])
}

/** Returns photos as phones write them: with further images, a film, blocks, or padding after the photo. */
export async function makePhonePhotos(): Promise<Files> {
  const photo = await makeImage('jpeg', 400, 300)
  const preview = await makeImage('jpeg')
  const time = { Image_UTC_Data: Buffer.from('1700000000000') }
  return {
    'previzualizare.jpg': Buffer.concat([photo, preview, Buffer.alloc(3000), preview]),
    'animata.jpg': Buffer.concat([photo, preview, makeFilm()]),
    'samsung.jpg': Buffer.concat([photo, makeSamsungTrailer(time)]),
    'samsung-animata.jpg': Buffer.concat([
      photo,
      preview,
      makeSamsungTrailer({ ...time, MotionPhoto_Data: makeFilm() }),
    ]),
    'completata.jpg': Buffer.concat([photo, Buffer.alloc(8000)]),
    'eticheta.jpg': Buffer.concat([photo, Buffer.from('LIVE_36280000')]),
  }
}

/** Returns PDFs with something after their first end that belongs to them. */
export async function makeContinuedPdfs(): Promise<Files> {
  const pdf = await makePdf(1)
  const update = Buffer.from(
    `\n4 0 obj\n<< /Note (${'x'.repeat(3000)}) >>\nendobj\nxref\n0 0\ntrailer << >>\n%%EOF\r\n`,
  )
  return {
    'actualizat.pdf': Buffer.concat([pdf, update, update]),
    'completat.pdf': Buffer.concat([pdf, Buffer.alloc(5000)]),
    'rand.pdf': Buffer.concat([pdf, Buffer.from('\r\n\r\n')]),
    'in-pdf.pdf': pdfWith('', [streamOf('', Buffer.concat([pdf, Buffer.from('\n')]))]),
  }
}

/** Returns files with other data after their end; the names of those with at most 1 KiB begin with `scurt`. */
export async function makeTrailedFiles(): Promise<Files> {
  const files: Files = {}
  const originals = { pdf: await makePdf(1), png: await makeImage('png'), jpg: await makeImage('jpeg') }
  const zip = await makeZip({ 'a.bin': randomBytes(3000) })
  for (const [extension, bytes] of Object.entries(originals)) {
    files[`scurt.${extension}`] = Buffer.concat([bytes, foreignBytes(1024)])
    files[`lung.${extension}`] = Buffer.concat([bytes, foreignBytes(1025)])
    files[`departe.${extension}`] = Buffer.concat([bytes, Buffer.alloc(5000), foreignBytes(1025)])
    files[`arhiva.${extension}`] = Buffer.concat([bytes, zip])
  }
  files['fals.pdf'] = Buffer.concat([originals.pdf, foreignBytes(3000), Buffer.from('\n%%EOF\n')])
  files['samsung.jpg'] = Buffer.concat([
    originals.jpg,
    makeSamsungTrailer({ Image_UTC_Data: foreignBytes(3000) }),
  ])
  files['samsung-zip.jpg'] = Buffer.concat([originals.jpg, makeSamsungTrailer({ Image_UTC_Data: zip })])
  files['film.jpg'] = Buffer.concat([originals.jpg, makeFilm(), foreignBytes(1025)])
  return files
}
