import { randomBytes } from 'node:crypto'
import { readdir, readFile, readlink, rm, truncate, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import {
  type FileToMake,
  makeEmptyUpload,
  makeFile,
  makeInstitution,
  makePatient,
  makeReferral,
} from '../../../db/factories.ts'
import type { Feature } from '../../../shared/access/features.ts'
import { todayInRomania } from '../../../shared/romania/day.ts'
import { UPLOAD_STATES, type UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { createTestClient } from '../../../test/client.ts'
import { WITHDRAW_UPLOAD } from '../../../test/documents.ts'
import { listen } from '../../../test/real-http.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'
import { newId } from '../../platform/ids.ts'

let server: TestServer
let url: string
const people = {} as Record<
  'author' | 'colleague' | 'reviewer' | 'admin' | 'ours' | 'theirs',
  TestClient & { id: string }
>
let institutionId: string
let patientId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const add = async (
    name: keyof typeof people,
    role: 'staff' | 'admin' | 'institution',
    features: Feature[] = ['patient::files'],
  ): Promise<void> => {
    const institutionIds = role === 'institution' ? [(await makeInstitution(server.db)).id] : []
    const user = { email: `${name}@dosar.test`, role, features, institutionIds }
    const { id, email } = await createUser(server.db, user)
    people[name] = { ...(await server.signIn(email)), id }
    if (name === 'ours') institutionId = institutionIds[0]!
  }
  await add('author', 'staff')
  await add('colleague', 'staff')
  await add('reviewer', 'staff', ['patient::files', 'admin::review-files'])
  await add('admin', 'admin')
  await add('ours', 'institution')
  await add('theirs', 'institution')
  patientId = await referredPatient(institutionId)
  const real = await listen(server.app)
  url = real.url
  afterAll(real.close)
})

async function referredPatient(institution: string): Promise<string> {
  const { id } = await makePatient(server.db)
  await makeReferral(server.db, { patient_id: id, institution_id: institution, created_by: people.author.id })
  return id
}

const upload = async (
  state: UploadState = 'released',
  more: { patientId?: string; institutionId?: string } = { patientId, institutionId },
): Promise<string> => {
  const [patient_id, institution_id] = [more.patientId ?? null, more.institutionId ?? null]
  const row = { created_by: people.author.id, state, patient_id, institution_id }
  return (await makeEmptyUpload(server.db, row)).id
}

const addFile = (uploadId: string, content: Uint8Array, over: Partial<FileToMake> = {}) =>
  makeFile(server.db, server.services.storage, { ...over, bytes: content, upload_id: uploadId })

const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(700_000)])

async function releasedFile(options: Partial<FileToMake> = {}, content: Uint8Array = bytes) {
  const uploadId = await upload()
  return { uploadId, ...(await addFile(uploadId, content, options)) }
}

/** Requests without reading the body; an unread body would stay open here, where no connection ends. */
async function fetchUnread(client: TestClient, path: string, init?: RequestInit): Promise<Response> {
  const response = await client.fetch(path, init)
  await response.body?.cancel()
  return response
}
const statusOf = async (client: TestClient, path: string, init?: RequestInit) =>
  (await fetchUnread(client, path, init)).status

const routes = (uploadId: string, fileId: string) => [
  `/files/${fileId}`,
  `/files/${fileId}/preview`,
  `/files/zip/${uploadId}`,
]

