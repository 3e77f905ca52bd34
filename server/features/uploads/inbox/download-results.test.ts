import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../../db/factories.ts'
import { WITHDRAW_UPLOAD } from '../../../../test/documents.ts'
import { sha256 } from '../../../../test/sha256.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { newId } from '../../../platform/ids.ts'

let server: TestServer
let client: TestClient
let reviewer: TestClient
let institution: { id: string }
let patient: { id: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  institution = await makeInstitution(db)
  client = await server.signIn(
    (await makeUser(db, { role: 'institution', institutionIds: [institution.id] })).email,
  )
  reviewer = await server.signIn(
    (await makeUser(db, { features: ['admin::review-files', 'patient::files'] })).email,
  )
  patient = await makePatient(db, { surname: 'Țurcanu', given_names: 'Ana Maria' })
  await makeReferral(db, { patient_id: patient.id, institution_id: institution.id })
})

const release = (over: Parameters<typeof makeUpload>[2] = {}) =>
  makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: institution.id,
    state: 'released',
    examined_on: '2026-03-02',
    ...over,
  })
const pathOf = (ids: readonly string[]) => `/files/results/${ids.join(',')}`

it('60 chosen results are one archive: a folder each, with safe and different names and the exact bytes', async () => {
  const titles = Array.from({ length: 60 }, (_, index) => (index < 3 ? 'RMN: L.S. / 1' : `Analiza ${index}`))
  const bytesOf = (index: number) => Buffer.from(`%PDF-1.7 rezultatul ${index} ${'x'.repeat(index)}`)
  const uploads = []
  for (const [index, title] of titles.entries())
    uploads.push(
      await release({
        title,
        files: [
          { name: 'Raport.pdf', bytes: bytesOf(index) },
          { name: 'raport.PDF', bytes: bytesOf(index + 100) },
        ],
      }),
    )
  const response = await client.fetch(pathOf(uploads.map(({ id }) => id)))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="Rezultate \d{4}-\d\d-\d\d\.zip"/,
  )
  const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()))
  const found: [string, string][] = []
  for await (const entry of zip.eachEntry())
    found.push([entry.fileName, sha256(await buffer(await zip.openReadStreamPromise(entry))).toString('hex')])
  const folderOf = (index: number) =>
    `Țurcanu Ana Maria – 2026-03-02 – ${['RMN_ L.S. 1', 'RMN_ L.S. 1 (2)', 'RMN_ L.S. 1 (3)'][index] ?? titles[index]}`
  expect(found).toEqual(
    uploads.flatMap((_, index) => [
      [`${folderOf(index)}/Raport.pdf`, sha256(bytesOf(index)).toString('hex')],
      [`${folderOf(index)}/raport (2).PDF`, sha256(bytesOf(index + 100)).toString('hex')],
    ]),
  )
  // Each is opened and recorded as a single download is.
  const recorded = await server.db
    .selectFrom('audit_event')
    .select('subject_id')
    .where('action', '=', 'upload.download')
    .execute()
  expect(recorded.map(({ subject_id }) => subject_id).sort()).toEqual(uploads.map(({ id }) => id).sort())
})

it('the names in an archive can be unpacked everywhere, also long ones that are equal', async () => {
  const long = 'ă'.repeat(200)
  const given = [
    `${long}.pdf`,
    `${long}.pdf`,
    `${long}.PDF`,
    'Strasse.pdf',
    'straße.pdf',
    `a.${long}`,
    `a.${long}`,
  ]
  const { id } = await release({
    title: 'x'.repeat(300),
    files: given.map((name, index) => ({ name, bytes: Buffer.from(`%PDF-1.7 ${index}`) })),
  })
  const zip = await fromBufferPromise(Buffer.from(await (await client.fetch(pathOf([id]))).arrayBuffer()))
  const parts: string[][] = []
  for await (const { fileName } of zip.eachEntry()) parts.push(fileName.split('/'))
  expect(parts.map(({ length }) => length)).toEqual(given.map(() => 2))
  // The limit of ext4.
  for (const part of parts.flat()) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255)
  const names = parts.map(([, name]) => name!)
  expect(names[1]).toMatch(/^ă+ \(2\)\.pdf$/)
  expect(new Set(names.map((name) => name.toUpperCase())).size).toBe(given.length)
})

it('a selection that is not wholly of the institution, or too large, is refused before the first byte', async () => {
  const mine = await release()
  const other = await makeInstitution(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: other.id })
  const theirs = await release({ institution_id: other.id })
  const statusOf = async (ids: readonly string[], path = '') =>
    (await client.fetch(`${pathOf(ids)}${path}`)).status
  for (const path of ['', '/check']) {
    expect(await statusOf([mine.id, theirs.id], path)).toBe(404)
    expect(await statusOf([mine.id, newId()], path)).toBe(404)
    expect(await statusOf([mine.id, 'x'], path)).toBe(404)
    expect(
      await statusOf(
        Array.from({ length: 101 }, () => newId()),
        path,
      ),
    ).toBe(400)
    expect((await reviewer.fetch(`${pathOf([mine.id])}${path}`)).status).toBe(403)
  }
  expect(await statusOf([mine.id], '/check')).toBe(204)
})

it('is cut at once when one of the results is withdrawn half-way, also one that was sent before', async () => {
  const bytes = Buffer.alloc(2 * 1024 * 1024, '%PDF-1.7 ')
  for (const withdrawn of [0, 2]) {
    const uploads = []
    for (let index = 0; index < 3; index += 1)
      uploads.push(await release({ files: [{ bytes, name: 'mare.pdf' }] }))
    const response = await client.fetch(pathOf(uploads.map(({ id }) => id)))
    const reader = response.body!.getReader()
    await reader.read()
    const cut = vi.fn()
    reader.closed.catch(cut)
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id: uploads[withdrawn]!.id })
    await expect.poll(() => cut.mock.calls.length, { timeout: 5_000 }).toBe(1)
    expect(String(cut.mock.calls[0])).toContain('not found')
  }
})
