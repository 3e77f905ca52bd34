import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FileToMake, makeEmptyUpload, makeFile, makePatient } from '../../../../db/factories.ts'
import { isAccepted } from '../../../../shared/uploads/files.ts'
import type { UploadState } from '../../../../shared/uploads/upload-state-list.ts'
import {
  makeDicom,
  makeDisguisedDicoms,
  makeHarmfulArchives,
  makeImage,
  makePdf,
  makeRunnableFiles,
  makeSlowPdf,
  makeUnreadableFiles,
  makeZip,
} from '../../../../test/hostile-files.ts'
import { createTestServer, type TestServer } from '../../../../test/test-server.ts'
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

const newUpload = async (patient_id: string | null = null, state: UploadState = 'checking') =>
  (await makeEmptyUpload(server.db, { created_by: userId, state, patient_id })).id
const addFile = (upload_id: string, bytes: Uint8Array, over: Partial<FileToMake> = {}) =>
  makeFile(server.db, server.services.storage, { ...over, upload_id, bytes, scan_result: 'pending' })
const stateOf = async (id: string) =>
  (await server.db.selectFrom('upload').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

/** Adds files as they arrive, not inspected yet, runs the check and returns its result. */
async function check(files: Record<string, Uint8Array>, patientId?: string) {
  const uploadId = await newUpload(patientId)
  for (const [name, bytes] of Object.entries(files)) {
    await addFile(uploadId, bytes, { name, kind: 'other', type: 'application/octet-stream' })
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
      isAccepted(scan_result) ? type : (facts as { reason?: string }).reason,
    ]),
  )
}

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
        scan_result: 'unscanned',
        page_count: 6,
        facts: {},
      },
      {
        kind: 'image',
        type: 'image/png',
        scan_result: 'unscanned',
        page_count: null,
        facts: { width: 40, height: 30, noText: true },
      },
      {
        kind: 'image',
        type: 'image/jpeg',
        scan_result: 'unscanned',
        page_count: null,
        facts: { width: 40, height: 30, noText: true },
      },
      {
        kind: 'zip',
        type: 'application/zip',
        scan_result: 'unscanned',
        page_count: null,
        facts: {
          entries: 2,
          names: ['a/ct-1.dcm', 'citește.txt'],
          unpacked: 105,
          unreadEntries: { count: 1, names: ['a/ct-1.dcm'] },
        },
      },
      {
        kind: 'dicom',
        type: 'application/dicom',
        scan_result: 'unscanned',
        page_count: null,
        facts: { unreadable: 'damaged' },
      },
      {
        kind: 'dicom',
        type: 'application/dicom',
        scan_result: 'unscanned',
        page_count: null,
        facts: { unreadable: 'damaged' },
      },
      {
        kind: 'other',
        type: 'text/plain',
        scan_result: 'unscanned',
        page_count: null,
        facts: {},
      },
      { kind: 'other', type: 'text/csv', scan_result: 'unscanned', page_count: null, facts: {} },
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
      scan_result: 'unscanned',
      page_count: null,
      content_text: null,
      facts: { unreadable: 'locked', findings: [{ kind: 'unexamined' }] },
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
    const found = await verdicts(await makeRunnableFiles())
    expect(found).toEqual({
      'pagina.pdf': 'type-not-allowed',
      'pagina.txt': 'type-not-allowed',
      'spatii.txt': 'type-not-allowed',
      'desen.png': 'type-not-allowed',
      'date.csv': 'type-not-allowed',
      'utf16.txt': 'type-not-allowed',
      'program.txt': 'executable',
      'gif.png': 'type-not-allowed',
      'tarziu.pdf': 'type-not-allowed',
      'document.html': 'extension-mismatch',
      'document.svg': 'extension-mismatch',
      fara: 'extension-mismatch',
    })
  })

  it('is a DICOM file that begins as another type (E04)', async () => {
    expect(await verdicts(makeDisguisedDicoms())).toEqual({
      'tiff.dcm': 'application/dicom',
      'pe.dcm': 'executable',
      'elf.dcm': 'executable',
      'script.dcm': 'executable',
      'pdf.dcm': 'type-not-allowed',
      'html.dcm': 'type-not-allowed',
    })
  })

  it('is an archive that would harm the computer that unpacks it (E03)', async () => {
    expect(await verdicts(await makeHarmfulArchives())).toEqual({
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
    expect(files[0]).toMatchObject({ scan_result: 'unscanned', facts: { entries: 1 } })
    expect((files[0]!.facts as { names: string[] }).names[0]).toMatch(/^a{299}/)
  })

  it('is an unreadable file or an image with too many pixels (E08)', async () => {
    expect(await verdicts(await makeUnreadableFiles())).toEqual({
      'rupt.pdf': 'damaged',
      'rupt.png': 'damaged',
      'urias.png': 'too-many-pixels',
    })
  })

  it('puts its whole upload in quarantine', async () => {
    const { state, files } = await check({ 'bun.txt': Buffer.from('bine'), 'rau.txt': Buffer.from('<html>') })
    expect(state).toBe('quarantined')
    expect(files.map(({ scan_result }) => scan_result)).toEqual(['unscanned', 'refused'])
  })
})

describe('the job check-upload', () => {
  it('does nothing while another job checks the same upload', async () => {
    const uploadId = await newUpload()
    await addFile(uploadId, Buffer.from('bine'), { name: 'note.txt' })
    const lock = await server.services.locks.tryAcquire(`check-upload ${uploadId}`)
    await checkUpload(systemContext(), uploadId)
    expect(await stateOf(uploadId)).toBe('checking')
    await lock!.release()
    await checkUpload(systemContext(), uploadId)
    expect(await stateOf(uploadId)).toBe('unassigned')
  })

  it('moves an upload with a patient to review with an audit row, and does nothing a second time', async () => {
    const { id: patientId } = await makePatient(server.db)
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
    const uploadId = await newUpload(null, 'receiving')
    await addFile(uploadId, Buffer.from('x'))
    await checkUpload(systemContext(), uploadId)
    expect(await stateOf(uploadId)).toBe('receiving')
  })

  it('fails and can run again if a file is missing, without a quarantine', async () => {
    const uploadId = await newUpload()
    const { storage_key } = await addFile(uploadId, Buffer.from('bine'), { name: 'note.txt' })
    await server.services.storage.remove(storage_key)
    await expect(checkUpload(systemContext(), uploadId)).rejects.toThrow()
    expect(await stateOf(uploadId)).toBe('checking')
  })
})

describe('the lanes', () => {
  it('check the files of a colleague while a hostile upload keeps them busy', async () => {
    const slow = makeSlowPdf()
    const hostile = await newUpload()
    for (let number = 1; number <= 20; number += 1) await addFile(hostile, slow, { name: `${number}.pdf` })
    const checking = checkUpload(systemContext(), hostile)
    const colleague = await createUser(server.db, { email: 'coleg@dosar.test' })
    for (let number = 1; number <= 3; number += 1) {
      const { id } = await makeEmptyUpload(server.db, { created_by: colleague.id, state: 'checking' })
      await addFile(id, await makePdf(2), { name: 'analize.pdf' })
      await addFile(id, Buffer.from('bine'), { name: 'note.txt' })
      await checkUpload(systemContext(), id)
      expect(await stateOf(id)).toBe('unassigned')
      expect(await stateOf(hostile)).toBe('checking')
    }
    // The stop of the server is no failure of a file: the check runs again at the next start.
    server.services.sandbox.close()
    await expect(checking).rejects.toThrow('the server stops')
    expect(await stateOf(hostile)).toBe('checking')
  })
})
