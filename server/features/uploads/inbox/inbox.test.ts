import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../../db/factories.ts'
import { WITHDRAW_UPLOAD } from '../../../../test/documents.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { newId } from '../../../platform/ids.ts'
import { replaceUserInstitutions } from '../../accounts/users/user-institutions.db.ts'

const ITEM = 'id inbox { state isMine takenByName takenAt handledByName former { state name } }'
const INBOX = `query ($view: InboxView, $since: Date, $until: Date, $category: String, $doctor: String,
  $institutionId: ID, $departmentId: ID, $ownDepartments: Boolean, $search: String, $first: Int, $after: String) {
  inbox(view: $view, since: $since, until: $until, category: $category, doctor: $doctor, institutionId: $institutionId,
    departmentId: $departmentId, ownDepartments: $ownDepartments, search: $search, first: $first, after: $after) {
    nodes { ${ITEM} } endCursor } }`
const COUNTS = '{ inboxCounts { open new mine } }'
const MARK = `mutation ($ids: [ID!]!, $mark: InboxMark!) {
  markResults(ids: $ids, mark: $mark) { changed { ${ITEM} } unchanged { ${ITEM} } } }`
const DAY_MS = 86_400_000

let server: TestServer
let reviewer: TestClient
let a: { id: string }
let b: { id: string }
let ana: TestClient
let bogdan: TestClient
let stranger: TestClient
let both: TestClient
let anaId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  reviewer = (await signIn({ features: ['admin::review-files', 'patient::files'] })).client
})

/** Each test has two institutions of its own. */
beforeEach(async () => {
  a = await makeInstitution(server.db)
  b = await makeInstitution(server.db)
  const joined = new Date(Date.now() - 10 * DAY_MS)
  const user = (name: string, ...institutions: { id: string }[]) =>
    signIn({
      role: 'institution',
      name,
      institutionIds: institutions.map(({ id }) => id),
      created_at: joined,
    })
  const first = await user('Ana Pop', a)
  ana = first.client
  anaId = first.id
  bogdan = (await user('Bogdan Rus', a)).client
  stranger = (await user('Cora Ilie', b)).client
  both = (await user('Dan Mureșan', a, b)).client
})

async function signIn(over: Parameters<typeof makeUser>[1]) {
  const { id, email } = await makeUser(server.db, over)
  return { id, client: await server.signIn(email) }
}

/** Makes a released result of a new patient of the institution. */
async function release(institution: { id: string }, over: Parameters<typeof makeUpload>[2] = {}) {
  const patient = await makePatient(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: institution.id })
  return makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: institution.id,
    state: 'released',
    ...over,
  })
}

const idsIn = async (client: TestClient, variables: Record<string, unknown> = {}): Promise<string[]> =>
  (await client.runQuery(INBOX, variables)).inbox.nodes.map(({ id }: { id: string }) => id)
const itemIn = async (client: TestClient, id: string) =>
  (await client.runQuery(INBOX)).inbox.nodes.find((node: { id: string }) => node.id === id)?.inbox
const mark = async (client: TestClient, kind: string, ...ids: string[]) => {
  const { changed, unchanged } = (await client.runQuery(MARK, { ids, mark: kind })).markResults
  const idsOf = (uploads: { id: string }[]) => uploads.map(({ id }) => id).sort()
  return { changed: idsOf(changed), unchanged: idsOf(unchanged) }
}
const counts = async (client: TestClient) => (await client.runQuery(COUNTS)).inboxCounts
const countOlder = async (client: TestClient): Promise<number> =>
  (await client.runQuery('{ inboxCounts { older } }')).inboxCounts.older
const codeOf = async (client: TestClient, query: string, variables: Record<string, unknown>) =>
  (await client.graphql(query, variables)).errors.map(({ extensions }) => extensions.code)