describe('who may fetch a file', () => {
  it('serves a released file to its institution and to staff, and 404 to all others [6.4]', async () => {
    const { uploadId, id } = await releasedFile()
    const unknown = routes(newId(), newId())
    for (const [index, path] of routes(uploadId, id).entries()) {
      for (const name of ['author', 'colleague', 'reviewer', 'admin', 'ours'] as const) {
        const response = await people[name].fetch(path)
        expect([name, path, response.status]).toEqual([name, path, 200])
        await response.arrayBuffer()
      }
      const foreign = await people.theirs.fetch(path)
      const none = await people.theirs.fetch(unknown[index]!)
      expect([foreign.status, await foreign.text()]).toEqual([404, await none.text()])
      expect([...foreign.headers]).toEqual([...none.headers])
      const anonymous = await server.app.request(path)
      expect([anonymous.status, (await anonymous.json()).code]).toEqual([401, 'UNAUTHENTICATED'])
    }
  })

  it('hides unreleased files from institutions, and unchecked files from all users [6.4]', async () => {
    for (const state of UPLOAD_STATES) {
      const uploadId = await upload(state)
      const { id } = await addFile(uploadId, bytes)
      const checked = !['receiving', 'checking', 'quarantined'].includes(state)
      for (const path of routes(uploadId, id)) {
        expect([state, await statusOf(people.reviewer, path)]).toEqual([state, checked ? 200 : 409])
        expect([state, await statusOf(people.ours, path)]).toEqual([state, state === 'released' ? 200 : 404])
        expect(await statusOf(people.theirs, path)).toBe(404)
      }
    }
  })

  it('hides an unchecked file from all users, also when its upload was withdrawn before', async () => {
    const uploadId = await upload('withdrawn')
    const { id } = await addFile(uploadId, bytes, { scan_result: 'pending' })
    for (const path of routes(uploadId, id)) {
      expect(await statusOf(people.author, path)).toBe(409)
      expect(await statusOf(people.reviewer, path)).toBe(409)
    }
  })

  it('shows an upload without a patient to its author and the reviewers only [6.4]', async () => {
    const uploadId = await upload('unassigned', {})
    const { id } = await addFile(uploadId, bytes)
    for (const path of routes(uploadId, id)) {
      expect(await statusOf(people.author, path)).toBe(200)
      expect(await statusOf(people.reviewer, path)).toBe(200)
      expect(await statusOf(people.colleague, path)).toBe(404)
    }
  })

  it('requires both the order and the referral for an institution [6.4]', async () => {
    const notReferred = (await makePatient(server.db)).id
    const orderedOnly = await upload('released', { patientId: notReferred, institutionId })
    const referredOnly = await upload('released', { patientId })
    for (const uploadId of [orderedOnly, referredOnly]) {
      const { id } = await addFile(uploadId, bytes)
      for (const path of routes(uploadId, id)) expect(await statusOf(people.ours, path)).toBe(404)
    }
  })

  it('stops at once when an institution is suspended, a session ends or a file is removed [6.4]', async () => {
    const { id: other } = await makeInstitution(server.db)
    const { id: userId, email } = await createUser(server.db, {
      email: `${newId()}@dosar.test`,
      role: 'institution',
      institutionIds: [other],
    })
    const patient = await referredPatient(other)
    const client = await server.signIn(email)
    const uploadId = await upload('released', { patientId: patient, institutionId: other })
    const { id } = await addFile(uploadId, bytes)
    const status = async () => await statusOf(client, `/files/${id}`)
    expect(await status()).toBe(200)
    const suspend = (at: Date | null) =>
      server.db.updateTable('institution').set({ suspended_at: at }).where('id', '=', other).execute()
    await suspend(new Date())
    expect(await status()).toBe(401)
    await suspend(null)
    await server.db.updateTable('file').set({ removed_at: new Date() }).where('id', '=', id).execute()
    expect(await status()).toBe(404)
    await server.db
      .updateTable('session')
      .set({ revoked_at: new Date() })
      .where('user_id', '=', userId)
      .execute()
    expect(await status()).toBe(401)
  })

  it('accepts an id only in the form that the product writes', async () => {
    const { id } = await releasedFile()
    for (const name of [
      id.toUpperCase(),
      `${id}%00`,
      `${id}.pdf`,
      id.replaceAll('-', ''),
      '1',
      '..%2f..%2fsecret',
      `{${id}}`,
    ]) {
      expect(await statusOf(people.admin, `/files/${name}`)).toBe(404)
      expect(await statusOf(people.admin, `/files/zip/${name}`)).toBe(404)
    }
  })
})

