import { constants, crc32, deflateRawSync } from 'node:zlib'
import { type Files, makeImage, makePdf, makeRawPdf, makeWord, streamOf } from '../hostile-files.ts'
import { makeSheet } from './office-files.ts'

/** A deflated stream of 400 MiB of zeros. */
const ZEROS = Buffer.concat([
  Buffer.from([0x78, 0x9c]),
  ...Array(400).fill(deflateRawSync(Buffer.alloc(1024 ** 2), { finishFlush: constants.Z_FULL_FLUSH })),
])

/** Returns a PDF of one page with a line of text, which these objects, numbered from 1, describe. */
const makePage = (
  pages: string,
  content = streamOf('', Buffer.from('BT /F1 12 Tf (Text) Tj ET')),
  font = '',
) =>
  makeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    pages,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    content,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${font} >>`,
  ])
const ONE_PAGE = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'

/** Returns PDFs whose structure would keep a reader busy, exhaust its memory, or run in it. */
export const makeMalformedPdfs = (): Files => ({
  'arbore-ciclic.pdf': makePage('<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 >>'),
  'miliard-de-pagini.pdf': makePage('<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>'),
  // Chromium shows the page.
  'fara-pagini.pdf': makePage('<< /Type /Pages /Kids [3 0 R] /Count -5 >>'),
  'cod-in-font.pdf': makePage(ONE_PAGE, undefined, '/FontMatrix [1 2 3 4 5 (0\\); process.exit\\(\\);//)]'),
  'bomba.pdf': makePage(ONE_PAGE, streamOf('/Filter /FlateDecode', ZEROS)),
})

/** Returns a PNG with a further chunk behind its header. */
function withChunk(png: Buffer, type: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)])
  chunk.writeUInt32BE(data.length)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  const afterHeader = 33
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)])
}

/** Returns pictures whose compressed comments and profiles are bombs, or whose sizes are impossible. */
export async function makeMalformedImages(): Promise<Files> {
  const png = await makeImage('png')
  const packed = Buffer.concat([Buffer.from('nume\0\0'), ZEROS])
  const sized = (width: number, height: number) => {
    const image = Buffer.from(png)
    image.writeUInt32BE(width, 16)
    image.writeUInt32BE(height, 20)
    image.writeUInt32BE(crc32(image.subarray(12, 29)), 29)
    return image
  }
  return {
    'profil.png': withChunk(png, 'iCCP', packed),
    'comentariu.png': withChunk(png, 'zTXt', packed),
    'fara-pixeli.png': sized(0, 0),
    'urias.png': sized(65_535, 65_535),
  }
}

/** Returns files of each kind of document, cut short after this part of their bytes. */
export async function makeTruncatedFiles(part: number): Promise<Files> {
  const whole: Files = {
    'raport.pdf': await makePdf(3),
    'poza.jpg': await makeImage('jpeg', 400, 300),
    'poza.png': await makeImage('png', 400, 300),
    'scrisoare.docx': await makeWord(),
    'tabel.xlsx': await makeSheet('Fișa', [['Nume', 'CNP']]),
  }
  return Object.fromEntries(
    Object.entries(whole).map(([name, bytes]) => [name, bytes.subarray(0, Math.round(bytes.length * part))]),
  )
}

/** Returns files that are something else than their names say, in ways that a browser or an office program overlooks. */
export const makeMisnamedFiles = (): Files => ({
  'ole.pdf': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  'salt-de-pagina.txt': Buffer.from('\f<?xml version="1.0"?><x/>'),
  'salturi.csv': Buffer.from('\f\v<html>'),
})
