import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload } from '../../../../db/factories.ts'
import { runSql } from '../../../../test/databases.ts'
import { makeImage } from '../../../../test/hostile-files.ts'
import { createFilers } from '../../../../test/inspection/filed-upload.ts'
import { CNP, makeReports } from '../../../../test/inspection/report-layouts.ts'
import { createTestServer, type TestServer } from '../../../../test/test-server.ts'
import { createUser } from '../../../../test/users.ts'
import { createSystemContext } from '../../../context.ts'
import { purgeFiles } from '../retention/purge-files.ts'
import { readMissingFacts } from './read-missing-facts.ts'

const MIGRATION = new URL('../../../../db/migrations/0018_read_facts.sql', import.meta.url)
const STATED = `query ($id: ID!) { upload(id: $id) { files {
  name unreadable noText stated { kind value isDoubtful place } } } }`
const DAY_MS = 24 * 60 * 60 * 1000
const REPORT = 'etichete la stânga.pdf'

let server: TestServer
let report: Buffer
beforeEach(async () => {
  server = await createTestServer()
  report = (await makeReports())[REPORT]!.bytes
})

const factsOf = (uploadId: string) =>
  server.db
    .selectFrom('file_fact')
    .innerJoin('file', 'file.id', 'file_fact.file_id')
    .select(['file_fact.kind', 'value'])
    .where('upload_id', '=', uploadId)
    .orderBy('file_fact.position')
    .execute()

describe('what a file states', () => {
  it('is read by staff with the CNP masked, and not by institutions', async () => {
    const { file, reviewer, registrar } = await createFilers(server)
    const { id } = await file({ [REPORT]: report, 'poza.png': await makeImage('png') })
    for (const client of [reviewer, registrar]) {
      const [pdf, image] = (await client.runQuery(STATED, { id })).upload.files
      expect(image).toEqual({ name: 'poza.png', unreadable: null, noText: true, stated: [] })
      expect(pdf).toMatchObject({ unreadable: null, noText: false })
      expect(pdf.stated[0]).toMatchObject({
        kind: 'cnp',
        value: `*********${CNP.slice(-4)}`,
        isDoubtful: false,
        place: { in: 'text', page: 1, box: expect.arrayContaining([expect.any(Number)]) },
      })
      expect(pdf.stated[1]).toMatchObject({ kind: 'name', value: 'Mureșan Mihai' })
      expect(JSON.stringify(pdf)).not.toContain(CNP)
    }
    const institution = await makeInstitution(server.db)
    const { id: patient_id } = await makePatient(server.db)
    await makeReferral(server.db, { patient_id, institution_id: institution.id })
    await server.db
      .updateTable('upload')
      .set({ state: 'released', released_at: new Date(), institution_id: institution.id, patient_id })
      .where('id', '=', id)
      .execute()
    await createUser(server.db, {
      email: 'clinica@dosar.test',
      role: 'institution',
      institutionIds: [institution.id],
      features: ['patient::files'],
    })
    const guest = await server.signIn('clinica@dosar.test')
    const { files } = (await guest.runQuery(STATED, { id })).upload
    expect(files.map(({ stated }: { stated: unknown[] }) => stated)).toEqual([[], []])
  })

  it('is in no line of the log and no entry of the audit log, and has no part in errors', async () => {
    const { file, reviewer } = await createFilers(server)
    const broken = report.subarray(0, report.length - 400)
    const { id } = await file({ [REPORT]: report, 'rupt.pdf': broken })
    await reviewer.runQuery(STATED, { id })
    await server.db.updateTable('file').set({ facts_read_at: null }).where('upload_id', '=', id).execute()
    await readMissingFacts(createSystemContext(server.services))
    const entries = await server.db.selectFrom('audit_event').selectAll().execute()
    const written = server.logged.join('\n') + JSON.stringify(entries)
    expect(server.logged.length).toBeGreaterThan(0)
    const facts = await factsOf(id)
    expect(facts.length).toBeGreaterThan(5)
    for (const { kind, value } of facts) {
      // Dates of the organisation's own day may be anywhere.
      if (kind !== 'examined-on') expect(written).not.toContain(value)
    }
  })

  it('is deleted when the file is purged', async () => {
    const { file } = await createFilers(server)
    const { id } = await file({ [REPORT]: report })
    expect(await factsOf(id)).not.toEqual([])
    await server.db
      .updateTable('file')
      .set({ removed_at: new Date(), removed_reason: 'Dublură' })
      .where('upload_id', '=', id)
      .execute()
    const ctx = createSystemContext(server.services)
    await purgeFiles({ ...ctx, now: new Date(Date.now() + 29 * DAY_MS) })
    expect(await factsOf(id)).not.toEqual([])
    await purgeFiles({ ...ctx, now: new Date(Date.now() + 31 * DAY_MS) })
    expect(await factsOf(id)).toEqual([])
  })
})

describe('files of an earlier version', () => {
  it('that are not decided are read once, without a change of their uploads', async () => {
    const { db, services } = server
    const files = [{ bytes: report, name: REPORT, facts_read_at: null }]
    const waiting = await makeUpload(db, services.storage, { files })
    const released = await makeUpload(db, services.storage, { files, state: 'released' })
    const lost = await makeUpload(db, services.storage, { files })
    await services.storage.remove(lost.files[0]!.storage_key)
    const broken = await makeUpload(db, services.storage, {
      files: [{ bytes: report.subarray(0, 200), name: REPORT, facts_read_at: null }],
    })
    const stateOf = (id: string) =>
      db.selectFrom('upload').select(['state', 'version']).where('id', '=', id).executeTakeFirstOrThrow()
    const before = await stateOf(broken.id)
    await readMissingFacts(createSystemContext(services))
    expect(await factsOf(waiting.id)).toHaveLength(7)
    expect(await factsOf(released.id)).toEqual([])
    expect(await factsOf(lost.id)).toEqual([])
    expect(await stateOf(broken.id)).toEqual(before)
    const details = await db
      .selectFrom('file')
      .select(['facts', 'scan_result'])
      .where('upload_id', '=', broken.id)
      .execute()
    expect(details).toEqual([{ facts: { unreadable: 'damaged' }, scan_result: 'unscanned' }])

    await db.deleteFrom('file_fact').execute()
    await readMissingFacts(createSystemContext(services))
    expect(await factsOf(waiting.id)).toEqual([])
  })

  it('say in the words of this version why they cannot be read', async () => {
    const { db, services } = server
    const bytes = Buffer.from('x')
    const { id } = await makeUpload(db, services.storage, {
      files: [
        { bytes, facts: { locked: true, findings: [] } },
        { bytes, facts: { unread: true } },
        { bytes, facts: { width: 1 } },
      ],
    })
    await runSql(
      server.connection,
      (await readFile(MIGRATION, 'utf8')).replace(/alter table file add facts_read_at[^;]*;/, ''),
    )
    const rows = await db
      .selectFrom('file')
      .select('facts')
      .where('upload_id', '=', id)
      .orderBy('position')
      .execute()
    expect(rows.map(({ facts }) => facts)).toEqual([
      { unreadable: 'locked', findings: [] },
      { unreadable: 'too-large' },
      { width: 1 },
    ])
  })
})
