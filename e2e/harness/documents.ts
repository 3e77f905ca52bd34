import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { writePdf } from '../../db/demo/pdf.ts'
import { makeZip } from '../../db/demo/zip.ts'

const MIB = 1024 * 1024

/** A file on this machine, as a user selects it. */
export type Document = { path: string; name: string; size: number; sha256: string }

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function keep(path: string, name: string, bytes: Buffer): Promise<Document> {
  await writeFile(path, bytes)
  return { path, name, size: bytes.length, sha256: sha256(bytes) }
}

/** Makes a report of this many pages, each with the patient's name. */
export async function makeReport(
  folder: string,
  name: string,
  whose: string,
  pages: number,
): Promise<Document> {
  const { bytes } = await writePdf({ title: 'Raport de examinare', at: new Date() }, (document) => {
    for (let page = 1; page <= pages; page += 1) {
      if (page > 1) document.addPage()
      document.font('bold').fontSize(18).text('Raport de examinare')
      document.font('regular').fontSize(12).text(whose).moveDown()
      document.text('Structuri osoase fără modificări. '.repeat(60))
      document.text(`Pagina ${page} din ${pages}`)
    }
  })
  return keep(`${folder}/${name}`, name, bytes)
}

/** Makes a real archive of a series with incompressible bytes. */
export async function makeSeries(folder: string, name: string, mebibytes: number): Promise<Document> {
  const entries = Array.from({ length: 6 }, (_, index) => ({
    name: `serie/imagine-${index + 1}.dat`,
    bytes: randomBytes(Math.floor((mebibytes * MIB) / 6)),
  }))
  return keep(`${folder}/${name}`, name, await makeZip(entries, new Date()))
}

/** Returns the SHA-256 of each file in an archive, by name. */
export async function readArchive(path: string): Promise<Record<string, string>> {
  const archive = await fromBufferPromise(await readFile(path))
  const found: Record<string, string> = {}
  for await (const entry of archive.eachEntry()) {
    found[entry.fileName] = sha256(await buffer(await archive.openReadStreamPromise(entry)))
  }
  return found
}

/** Makes a PDF of one page whose image declares 60,000 × 60,000 pixels in a few hundred bytes. */
export async function makeHugeImage(folder: string, name: string): Promise<Document> {
  const content = 'q 400 0 0 400 100 200 cm /Im Do Q'
  const image =
    '/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceGray /BitsPerComponent 8'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /Im 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< ${image} /Length 1 >>\nstream\n0\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  text += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return keep(`${folder}/${name}`, name, Buffer.from(text, 'latin1'))
}

/** Makes a PDF of this many pages, alternately portrait and landscape. */
export async function makeMixedPages(folder: string, name: string, pages: number): Promise<Document> {
  const { bytes } = await writePdf({ title: 'Registru', at: new Date() }, (document) => {
    for (let page = 1; page <= pages; page += 1) {
      if (page > 1) document.addPage({ size: 'A4', layout: page % 2 === 0 ? 'landscape' : 'portrait' })
      document.fontSize(18).text(`Fila ${page}`)
    }
  })
  return keep(`${folder}/${name}`, name, bytes)
}
