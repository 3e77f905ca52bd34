import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeCategory, makeUpload, makeUser } from '../../../../db/factories.ts'
import { countCalls } from '../../../../test/count-calls.ts'
import { connectAs } from '../../../../test/databases.ts'
import { makePdf } from '../../../../test/hostile-files.ts'
import { hasEnded, scriptClamd } from '../../../../test/inspection/clamd.ts'
import { writeDicom } from '../../../../test/inspection/dicom-files.ts'
import { createRegistrar, makeReport, SUBMIT } from '../../../../test/inspection/drafts.ts'
import { countLockWaits } from '../../../../test/locks/lock-waits.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { createSystemContext } from '../../../context.ts'
import { JOBS, runJob } from '../../../jobs.ts'
import { migrateJobs, startJobs } from '../../../platform/jobs.ts'
import { createLog } from '../../../platform/log.ts'
import { checkUpload } from '../inspection/check-upload.ts'
import { readFile } from './read-file.ts'

const READ = `query ($id: ID!) { upload(id: $id) { state isDisagreeing
  comparison { lines { what result } unreadFileIds }
  files { scanResult facts pageCount stated { kind } } fileChecks { state refusal { code } }
  proposal { category { slug } } duplicates { kind } } }`

let server: TestServer
let registrar: Awaited<ReturnType<typeof createRegistrar>>
let patient: Awaited<ReturnType<typeof registrar.makePerson>>
let reviewer: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  registrar = await createRegistrar(server)
  patient = await registrar.makePerson()
  const features = ['patient::files', 'admin::review-files'] as const
  reviewer = await server.signIn((await makeUser(server.db, { features: [...features] })).email)
})

const read = async (id: string, client = registrar.client) => (await client.runQuery(READ, { id })).upload
const submit = (id: string) => registrar.client.runQuery(SUBMIT, { id })
/** Returns how many files `work` inspects. */
const countInspections = (work: () => Promise<unknown>) =>
  countCalls('inspection/inspect-stored-file.ts', 'run', work)
const countOf = async (table: 'file_reading' | 'file_fact', ids: readonly string[]) =>
  (await server.db.selectFrom(table).select('file_id').where('file_id', 'in', ids).execute()).length
const makeDraft = async (over: Parameters<typeof registrar.makeDraft>[1] = {}) =>
  registrar.makeDraft({ 'raport.pdf': await makeReport(patient) }, { patient_id: patient.id, ...over })

describe('a file that arrives', () => {
  it('is read once, before the upload is submitted, and not again by the check', async () => {
    const draft = await makeDraft()
    expect(await countInspections(() => server.runJobs())).toBe(1)
    expect((await read(draft.id)).fileChecks).toMatchObject([{ state: 'READ' }])
    await submit(draft.id)
    expect(await countInspections(() => server.runJobs())).toBe(0)
    expect(await read(draft.id)).toMatchObject({
      state: 'in_review',
      files: [{ scanResult: 'unscanned', pageCount: 1, stated: [{ kind: 'cnp' }, { kind: 'name' }] }],
      comparison: { unreadFileIds: [] },
      fileChecks: [],
    })
    const row = await server.db
      .selectFrom('file')
      .select(['content_text', 'cnps'])
      .where('upload_id', '=', draft.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      content_text: expect.stringContaining('hemoglobina'),
      cnps: { only: patient.cnp },
    })
    expect(await countOf('file_reading', draft.fileIds)).toBe(0)
  })

  it('is only previewed, and by its author alone, before its check', async () => {
    const draft = await makeDraft()
    await server.runJobs()
    const [id] = draft.fileIds as [string]
    const statusesFor = (client: TestClient) =>
      Promise.all(
        [`/files/${id}`, `/files/zip/${draft.id}`, `/files/${id}/preview`, `/files/${id}/thumbnail`].map(
          async (path) => (await client.get(path)).status,
        ),
      )
    expect(await statusesFor(registrar.client)).toEqual([409, 409, 200, 404])
    expect(await statusesFor(reviewer)).toEqual([409, 409, 409, 409])
    expect(await read(draft.id)).toMatchObject({ files: [{ scanResult: 'pending', facts: {}, stated: [] }] })
  })

  it('is announced to the pages of the upload when it was read', async () => {
    const draft = await makeDraft()
    const events = server.services.events.subscribe()
    const announced = (async () => {
      for await (const event of events) if (event.kind === 'upload' && event.id === draft.id) return event
      return null
    })()
    await server.runJobs()
    expect(await announced).toMatchObject({ id: draft.id, patientId: patient.id })
    await events.return?.()
  })

  it('gives the upload its category by the words in its text', async () => {
    const { slug } = await makeCategory(server.db, { name: 'Hemoglobină' })
    const draft = await makeDraft()
    expect((await read(draft.id)).proposal.category).toBeNull()
    await server.runJobs()
    expect((await read(draft.id)).proposal.category).toEqual({ slug })
  })

  it('in a rejected upload is read too, and all of its files are checked again', async () => {
    const upload = await makeUpload(server.db, server.services.storage, {
      state: 'rejected',
      patient_id: patient.id,
      created_by: registrar.userId,
    })
    await registrar.send(upload.id, { 'nou.pdf': await makeReport(patient) })
    expect(await countInspections(() => server.runJobs())).toBe(1)
    expect((await read(upload.id)).fileChecks).toMatchObject([{ state: 'READ' }])
    await submit(upload.id)
    // Only the one that was checked before.
    expect(await countInspections(() => server.runJobs())).toBe(1)
    expect((await read(upload.id)).state).toBe('in_review')
  })
})