describe('the marks of a result', () => {
  it('are shared by the colleagues: new, taken, handled, and back again', async () => {
    const { id } = await release(a)
    expect(await itemIn(bogdan, id)).toMatchObject({ state: 'new', takenByName: null, former: [] })
    expect(await mark(ana, 'take', id)).toEqual({ changed: [id], unchanged: [] })
    expect(await itemIn(ana, id)).toMatchObject({ state: 'taken', isMine: true, takenByName: 'Ana Pop' })
    expect(await itemIn(bogdan, id)).toMatchObject({ state: 'taken', isMine: false, takenByName: 'Ana Pop' })
    expect([await counts(ana), await counts(bogdan)]).toEqual([
      { open: 1, new: 0, mine: 1 },
      { open: 1, new: 0, mine: 0 },
    ])

    expect(await mark(bogdan, 'handle', id)).toEqual({ changed: [id], unchanged: [] })
    expect(await itemIn(ana, id)).toMatchObject({ state: 'handled', handledByName: 'Bogdan Rus' })
    expect(await counts(ana)).toEqual({ open: 0, new: 0, mine: 0 })
    expect(await mark(ana, 'reopen', id)).toEqual({ changed: [id], unchanged: [] })
    expect(await itemIn(bogdan, id)).toMatchObject({
      state: 'taken',
      takenByName: 'Ana Pop',
      handledByName: null,
    })
    expect(await mark(ana, 'put_back', id)).toEqual({ changed: [id], unchanged: [] })
    expect(await itemIn(bogdan, id)).toMatchObject({ state: 'new', takenByName: null, takenAt: null })

    const rows = await server.db
      .selectFrom('audit_event')
      .select(['action', 'actor_name'])
      .where('subject_id', '=', id)
      .where('action', 'like', 'inbox.%')
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { action: 'inbox.take', actor_name: 'Ana Pop' },
      { action: 'inbox.handle', actor_name: 'Bogdan Rus' },
      { action: 'inbox.reopen', actor_name: 'Ana Pop' },
      { action: 'inbox.put-back', actor_name: 'Ana Pop' },
    ])
  })

  it('take each result once when two colleagues take it at the same moment', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await release(a)).id))
    const [first, second] = await Promise.all([mark(ana, 'take', ...ids), mark(bogdan, 'take', ...ids)])
    expect([...first.changed, ...second.changed].sort()).toEqual([...ids].sort())
    expect([...first.unchanged, ...second.unchanged].sort()).toEqual([...ids].sort())
  })

  it('are of the institution alone: for another the result does not exist', async () => {
    const [mine, theirs] = [await release(a), await release(b)]
    expect(await codeOf(ana, MARK, { ids: [theirs.id], mark: 'handle' })).toEqual(['NOT_FOUND'])
    expect(await codeOf(ana, MARK, { ids: [newId()], mark: 'handle' })).toEqual(['NOT_FOUND'])
    expect(await codeOf(reviewer, MARK, { ids: [mine.id], mark: 'handle' })).toEqual(['FORBIDDEN'])
    for (const ids of [[], Array.from({ length: 101 }, () => newId())])
      expect(await codeOf(ana, MARK, { ids, mark: 'handle' })).toEqual(['BAD_USER_INPUT'])
    // Of several results those that the institution has.
    expect(await mark(ana, 'handle', mine.id, theirs.id)).toEqual({ changed: [mine.id], unchanged: [] })
    expect(await counts(stranger)).toEqual({ open: 1, new: 1, mine: 0 })
    expect(await counts(both)).toEqual({ open: 1, new: 1, mine: 0 })
    expect(await mark(both, 'take', mine.id, theirs.id)).toEqual({
      changed: [theirs.id],
      unchanged: [mine.id],
    })
    expect(await itemIn(stranger, theirs.id)).toMatchObject({ state: 'taken', takenByName: 'Dan Mureșan' })
  })
})

