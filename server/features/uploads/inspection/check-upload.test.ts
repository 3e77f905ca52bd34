import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import ZipStream from 'zip-stream'
import { createTestServer, type TestServer } from '../../../../test/test-server.ts'
import { addFile, createPatient, createUpload } from '../../../../test/upload-fixtures.ts'
import { createUser } from '../../../../test/users.ts'
import { createSystemContext } from '../../../context.ts'
import { checkUpload } from './check-upload.ts'

let server: TestServer
let userId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  userId = (await createUser(server.db, { email: 'registratura@dosar.test' })).id
})

const systemContext = () => createSystemContext(server.services)

const newUpload = (patientId?: string) =>
  createUpload(server.db, { createdBy: userId, state: 'checking', ...(patientId ? { patientId } : {}) })
const stateOf = async (id: string) =>
  (await server.db.selectFrom('upload').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

/** Adds files as they arrive, not inspected yet, runs the check and returns its result. */
async function check(files: Record<string, Uint8Array>, patientId?: string) {
  const uploadId = await newUpload(patientId)
  for (const [name, bytes] of Object.entries(files)) {
    await addFile(server.services, uploadId, bytes, {
      name,
      kind: 'other',
      type: 'application/octet-stream',
      scan: 'pending',
    })
  }
  await checkUpload(systemContext(), uploadId)
  const rows = await server.db
    .selectFrom('file')
    .selectAll()
    .where('upload_id', '=', uploadId)
    .orderBy('position')
    .execute()
  return { uploadId, state: await stateOf(uploadId), files: rows }
}

/** Returns for each file its type, or the reason why it was rejected. */
async function verdicts(files: Record<string, Uint8Array>): Promise<Record<string, unknown>> {
  const { files: rows } = await check(files)
  return Object.fromEntries(
    rows.map(({ name, scan_result, type, facts }) => [
      name,
      scan_result === 'clean' ? type : (facts as { reason?: string }).reason,
    ]),
  )
}

function makePdf(pages: number, options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const pdf = new PDFDocument(options)
  for (let page = 1; page <= pages; page += 1) {
    if (page > 1) pdf.addPage()
    pdf.text(`Pagina ${page}: hemoglobina 14,2`)
  }
  pdf.end()
  return buffer(pdf.pipe(new PassThrough()))
}

async function makeZip(entries: Record<string, Uint8Array>, store = false): Promise<Buffer> {
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

const makeImage = (format: 'png' | 'jpeg', width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: 'white' } })
    [format]()
    .toBuffer()

const makeDicom = (preamble = Buffer.alloc(128)) =>
  Buffer.concat([preamble, Buffer.from('DICM'), randomBytes(300)])

/** Calls `change` with every position of `part` in the bytes. */
function patchAll(bytes: Buffer, part: Buffer, change: (at: number) => void): Buffer {
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + 1)) change(at)
  return bytes
}
const CENTRAL = Buffer.from('PK\x01\x02')