describe('a reading', () => {
  it('that did not end before the submission is made by the check', async () => {
    const { id } = await makeDraft()
    server.dropJobs()
    await submit(id)
    expect(await countInspections(() => server.runJobs())).toBe(1)
    expect((await read(id)).state).toBe('in_review')
  })

  it('is made once, also by a copy of its job that the next server adds', async () => {
    const { fileIds } = await makeDraft()
    await server.runJobs()
    const repeated = () => readFile(createSystemContext(server.services), fileIds[0]!)
    expect(await countInspections(repeated)).toBe(0)
  })

  it('that a killed server was making is made by the next one', async () => {
    const { id, fileIds } = await makeDraft()
    server.dropJobs()
    await migrateJobs(server.connection)
    const table = { 'read-file': JOBS['read-file'] }
    const staff = connectAs(server.connection, 'staff')
    const jobs = startJobs(staff, createLog('error', console.error), table)
    onTestFinished(() => jobs.stop())
    await jobs.enqueue(server.db, 'read-file', { fileId: fileIds[0]!, authorId: registrar.userId })
    await sql`update pgboss.job set state = 'active', started_on = now() where name = 'read-file'`.execute(
      server.db,
    )
    await jobs.run((name, payload) => runJob(createSystemContext(server.services), name, payload))
    const checksOf = async () => (await read(id)).fileChecks
    await expect.poll(checksOf, { timeout: 30_000 }).toMatchObject([{ state: 'READ' }])
  })

  it('that ends after the submission keeps nothing: the check decides', async () => {
    const draft = await makeDraft()
    server.dropJobs()
    const { ended } = await server.db.transaction().execute(async (tx) => {
      // The submission waits for the upload, and the end of the reading after it.
      await tx.selectFrom('upload').select('id').where('id', '=', draft.id).forUpdate().execute()
      const submission = submit(draft.id)
      await expect.poll(() => countLockWaits(server.db)).toBe(1)
      const reading = readFile(createSystemContext(server.services), draft.fileIds[0]!)
      await expect.poll(() => countLockWaits(server.db), { timeout: 30_000 }).toBe(2)
      return { ended: Promise.all([submission, reading]) }
    })
    await ended
    expect([await countOf('file_fact', draft.fileIds), await countOf('file_reading', draft.fileIds)]).toEqual(
      [0, 0],
    )
    await server.runJobs()
    expect((await read(draft.id)).state).toBe('in_review')
  })

  it('of an earlier version of the reader is not used by the check', async () => {
    const draft = await makeDraft()
    await server.runJobs()
    await server.db
      .updateTable('file_reading')
      .set({ reader: 0 })
      .where('file_id', 'in', draft.fileIds)
      .execute()
    await submit(draft.id)
    expect(await countInspections(() => server.runJobs())).toBe(1)
  })

  it('confirms the patient without a reviewer only where the category allows that at the check', async () => {
    const { db } = server
    const [strict, open] = [
      await makeCategory(db, { review_required: true }),
      await makeCategory(db, { review_required: false }),
    ]
    const detailsAfter = async (before: string | null, after: string | null) => {
      const draft = await makeDraft({ category_slug: before })
      await server.runJobs()
      await db.updateTable('upload').set({ category_slug: after }).where('id', '=', draft.id).execute()
      await submit(draft.id)
      const inspected = await countInspections(() =>
        checkUpload(createSystemContext(server.services), draft.id),
      )
      return { inspected, facts: (await read(draft.id)).files[0].facts }
    }
    expect(await detailsAfter(null, open.slug)).toEqual({ inspected: 0, facts: { wholeText: true } })
    expect(await detailsAfter(null, strict.slug)).toEqual({ inspected: 0, facts: {} })
    // It was not searched for what prevents the acceptance.
    expect(await detailsAfter(strict.slug, open.slug)).toEqual({ inspected: 1, facts: { wholeText: true } })
    await server.runJobs()
  })

  it('ends with the withdrawal of its upload', async () => {
    const draft = await makeDraft()
    await server.runJobs()
    expect(await countOf('file_fact', draft.fileIds)).toBeGreaterThan(0)
    await registrar.client.runQuery('mutation ($id: ID!) { withdrawUpload(id: $id) { id } }', {
      id: draft.id,
    })
    expect([await countOf('file_fact', draft.fileIds), await countOf('file_reading', draft.fileIds)]).toEqual(
      [0, 0],
    )
  })

  it('of a draft counts in no comparison, list or search for copies', async () => {
    const other = await registrar.makePerson()
    const image = (pixels: number) =>
      writeDicom({ '0008,0018': '1.2.840.99.7', '0010,0020': patient.cnp! }, { pixels })
    const filed = await registrar.makeDraft({ 'a.dcm': image(100) }, { patient_id: patient.id })
    await submit(filed.id)
    await server.runJobs()
    const upload = await makeUpload(server.db, server.services.storage, {
      state: 'rejected',
      patient_id: patient.id,
      created_by: registrar.userId,
    })
    await registrar.send(upload.id, { 'nou.pdf': await makeReport(other), 'b.dcm': image(200) })
    await server.runJobs()
    expect(await read(upload.id, reviewer)).toMatchObject({
      isDisagreeing: false,
      comparison: {
        lines: [{ result: 'unread' }, { result: 'unread' }, { result: 'unread' }],
        unreadFileIds: [expect.any(String), expect.any(String)],
      },
      fileChecks: [{ state: 'READ' }, { state: 'READ' }],
    })
    expect((await read(filed.id, reviewer)).duplicates).toEqual([])
    await submit(upload.id)
    await server.runJobs()
    expect((await read(upload.id, reviewer)).isDisagreeing).toBe(true)
    expect((await read(filed.id, reviewer)).duplicates).toEqual([{ kind: 'instance' }])
  })
})

