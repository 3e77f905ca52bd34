import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeCategory, makePatient, makeUpload, makeUser } from '../../../db/factories.ts'
import type { Feature } from '../../../shared/access/features.ts'
import { readShownHolds } from '../../../test/documents.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { newId } from '../../platform/ids.ts'

const READ = `query ($id: ID!) { upload(id: $id) { state version nextInReview can { decide accept }
  reviews { verdict reasonCode comment reviewerName } } }`
const QUEUE = '{ uploads(first: 100) { nodes { id can { decide accept } } } }'
const ACCEPT = `mutation ($id: ID!, $version: Int!, $comment: String = "cu originalul", $shownHolds: [ShownHoldInput!]) {
  acceptUpload(id: $id, version: $version, shownHolds: $shownHolds, reason: "compared-original", comment: $comment) { state version } }`
const REJECT = `mutation ($id: ID!, $version: Int!) {
  rejectUpload(id: $id, version: $version, reason: "incomplete", comment: "Lipsește pagina a doua.") { state } }`

const BOTH: Feature[] = ['patient::files', 'admin::review-files']

let server: TestServer
type Person = TestClient & { id: string }
let ana: Person
let ilie: Person
let admin: Person
let registrar: Person
let colleague: Person
let institution: Person
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const signIn = async (over: Parameters<typeof makeUser>[1]) => {
    const { id, email } = await makeUser(server.db, over)
    return Object.assign(await server.signIn(email), { id })
  }
  ana = await signIn({ name: 'Ana Pop', features: BOTH })
  ilie = await signIn({ name: 'Ilie Țepeș', features: BOTH })
  admin = await signIn({ role: 'admin' })
  registrar = await signIn({})
  colleague = await signIn({})
  institution = await signIn({ role: 'institution' })
})

const fileUpload = (author: Person, over: Parameters<typeof makeUpload>[2] = {}) =>
  makeUpload(server.db, server.services.storage, { created_by: author.id, ...over })

async function allowOwn(): Promise<void> {
  await server.db.insertInto('site_setting').values({ key: 'self_review', value: 'true' }).execute()
  onTestFinished(async () => {
    await server.db.deleteFrom('site_setting').where('key', '=', 'self_review').execute()
  })
}

describe('what a reviewer has filed', () => {
  it.each([
    ['a reviewer', () => ana],
    ['an administrator', () => admin],
  ])('is not accepted by that person: %s', async (_who, find) => {
    const author = find()
    const { id } = await fileUpload(author)
    const { data } = await author.graphql(READ, { id })
    expect(data.upload.can).toEqual({ decide: true, accept: false })
    const { errors } = await author.graphql(ACCEPT, { id, version: 1 })
    expect(errors[0]).toMatchObject({
      message: 'Ai încărcat-o tu: o acceptă altcineva.',
      extensions: { code: 'FORBIDDEN' },
    })
    const denied = await server.db
      .selectFrom('audit_event')
      .select(['action', 'outcome'])
      .where('actor_id', '=', author.id)
      .where('outcome', '=', 'denied')
      .execute()
    expect(denied).toHaveLength(1)
    expect((await ilie.graphql(ACCEPT, { id, version: 1 })).data.acceptUpload.state).toBe('released')
  })

  it('is in the queue as such, and neither leads to the author nor ends the way to the next', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 8, minute))
    const first = await fileUpload(registrar, { state_since: at(1) })
    const own = await fileUpload(ana, { state_since: at(2) })
    const last = await fileUpload(registrar, { state_since: at(3) })
    const { nodes } = (await ana.runQuery(QUEUE)).uploads
    const mayAccept = new Map(nodes.map((node: { id: string; can: object }) => [node.id, node.can]))
    expect(mayAccept.get(own.id)).toEqual({ decide: true, accept: false })
    expect(mayAccept.get(last.id)).toEqual({ decide: true, accept: true })
    expect((await ana.runQuery(READ, { id: first.id })).upload.nextInReview).toBe(last.id)
    expect((await ilie.runQuery(READ, { id: first.id })).upload.nextInReview).toBe(own.id)
  })

  it('counts for neither of two acceptances', async () => {
    const { slug } = await makeCategory(server.db, { slug: `doi-${newId().slice(-6)}`, reviewers: 2 })
    const { id } = await fileUpload(ana, { category_slug: slug })
    expect((await ana.graphql(ACCEPT, { id, version: 1 })).errors[0]?.extensions.code).toBe('FORBIDDEN')
    expect((await ilie.runQuery(ACCEPT, { id, version: 1 })).acceptUpload.state).toBe('in_review')
    expect((await ana.graphql(ACCEPT, { id, version: 2 })).errors[0]?.extensions.code).toBe('FORBIDDEN')
    expect((await admin.runQuery(ACCEPT, { id, version: 2 })).acceptUpload.state).toBe('released')
  })

  it('needs two people also where the reviewers have no files of patients', async () => {
    const { slug } = await makeCategory(server.db, { slug: `doi-${newId().slice(-6)}`, reviewers: 2 })
    const { id } = await fileUpload(registrar, { category_slug: slug })
    const [one, other] = await Promise.all(
      [1, 2].map(async () => {
        const { email } = await makeUser(server.db, { features: ['admin::review-files'] })
        return server.signIn(email)
      }),
    )
    expect((await one!.runQuery(ACCEPT, { id, version: 1 })).acceptUpload.state).toBe('in_review')
    const again = await one!.graphql(ACCEPT, { id, version: 2 })
    expect(again.errors[0]?.extensions.code).toBe('CONFLICT')
    expect((await other!.runQuery(ACCEPT, { id, version: 2 })).acceptUpload.state).toBe('released')
  })

  it('may be rejected by that person', async () => {
    const { id } = await fileUpload(ana)
    expect((await ana.runQuery(REJECT, { id, version: 1 })).rejectUpload.state).toBe('rejected')
  })

  it('is accepted by that person where the site allows it', async () => {
    await allowOwn()
    const { id } = await fileUpload(ana)
    expect((await ana.runQuery(READ, { id })).upload.can).toEqual({ decide: true, accept: true })
    const other = await fileUpload(registrar)
    expect((await ilie.runQuery(READ, { id: other.id })).upload.can.accept).toBe(true)
    expect((await ana.runQuery(ACCEPT, { id, version: 1 })).acceptUpload.state).toBe('released')
  })

  it('is accepted from the next request on when an administrator saves the setting', async () => {
    onTestFinished(async () => {
      await server.db.deleteFrom('site_setting').where('key', '=', 'self_review').execute()
    })
    const { id } = await fileUpload(ana)
    const save = (version: number, changes: object) =>
      admin.graphql(
        'mutation ($version: Int!, $changes: JSON!) { saveSettings(version: $version, changes: $changes) { version values } }',
        { version, changes },
      )
    const { version, values } = (await admin.runQuery('{ siteSettings { version values } }')).siteSettings
    expect(values.self_review).toBe(false)
    expect((await save(version, { self_review: 'da' })).errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect((await save(version, { self_review: true })).data.saveSettings.values.self_review).toBe(true)
    expect((await ana.runQuery(ACCEPT, { id, version: 1 })).acceptUpload.state).toBe('released')
  })
})