describe('an accepted file', () => {
  it('has the kind that its content shows and the details read from it', async () => {
    const zip = await makeZip({ 'a/ct-1.dcm': randomBytes(100), 'citește.txt': Buffer.from('bună') })
    const { state, files } = await check({
      'analize.pdf': await makePdf(6),
      'radiografie.png': await makeImage('png'),
      'poza.JPG': await makeImage('jpeg'),
      'studiu.zip': zip,
      IM000001: makeDicom(),
      'CT.1.2.840.113': makeDicom(),
      'note.txt': Buffer.from('Ștefan: bine\n'),
      'valori.csv': Buffer.from('nume;valoare\nț;1\n'),
    })
    expect(state).toBe('unassigned')
    expect(
      files.map(({ kind, type, scan_result, page_count, facts }) => ({
        kind,
        type,
        scan_result,
        page_count,
        facts,
      })),
    ).toEqual([
      {
        kind: 'pdf',
        type: 'application/pdf',
        scan_result: 'clean',
        page_count: 6,
        facts: {},
      },
      {
        kind: 'image',
        type: 'image/png',
        scan_result: 'clean',
        page_count: null,
        facts: { width: 40, height: 30 },
      },
      {
        kind: 'image',
        type: 'image/jpeg',
        scan_result: 'clean',
        page_count: null,
        facts: { width: 40, height: 30 },
      },
      {
        kind: 'zip',
        type: 'application/zip',
        scan_result: 'clean',
        page_count: null,
        facts: { entries: 2, names: ['a/ct-1.dcm', 'citește.txt'], unpacked: 105 },
      },
      { kind: 'dicom', type: 'application/dicom', scan_result: 'clean', page_count: null, facts: {} },
      { kind: 'dicom', type: 'application/dicom', scan_result: 'clean', page_count: null, facts: {} },
      {
        kind: 'other',
        type: 'text/plain',
        scan_result: 'clean',
        page_count: null,
        facts: {},
      },
      { kind: 'other', type: 'text/csv', scan_result: 'clean', page_count: null, facts: {} },
    ])
    expect(files[0]!.content_text).toContain('Pagina 1: hemoglobina 14,2')
    expect(files[0]!.content_text).toContain('Pagina 6')
  })

  it('may be a PDF with a password, which is not read', async () => {
    const { state, files } = await check({
      'secret.pdf': await makePdf(2, { userPassword: 'x', pdfVersion: '1.7' }),
    })
    expect(state).toBe('unassigned')
    expect(files[0]).toMatchObject({
      scan_result: 'clean',
      page_count: null,
      content_text: null,
      facts: { locked: true },
    })
  })

  it('has the text of fifty pages at most', async () => {
    const { files } = await check({ 'lung.pdf': await makePdf(60) })
    expect(files[0]!.page_count).toBe(60)
    expect(files[0]!.facts).toEqual({})
    expect(files[0]!.content_text).toContain('Pagina 50:')
    expect(files[0]!.content_text).not.toContain('Pagina 51:')
  })

  it('may be a Word or Excel document, which is distinguished from other archives', async () => {
    const types = (part: string, type: string) =>
      `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="${part}" ContentType="${type}"/></Types>`
    const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const office = (part: string, type: string) =>
      makeZip({
        '[Content_Types].xml': Buffer.from(types(part, `${type}.main+xml`)),
        [part.slice(1)]: Buffer.from('<x/>'),
      })
    const docx = await office('/word/document.xml', word)
    expect(
      await verdicts({
        'scrisoare.docx': docx,
        'tabel.xlsx': await office('/xl/workbook.xml', excel),
        'fals.zip': docx,
      }),
    ).toEqual({ 'scrisoare.docx': word, 'tabel.xlsx': excel, 'fals.zip': 'extension-mismatch' })
  })
})