describe('the response with a file', () => {
  it('has the bytes, inert and not cached (E01)', async () => {
    const { id } = await releasedFile({ name: 'raport.pdf' })
    const response = await people.ours.fetch(`/files/${id}`)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="raport.pdf"; filename*=UTF-8''raport.pdf`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    })
    expect(response.headers.get('etag')).toBeNull()
  })

  it('has the file’s exact name, also with unusual characters (E06, T6)', async () => {
    for (const name of [
      'Ștefan_țigănuș.pdf',
      'rezultat\u202Efdp.exe',
      'a\r\nX-Evil: 1.pdf',
      '"; filename="x.html',
      'ă'.repeat(300),
    ]) {
      const { id } = await releasedFile({ name })
      const response = await fetchUnread(people.ours, `/files/${id}`)
      const header = response.headers.get('content-disposition')!
      expect(response.status).toBe(200)
      expect(response.headers.get('x-evil')).toBeNull()
      expect(header).toMatch(
        /^attachment; filename="[ -!#-~]*"; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+$/,
      )
    }
    const { id } = await releasedFile({ name: 'Ștefan.pdf' })
    const header = (await fetchUnread(people.ours, `/files/${id}`)).headers.get('content-disposition')!
    expect(decodeURIComponent(header.split("''")[1]!)).toBe('Ștefan.pdf')
  })

  it('is image inline only for a PDF or an image', async () => {
    const image = await releasedFile({ name: 'poza.png', type: 'image/png', kind: 'image' })
    const preview = await fetchUnread(people.ours, `/files/${image.id}/preview`)
    expect(preview.headers.get('content-disposition')).toMatch(/^inline; /)
    expect(preview.headers.get('content-type')).toBe('image/png')
    expect(preview.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    for (const kind of ['zip', 'dicom', 'other'] as const) {
      const { id } = await releasedFile({ kind, type: 'application/octet-stream' })
      expect(await statusOf(people.ours, `/files/${id}/preview`)).toBe(404)
    }
  })

  it('has one range when one is requested (E09)', async () => {
    const { id } = await releasedFile()
    const part = async (range: string, method = 'GET') =>
      people.ours.fetch(`/files/${id}`, { method, headers: { range } })
    const middle = await part('bytes=1000-299999')
    expect([
      middle.status,
      middle.headers.get('content-range'),
      middle.headers.get('content-length'),
    ]).toEqual([206, `bytes 1000-299999/${bytes.length}`, '299000'])
    expect(Buffer.from(await middle.arrayBuffer()).equals(bytes.subarray(1000, 300_000))).toBe(true)
    const beyond = await part(`bytes=${bytes.length}-`)
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
    const many = await part(`bytes=${Array(1000).fill('0-0').join(',')}`)
    expect([many.status, Buffer.from(await many.arrayBuffer()).equals(bytes)]).toEqual([200, true])
    const head = await part('bytes=0-9', 'HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([206, '10', ''])
  })

  it('has all files of an upload in one archive, each under its own name', async () => {
    const uploadId = await upload()
    const contents = [randomBytes(300_000), randomBytes(20), randomBytes(1)]
    for (const [index, name] of ['Raport.pdf', 'raport.PDF', 'Ștefan.txt'].entries()) {
      await addFile(uploadId, contents[index]!, { name })
    }
    const response = await people.ours.fetch(`/files/zip/${uploadId}`)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Fisierele \d+\.zip"/)
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()))
    const found: [string, Buffer][] = []
    for await (const entry of zip.eachEntry()) {
      expect(entry.compressionMethod).toBe(0)
      found.push([entry.fileName, await buffer(await zip.openReadStreamPromise(entry))])
    }
    expect(found).toEqual([
      ['Raport.pdf', contents[0]],
      ['raport (2).PDF', contents[1]],
      ['Ștefan.txt', contents[2]],
    ])
  })

  it('is cut before its end when the file has changed on the disk (R28)', async () => {
    const damaged = await releasedFile()
    const path = join(server.services.config.dataDir, 'files', damaged.storage_key)
    const changed = await readFile(path)
    changed[400_000]! ^= 1
    const fetched = createTestClient(url, people.ours).fetch
    const expectBroken = async () => {
      for (const routes of [`/files/${damaged.id}`, `/files/zip/${damaged.uploadId}`]) {
        const received: Uint8Array[] = []
        const reading = (async () => {
          const response = await fetched(routes)
          for await (const chunk of response.body!) received.push(chunk)
        })()
        await expect(reading).rejects.toThrow()
        expect(Buffer.concat(received).length).toBeLessThan(bytes.length)
      }
    }
    await writeFile(path, changed)
    await expectBroken()
    await truncate(path, 300_000)
    await expectBroken()
    await rm(path)
    const missing = await fetched(`/files/${damaged.id}`)
    expect([missing.status, (await missing.json()).code]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
    expect(server.logged.filter((line) => line.includes('INTEGRITY'))).toHaveLength(5)
  })
})

describe('a running download', () => {
  const large = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(6 * 1024 * 1024)])

  /** Reads the first bytes, runs the change, and reads the rest seconds later. */
  async function readAround(client: TestClient, path: string, change: () => Promise<unknown>) {
    const response = await client.fetch(path)
    expect(response.status).toBe(200)
    const reader = response.body!.getReader()
    const read: Uint8Array[] = [(await reader.read()).value!]
    await change()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4_000 })
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return Buffer.concat(read)
        read.push(value)
      }
    } finally {
      vi.useRealTimers()
    }
  }

  it('continues to the end while the user may read the file', async () => {
    const { id } = await releasedFile({}, large)
    expect((await readAround(people.ours, `/files/${id}`, async () => undefined)).equals(large)).toBe(true)
  })

  it.each([
    ['a file', ({ id }: { id: string }) => `/files/${id}`, {}],
    ['a range of a file', ({ id }: { id: string }) => `/files/${id}`, { range: 'bytes=9-6000000' }],
    ['an archive', ({ uploadId }: { uploadId: string }) => `/files/zip/${uploadId}`, {}],
  ])(
    'of %s is cut at once when the upload is withdrawn, also while nothing is read',
    async (_what, pathOf, headers) => {
      const file = await releasedFile({}, large)
      const response = await people.ours.fetch(pathOf(file), { headers })
      const reader = response.body!.getReader()
      await reader.read()
      const cut = vi.fn()
      reader.closed.catch(cut)
      // A change of another upload ends nothing.
      await people.reviewer.runQuery(WITHDRAW_UPLOAD, { id: (await releasedFile()).uploadId })
      await people.reviewer.runQuery(WITHDRAW_UPLOAD, { id: file.uploadId })
      await expect.poll(() => cut.mock.calls.length, { timeout: 2_000 }).toBe(1)
      expect(String(cut.mock.calls[0])).toContain('not found')
      await expect(reader.read()).rejects.toThrow('not found')
    },
  )

  it('is cut at once when the referral of the patient turns out to be mistaken, and not when it ends', async () => {
    const referred = await referredPatient(institutionId)
    const file = await addFile(await upload('released', { patientId: referred, institutionId }), large)
    const reader = (await people.ours.fetch(`/files/${file.id}`)).body!.getReader()
    await reader.read()
    const cut = vi.fn()
    reader.closed.catch(cut)
    const update = async (changes: object) => {
      const { id, version } = await server.db
        .selectFrom('referral')
        .select(['id', 'version'])
        .where('patient_id', '=', referred)
        .executeTakeFirstOrThrow()
      await people.reviewer.runQuery(
        `mutation ($id: ID!, $version: Int!, $referral: ReferralChangesInput!) {
          updateReferral(id: $id, version: $version, referral: $referral) { uploadsNoLongerShown } }`,
        { id, version, referral: { institutionId, ...changes } },
      )
    }
    await update({ endedOn: todayInRomania() })
    await reader.read()
    expect(cut).not.toHaveBeenCalled()
    await update({ isMistaken: true })
    await expect.poll(() => cut.mock.calls.length, { timeout: 2_000 }).toBe(1)
    await expect(reader.read()).rejects.toThrow('not found')
  })

  it('ends its subscription with the last byte, with an error, and for a client that leaves', async () => {
    const file = await releasedFile({}, large)
    const subscribe = vi.spyOn(server.services.events, 'subscribe')
    const path = `/files/${file.id}`
    await (await people.ours.fetch(path)).arrayBuffer()
    await people.ours.fetch(path, { method: 'HEAD' })
    await people.theirs.fetch(path)
    await people.ours.fetch(path, { headers: { range: 'bytes=99999999-' } })
    await (await people.ours.fetch(path)).body!.cancel()
    expect(subscribe).toHaveBeenCalledTimes(5)
    for (const { value } of subscribe.mock.results as { value: AsyncIterator<unknown> }[])
      expect(await Promise.race([value.next(), new Promise((end) => setTimeout(end, 500, 'open'))])).toEqual({
        value: undefined,
        done: true,
      })
  })

  it.each([
    [
      'the release of the upload was revoked',
      'not found: upload',
      ({ uploadId }: { uploadId: string }) =>
        server.db.updateTable('upload').set({ state: 'in_review' }).where('id', '=', uploadId).execute(),
    ],
    [
      'the session has ended',
      'no valid session',
      ({ userId }: { userId: string }) =>
        server.db
          .updateTable('session')
          .set({ revoked_at: new Date() })
          .where('user_id', '=', userId)
          .execute(),
    ],
    [
      'a file of the archive was removed',
      'not found: file',
      ({ id }: { id: string }) =>
        server.db.updateTable('file').set({ removed_at: new Date() }).where('id', '=', id).execute(),
    ],
  ])('is cut within seconds when %s', async (_what, reason, change) => {
    for (const archive of [false, true]) {
      const { id, uploadId } = await releasedFile({}, large)
      await addFile(uploadId, bytes, { name: 'alt.pdf' })
      const { id: userId, email } = await createUser(server.db, {
        email: `${newId()}@dosar.test`,
        role: 'institution',
        institutionIds: [institutionId],
      })
      const client = await server.signIn(email)
      const path = archive ? `/files/zip/${uploadId}` : `/files/${id}`
      await expect(readAround(client, path, () => change({ id, uploadId, userId }))).rejects.toThrow(
        archive || reason === 'no valid session' ? reason : 'not found: file',
      )
    }
  })
})

describe('what a download leaves', () => {
  const readAuditRows = (subjectId: string) =>
    server.db
      .selectFrom('audit_event')
      .selectAll()
      .where('subject_id', '=', subjectId)
      .orderBy('id')
      .execute()
  const opening = (uploadId: string, userId: string) =>
    server.db
      .selectFrom('upload_opening')
      .selectAll()
      .where('upload_id', '=', uploadId)
      .where('user_id', '=', userId)
      .executeTakeFirst()

  it('is an audit row for each request, and for an institution a mark of opening and downloading', async () => {
    const { uploadId, id } = await releasedFile()
    await statusOf(people.ours, `/files/${id}/preview`)
    expect(await opening(uploadId, people.ours.id)).toMatchObject({
      opened_at: expect.any(Date),
      downloaded_at: null,
    })
    await statusOf(people.ours, `/files/${id}`)
    expect(await opening(uploadId, people.ours.id)).toMatchObject({ downloaded_at: expect.any(Date) })
    await statusOf(people.reviewer, `/files/${id}`)
    expect(await opening(uploadId, people.reviewer.id)).toBeUndefined()
    for (const path of [`/files/${id}`, `/files/${id}/preview`])
      await statusOf(people.ours, path, { method: 'HEAD' })
    await statusOf(people.theirs, `/files/${id}`, { method: 'HEAD' })
    await statusOf(people.theirs, `/files/${id}`)
    expect(await readAuditRows(id)).toMatchObject([
      { action: 'file.preview', actor_id: people.ours.id, patient_id: patientId },
      { action: 'file.download', actor_id: people.ours.id, patient_id: patientId },
      { action: 'file.download', actor_id: people.reviewer.id, patient_id: patientId },
      { action: 'file.download', actor_id: people.ours.id, patient_id: patientId },
      { action: 'file.preview', actor_id: people.ours.id, patient_id: patientId },
    ])
    await statusOf(people.ours, `/files/zip/${uploadId}`)
    await statusOf(people.ours, `/files/zip/${uploadId}`, { method: 'HEAD' })
    expect(await readAuditRows(uploadId)).toMatchObject([
      { action: 'upload.download', subject_ids: [id], patient_id: patientId },
      { action: 'upload.download', subject_ids: [id], patient_id: patientId },
    ])
  })

  it('is no row after the check before a download, which says nothing about the file', async () => {
    const { uploadId, id } = await releasedFile()
    for (const path of [`/files/${id}/check`, `/files/zip/${uploadId}/check`]) {
      const response = await people.ours.fetch(path)
      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(response.headers.has('content-disposition')).toBe(false)
      expect(await statusOf(people.theirs, path)).toBe(404)
    }
    expect([...(await readAuditRows(id)), ...(await readAuditRows(uploadId))]).toEqual([])
    expect(await opening(uploadId, people.ours.id)).toBeUndefined()
    await server.db.updateTable('upload').set({ state: 'checking' }).where('id', '=', uploadId).execute()
    expect(await statusOf(people.author, `/files/${id}/check`)).toBe(409)
  })

  it('is no open file when a client disconnects in the middle', async () => {
    const { uploadId, id, storage_key } = await releasedFile({}, randomBytes(30_000_000))
    const openFiles = async () => {
      const targets = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      )
      return targets.filter((target) => target.endsWith(storage_key)).length
    }
    for (const routes of [`/files/${id}`, `/files/zip/${uploadId}`]) {
      await new Promise<void>((resolve, reject) => {
        const leaving = request(
          `${url}${routes}`,
          { agent: false, headers: { cookie: people.ours.cookie } },
          (response) => {
            response.once('data', () => {
              response.destroy()
              resolve()
            })
          },
        )
        leaving.on('error', reject)
        leaving.end()
      })
      await vi.waitFor(async () => expect(await openFiles()).toBe(0), { timeout: 60_000 })
    }
  })
})
