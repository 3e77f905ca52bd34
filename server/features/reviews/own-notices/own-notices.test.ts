import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeFile, makePatient, makeUpload, makeUser } from '../../../../db/factories.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { newId } from '../../../platform/ids.ts'

const NOTICES = '{ ownNotices { uploadId number why } }'
const FIRST_OPENED = 'query ($id: ID!) { upload(id: $id) { firstOpenedAt } }'

let server: TestServer
let author: TestClient & { id: string }
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  author = await signIn({})
})

const signIn = async (over: Parameters<typeof makeUser>[1]) => {
  const { id, email } = await makeUser(server.db, over)
  return Object.assign(await server.signIn(email), { id })
}
const file = (over: Parameters<typeof makeUpload>[2] = {}) =>
  makeUpload(server.db, server.services.storage, { created_by: author.id, ...over })
const notices = async (client: TestClient): Promise<Record<string, string>> => {
  const { ownNotices } = await client.runQuery(NOTICES)
  return Object.fromEntries(
    ownNotices.map(({ uploadId, why }: { uploadId: string; why: string }) => [uploadId, why]),
  )
}

it('names what came back and what another person is named in, for its author alone, without an audit row', async () => {
  const rejected = await file({ state: 'rejected' })
  const stopped = await file({ state: 'quarantined' })
  const unassigned = await file({ state: 'unassigned', patient_id: null })
  const patient = await makePatient(server.db)
  const foreign = await makePatient(server.db)
  const disagreeing = await file({ patient_id: patient.id })
  await makeFile(server.db, server.services.storage, {
    upload_id: disagreeing.id,
    bytes: Buffer.from('x'),
    content_text: `CNP ${foreign.cnp}`,
  })
  for (const state of ['receiving', 'in_review', 'released', 'withdrawn'] as const) await file({ state })
  const before = await countAudit()
  expect(await notices(author)).toEqual({
    [rejected.id]: 'rejected',
    [stopped.id]: 'quarantined',
    [unassigned.id]: 'unassigned',
    [disagreeing.id]: 'disagrees',
  })
  expect(await countAudit()).toBe(before)
  expect(await notices(await signIn({}))).toEqual({})
  expect(await notices(await signIn({ role: 'admin' }))).toEqual({})
  const refused = await (await signIn({ role: 'institution' })).graphql(NOTICES)
  expect(refused.errors[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } })
})

const countAudit = async () =>
  (
    await server.db
      .selectFrom('audit_event')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('action', 'like', 'upload.%')
      .executeTakeFirstOrThrow()
  ).count

it('says to staff when the institution first opened a result', async () => {
  const released = await file({ state: 'released' })
  const at = async (client: TestClient) =>
    (await client.runQuery(FIRST_OPENED, { id: released.id })).upload.firstOpenedAt
  expect(await at(author)).toBeNull()
  for (const [second, id] of [
    [20, newId()],
    [10, newId()],
  ] as const) {
    const { id: user_id } = await makeUser(server.db, { role: 'institution', id })
    const opened_at = new Date(Date.UTC(2026, 10, 20, 8, 0, second))
    await server.db
      .insertInto('upload_opening')
      .values({ upload_id: released.id, user_id, opened_at })
      .execute()
  }
  expect(await at(author)).toBe('2026-11-20T08:00:10.000Z')
})