describe('a rejected file', () => {
  it('is any file that a browser or a computer would run, under any name (E01, E05)', async () => {
    const html = Buffer.from('<!doctype html><script>alert(1)</script>')
    const found = await verdicts({
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
    })
    expect(found).toEqual({
      'pagina.pdf': 'type-not-allowed',
      'pagina.txt': 'type-not-allowed',
      'spatii.txt': 'type-not-allowed',
      'desen.png': 'type-not-allowed',
      'date.csv': 'type-not-allowed',
      'utf16.txt': 'type-not-allowed',
      'program.txt': 'type-not-allowed',
      'gif.png': 'type-not-allowed',
      'tarziu.pdf': 'type-not-allowed',
      'document.html': 'extension-mismatch',
      'document.svg': 'extension-mismatch',
      fara: 'extension-mismatch',
    })
  })

  it('is a DICOM file that begins as another type (E04)', async () => {
    const preamble = (start: string) =>
      Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(128)]).subarray(0, 128)
    expect(
      await verdicts({
        'tiff.dcm': makeDicom(preamble('II*\0')),
        'pe.dcm': makeDicom(preamble('MZ')),
        'elf.dcm': makeDicom(preamble('\x7fELF')),
        'script.dcm': makeDicom(preamble('#!/bin/sh\n')),
        'pdf.dcm': makeDicom(preamble('%PDF-1.7\n')),
        'html.dcm': makeDicom(preamble('<html>')),
      }),
    ).toEqual({
      'tiff.dcm': 'application/dicom',
      'pe.dcm': 'type-not-allowed',
      'elf.dcm': 'type-not-allowed',
      'script.dcm': 'type-not-allowed',
      'pdf.dcm': 'type-not-allowed',
      'html.dcm': 'type-not-allowed',
    })
  })

  it('is an archive that would harm the computer that unpacks it (E03)', async () => {
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
    expect(
      await verdicts({
        'urca.zip': await rename('../../aa'),
        'absolut.zip': await rename('/etc/pas'),
        'invers.zip': await rename('..\\..\\aa'),
        'criptat.zip': encrypted,
        'legatura.zip': link,
        'suprapus.zip': overlapping,
        'multe.zip': await makeZip(many, true),
        'bomba.zip': await makeZip({ 'zerouri.bin': Buffer.alloc(30_000_000) }),
        'rupt.zip': (await plain()).subarray(0, 60),
      }),
    ).toEqual({
      'urca.zip': 'zip-suspicious',
      'absolut.zip': 'zip-suspicious',
      'invers.zip': 'zip-suspicious',
      'criptat.zip': 'zip-encrypted',
      'legatura.zip': 'zip-suspicious',
      'suprapus.zip': 'zip-suspicious',
      'multe.zip': 'zip-suspicious',
      'bomba.zip': 'zip-suspicious',
      'rupt.zip': 'damaged',
    })
  })

  it('is no archive with a long name, which is shortened between characters', async () => {
    const { files } = await check({
      'lung.zip': await makeZip({ [`${'a'.repeat(299)}😀.pdf`]: Buffer.from('x') }),
    })
    expect(files[0]).toMatchObject({ scan_result: 'clean', facts: { entries: 1 } })
    expect((files[0]!.facts as { names: string[] }).names[0]).toMatch(/^a{299}/)
  })

  it('is an unreadable file or an image with too many pixels (E08)', async () => {
    const huge = await makeImage('png')
    // Changes only the size in the header, without its checksum; no pixel is decoded.
    huge.writeUInt32BE(100_000, 16)
    huge.writeUInt32BE(100_000, 20)
    expect(
      await verdicts({
        'rupt.pdf': Buffer.from('%PDF-1.7\nnimic'),
        'rupt.png': (await makeImage('png')).subarray(0, 20),
        'urias.png': huge,
      }),
    ).toEqual({ 'rupt.pdf': 'damaged', 'rupt.png': 'damaged', 'urias.png': 'too-many-pixels' })
  })

  it('puts its whole upload in quarantine', async () => {
    const { state, files } = await check({ 'bun.txt': Buffer.from('bine'), 'rau.txt': Buffer.from('<html>') })
    expect(state).toBe('quarantined')
    expect(files.map(({ scan_result }) => scan_result)).toEqual(['clean', 'refused'])
  })
})

describe('the job check-upload', () => {
  it('moves an upload with a patient to review with an audit row, and does nothing a second time', async () => {
    const patientId = await createPatient(server.db, userId)
    const { uploadId, state } = await check({ 'note.txt': Buffer.from('bine') }, patientId)
    expect(state).toBe('in_review')
    await checkUpload(systemContext(), uploadId)
    const rows = await server.db
      .selectFrom('audit_event')
      .selectAll()
      .where('subject_id', '=', uploadId)
      .execute()
    expect(rows).toMatchObject([
      { action: 'upload.checked', actor_id: null, actor_name: 'Dosar', origin: 'job', patient_id: patientId },
    ])
  })

  it('leaves uploads in any other state alone', async () => {
    const uploadId = await createUpload(server.db, { createdBy: userId, state: 'receiving' })
    await addFile(server.services, uploadId, Buffer.from('x'), { scan: 'pending' })
    await checkUpload(systemContext(), uploadId)
    expect(await stateOf(uploadId)).toBe('receiving')
  })

  it('fails and can run again if a file is missing, without a quarantine', async () => {
    const uploadId = await newUpload()
    const { key } = await addFile(server.services, uploadId, Buffer.from('bine'), {
      name: 'note.txt',
      scan: 'pending',
    })
    await server.services.storage.remove(key)
    await expect(checkUpload(systemContext(), uploadId)).rejects.toThrow()
    expect(await stateOf(uploadId)).toBe('checking')
  })
})