describe('the malware scanner', () => {
  it('scans a file that was read once more at the check, and a finding of either is not the last word', async () => {
    let answer = 'stream: OK\0'
    const { address, received } = await scriptClamd((socket, bytes) => hasEnded(bytes) && socket.end(answer))
    const scanned = await createTestServer({ clamd: address })
    const own = await createRegistrar(scanned)
    const stateAfter = async (atArrival: string, atCheck: string) => {
      answer = atArrival
      const { id } = await own.makeDraft({ 'a.pdf': await makePdf(1) })
      await scanned.runJobs()
      const [{ state, refusal }] = await own.readChecks(id)
      answer = atCheck
      await own.client.runQuery(SUBMIT, { id })
      await scanned.runJobs()
      const { upload } = await own.client.runQuery(READ, { id })
      return [state, refusal?.code, upload.state, upload.files[0].scanResult]
    }
    const [clean, found] = ['stream: OK\0', 'stream: Win.A FOUND\0']
    expect(await stateAfter(clean, clean)).toEqual(['READ', undefined, 'unassigned', 'clean'])
    expect(await stateAfter(clean, found)).toEqual(['READ', undefined, 'quarantined', 'refused'])
    expect(await stateAfter(found, clean)).toEqual(['REFUSED', 'infected', 'unassigned', 'clean'])
    expect(received).toHaveLength(6)
    const recorded = await scanned.db
      .selectFrom('audit_event')
      .select('changes')
      .where('action', '=', 'file.infected')
      .execute()
    expect(recorded).toEqual([{ changes: { malware: { to: ['Win.A'] } } }])
  })
})