describe('the views', () => {
  it('list by state, newest first, in pages', async () => {
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const [handled, taken, fresh] = [
      await release(a, { released_at: at(30) }),
      await release(a, { released_at: at(20) }),
      await release(a, { released_at: at(10) }),
    ]
    await mark(ana, 'take', taken.id)
    await mark(bogdan, 'handle', handled.id)
    const views = {
      all: [fresh, taken, handled],
      open: [fresh, taken],
      new: [fresh],
      mine: [taken],
      handled: [handled],
    }
    for (const [view, expected] of Object.entries(views))
      expect([view, await idsIn(ana, { view })]).toEqual([view, expected.map(({ id }) => id)])
    expect(await idsIn(bogdan, { view: 'mine' })).toEqual([])
    const { nodes, endCursor } = (await ana.runQuery(INBOX, { view: 'open', first: 1 })).inbox
    expect(nodes).toMatchObject([{ id: fresh.id }])
    expect(await idsIn(ana, { view: 'open', first: 1, after: endCursor })).toEqual([taken.id])
  })

  it('begin for a new colleague on the day they joined, except with what somebody has taken', async () => {
    const at = new Date(Date.now() - 2 * DAY_MS)
    const [old, taken, handled] = [
      await release(a, { released_at: at }),
      await release(a, { released_at: at }),
      await release(a, { released_at: at }),
    ]
    await mark(ana, 'take', taken.id)
    await mark(ana, 'handle', handled.id)
    const { client, id } = await signIn({ role: 'institution', institutionIds: [a.id] })
    const after = await release(a)
    // What nobody has taken is none of theirs, and not overlooked either.
    expect(await counts(client)).toEqual({ open: 2, new: 1, mine: 0 })
    expect(await countOlder(client)).toBe(1)
    expect(await idsIn(client, { view: 'older' })).toEqual([old.id])
    expect(await countOlder(ana)).toBe(0)
    expect(await idsIn(client, { view: 'new' })).toEqual([after.id])
    expect((await idsIn(client, { view: 'open' })).sort()).toEqual([after.id, taken.id].sort())
    expect((await idsIn(client)).sort()).toEqual([old.id, taken.id, handled.id, after.id].sort())
    expect(await itemIn(client, old.id)).toMatchObject({ state: null })
    expect(await itemIn(ana, old.id)).toMatchObject({ state: 'new' })
    // Saving the account again does not make them new there.
    await server.db
      .updateTable('user_institution')
      .set({ joined_at: new Date(0) })
      .where('user_id', '=', id)
      .execute()
    await replaceUserInstitutions(server.db, id, [a.id, b.id])
    expect([await counts(client), await countOlder(client)]).toEqual([{ open: 3, new: 2, mine: 0 }, 0])
  })

  it('count no further than a hundred', async () => {
    const patient = await makePatient(server.db)
    await makeReferral(server.db, { patient_id: patient.id, institution_id: a.id })
    await server.db
      .insertInto('upload')
      .values(
        Array.from({ length: 120 }, (_, index) => ({
          id: newId(),
          title: `Probă ${index}`,
          source: 'staff' as const,
          state: 'released' as const,
          released_at: new Date(),
          patient_id: patient.id,
          institution_id: a.id,
          created_by: anaId,
        })),
      )
      .execute()
    expect(await counts(ana)).toEqual({ open: 100, new: 100, mine: 0 })
  })

  it('narrow by day, category, doctor and institution', async () => {
    const old = await release(a, {
      released_at: new Date('2026-03-02T22:30:00Z'),
      referring_doctor: 'Dr. Pop',
    })
    const fresh = await release(b, { category_slug: 'imagistica::rmn', referring_doctor: 'Dr. Rus' })
    // 00:30 of the third of March in Romania.
    for (const [variables, expected] of [
      [{ since: '2026-03-03', until: '2026-03-03' }, [old.id]],
      [{ until: '2026-03-02' }, []],
      [{ since: '2026-03-04' }, [fresh.id]],
      [{ category: 'imagistica' }, [fresh.id]],
      [{ doctor: 'Dr. Pop' }, [old.id]],
      [{ institutionId: b.id }, [fresh.id]],
      [{ institutionId: newId() }, []],
      [{ institutionId: 'x' }, []],
    ] as const)
      expect([variables, await idsIn(both, variables)]).toEqual([variables, expected])
    expect(await codeOf(both, INBOX, { since: '2999-01-01' })).toEqual(['BAD_USER_INPUT'])
  })
})