describe('the migration', () => {
  const migration = readFileSync('db/migrations/0014_self_review.sql', 'utf8').split('create index')[0]!
  const reviewer = { role: 'staff' as const, features: BOTH }
  it.each([
    ['no account yet', [], undefined],
    ['one reviewer', [reviewer, {}], true],
    ['one administrator', [{ role: 'admin' }, { role: 'institution' }], true],
    ['one who is left of two', [reviewer, { ...reviewer, status: 'suspended' }], true],
    ['two reviewers', [reviewer, { role: 'admin' }], undefined],
  ] as [string, Parameters<typeof makeUser>[1][], boolean | undefined][])(
    'of an organisation with %s',
    async (_what, people, expected) => {
      const { db } = await createTestServer()
      for (const person of people) await makeUser(db, person)
      await sql.raw(migration).execute(db)
      const stored = await db
        .selectFrom('site_setting')
        .selectAll()
        .where('key', '=', 'self_review')
        .execute()
      expect(stored[0]?.value).toBe(expected)
    },
  )
})

describe('the verdict', () => {
  const readReviews = async (reader: Person, id: string) =>
    (await reader.graphql(READ, { id })).data?.upload.reviews ?? null

  it('of a rejection is read by all staff, its comment by the author and by reviewers', async () => {
    const { id } = await fileUpload(registrar)
    await ana.runQuery(REJECT, { id, version: 1 })
    const verdict = { verdict: 'rejected', reasonCode: 'incomplete', reviewerName: 'Ana Pop' }
    const comment = 'Lipsește pagina a doua.'
    for (const reader of [registrar, ana, ilie, admin])
      expect(await readReviews(reader, id)).toEqual([{ ...verdict, comment }])
    expect(await readReviews(colleague, id)).toEqual([{ ...verdict, comment: null }])
    expect(await readReviews(institution, id)).toBeNull()
  })

  it('of an acceptance has a note for reviewers alone', async () => {
    const text = `CNP ${(await makePatient(server.db)).cnp}`
    const { id } = await fileUpload(registrar, { files: [{ bytes: Buffer.from(text), content_text: text }] })
    const shownHolds = await readShownHolds(ana, id)
    await ana.runQuery(ACCEPT, { id, version: 1, comment: 'CNP-ul mamei', shownHolds })
    for (const reader of [ana, ilie, admin])
      expect(await readReviews(reader, id)).toMatchObject([{ verdict: 'accepted', comment: 'CNP-ul mamei' }])
    for (const reader of [registrar, colleague])
      expect(await readReviews(reader, id)).toMatchObject([{ verdict: 'accepted', comment: null }])
  })
})

it('are listed newest first, also while they wait, where the queue has the longest waiting first', async () => {
  const person = await makeUser(server.db, { features: ['patient::files'] })
  const author = Object.assign(await server.signIn(person.email), { id: person.id })
  const at = (minute: number) => new Date(Date.UTC(2026, 1, 1, 8, minute))
  const ids: string[] = []
  for (const [minute, state] of (['in_review', 'checking', 'in_review'] as const).entries())
    ids.push((await fileUpload(author, { state, state_since: at(minute) })).id)
  const MINE = `query ($after: String) {
    myUploads(states: [in_review, checking], first: 2, after: $after) { nodes { id } endCursor } }`
  const page = async (after: string | null) => (await author.runQuery(MINE, { after })).myUploads
  const first = await page(null)
  const second = await page(first.endCursor)
  expect([...first.nodes, ...second.nodes].map(({ id }: { id: string }) => id)).toEqual(ids.toReversed())
  const queue = (await ana.runQuery(QUEUE)).uploads.nodes.map(({ id }: { id: string }) => id)
  expect(queue.filter((id: string) => ids.includes(id))).toEqual([ids[0], ids[2]])
})