describe('when the result leaves the institution', () => {
  it('a withdrawn one is in no view and no count, and released again it is new, with its former marks', async () => {
    const { id } = await release(a)
    await mark(ana, 'take', id)
    await mark(bogdan, 'handle', id)
    const setState = (state: 'in_review' | 'released') =>
      server.db.updateTable('upload').set({ state, released_at: new Date() }).where('id', '=', id).execute()
    await setState('in_review')
    for (const view of ['all', 'open', 'new', 'mine', 'handled'])
      expect(await idsIn(ana, { view })).toEqual([])
    expect(await counts(ana)).toEqual({ open: 0, new: 0, mine: 0 })
    expect(await codeOf(ana, MARK, { ids: [id], mark: 'reopen' })).toEqual(['NOT_FOUND'])
    await setState('released')
    expect(await itemIn(ana, id)).toMatchObject({
      state: 'new',
      takenByName: null,
      former: [
        { state: 'taken', name: 'Ana Pop' },
        { state: 'handled', name: 'Bogdan Rus' },
      ],
    })
  })

  it('a new version is new, with the marks of the former one', async () => {
    const former = await release(a)
    await mark(ana, 'handle', former.id)
    const version = await release(a, {
      state: 'in_review',
      patient_id: former.patient_id,
      replaces_id: former.id,
      revision: 2,
    })
    const set = (id: string, state: 'released' | 'replaced') =>
      server.db.updateTable('upload').set({ state, released_at: new Date() }).where('id', '=', id).execute()
    await set(version.id, 'released')
    await set(former.id, 'replaced')
    expect(await idsIn(ana)).toEqual([version.id])
    expect(await itemIn(ana, version.id)).toMatchObject({
      state: 'new',
      former: [{ state: 'handled', name: 'Ana Pop' }],
    })
    expect(await counts(ana)).toEqual({ open: 1, new: 1, mine: 0 })
  })

  it('another institution begins anew and reads nothing of the marks', async () => {
    const { id, patient_id } = await release(a)
    await mark(ana, 'handle', id)
    await makeReferral(server.db, { patient_id: patient_id!, institution_id: b.id })
    await server.db.updateTable('upload').set({ institution_id: b.id }).where('id', '=', id).execute()
    expect(await idsIn(ana)).toEqual([])
    expect(await counts(ana)).toEqual({ open: 0, new: 0, mine: 0 })
    expect(await itemIn(stranger, id)).toMatchObject({ state: 'new', handledByName: null, former: [] })
    expect(await itemIn(both, id)).toMatchObject({ state: 'new', handledByName: null, former: [] })
    await mark(stranger, 'take', id)
    const rows = await server.services.guests
      .forInstitutions([a.id])
      .selectFrom('inbox_item')
      .selectAll()
      .execute()
    expect(rows).toEqual([])
  })

  it('a result that moves to another patient keeps no marks', async () => {
    const { id, version } = await release(a)
    await mark(ana, 'handle', id)
    const other = await makePatient(server.db)
    await makeReferral(server.db, { patient_id: other.id, institution_id: a.id })
    const moved = await reviewer.graphql(
      `mutation ($id: ID!, $version: Int!, $patientId: ID!, $institutionId: ID, $reason: String!) {
        moveReleasedUpload(id: $id, version: $version, patientId: $patientId, institutionId: $institutionId, reason: $reason) { id } }`,
      { id, version, patientId: other.id, institutionId: a.id, reason: 'Clinica a sunat.' },
    )
    expect(moved.errors).toEqual([])
    const found = await server.db.selectFrom('inbox_item').selectAll().where('upload_id', '=', id).execute()
    expect(found).toEqual([])
  })

  it('a withdrawal by a reviewer takes it out of the counts', async () => {
    const { id } = await release(a)
    expect(await counts(ana)).toEqual({ open: 1, new: 1, mine: 0 })
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id })
    expect(await counts(ana)).toEqual({ open: 0, new: 0, mine: 0 })
  })
})
