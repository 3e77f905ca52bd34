import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload } from '../../../db/factories.ts'
import { FEATURES } from '../../../shared/access/features.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { dayInRomania } from '../../../shared/romania/day.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import * as rules from './news.access.ts'
import { purgeRemovedNews } from './purge-removed-news.ts'
import { readNewsForPatient } from './read-news-for-patient.ts'

const FIELDS = `id kind text visibility pinnedUntil isPinned authorName revision writerName isUnread removedByName version
  former { revision kind text visibility writerName } readings { name isCurrent }`
const LIST = `query ($patientId: ID!, $removed: Boolean) { patientNews(patientId: $patientId, removed: $removed) { ${FIELDS} } }`
const CREATE = `mutation ($patientId: ID!, $news: NewsInput!, $pinnedUntil: Date, $shownTo: [ID!]!) {
  createNews(patientId: $patientId, news: $news, pinnedUntil: $pinnedUntil, shownTo: $shownTo) { ${FIELDS} } }`
const EDIT = `mutation ($id: ID!, $version: Int!, $news: NewsInput!, $shownTo: [ID!]!) {
  editNews(id: $id, version: $version, news: $news, shownTo: $shownTo) { ${FIELDS} } }`
const PIN = `mutation ($id: ID!, $version: Int!, $until: Date) { pinNews(id: $id, version: $version, until: $until) { ${FIELDS} } }`
const REMOVE = 'mutation ($id: ID!, $version: Int!) { removeNews(id: $id, version: $version) }'
const MARK = `mutation ($readings: [NewsReadingInput!]!) { markNewsRead(readings: $readings) { ${FIELDS} } }`
const INBOX = '{ inbox { nodes { id patient { id newsMarks { warnings unread } } } } }'

const HOSTILE = '<script>alert(1)</script> \u202eabc\n{{x}} "; drop table news; --'
const DAY_MS = 24 * 3_600_000
const dayIn = (days: number) => dayInRomania(new Date(Date.now() + days * DAY_MS))

type Client = TestClient & { id: string }
let server: TestServer
let clinic: { id: string; name: string }
let other: { id: string; name: string }
let ana: Client
let colleague: Client
let foreigner: Client
let writer: Client
let second: Client
let without: Client

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  clinic = await makeInstitution(db, { name: 'Clinica Țară' })
  other = await makeInstitution(db, { name: 'Spitalul Mare' })
  ana = await server.signInAs({ role: 'institution', name: 'Ana Pop', institutionIds: [clinic.id] })
  colleague = await server.signInAs({ role: 'institution', name: 'Dan Rus', institutionIds: [clinic.id] })
  foreigner = await server.signInAs({ role: 'institution', institutionIds: [other.id] })
  writer = await server.signInAs({ name: 'Radu Matei', features: ['patient::news'] })
  second = await server.signInAs({ name: 'Ilinca Șerban', features: ['patient::news'] })
  without = await server.signInAs({ features: ['patient::files'] })
})

/** A patient whom the clinic has referred. */
async function referred(over: object = {}) {
  const patient = await makePatient(server.db)
  const referral = await makeReferral(server.db, {
    patient_id: patient.id,
    institution_id: clinic.id,
    ...over,
  })
  return { id: patient.id, referralId: referral.id }
}
type Input = { kind?: string; text?: string; visibility?: string }
const news = ({ kind = 'note', text = 'Preferă dimineața.', visibility = 'staff' }: Input = {}) => ({
  kind,
  text,
  visibility,
})
const write = async (
  patientId: string,
  {
    pinnedUntil = null,
    shownTo = [clinic.id],
    ...input
  }: Input & { pinnedUntil?: string | null; shownTo?: string[] } = {},
) => (await writer.runQuery(CREATE, { patientId, news: news(input), pinnedUntil, shownTo })).createNews
const edit = async (
  client: Client,
  { id, version }: { id: string; version: number },
  input: Input,
  shownTo: string[] = [],
) => (await client.runQuery(EDIT, { id, version, news: news(input), shownTo })).editNews
const list = async (client: Client, patientId: string, removed?: boolean) =>
  (await client.runQuery(LIST, { patientId, removed })).patientNews
const textsOf = async (client: Client, patientId: string, removed?: boolean) =>
  (await list(client, patientId, removed)).map(({ text }: { text: string }) => text)
const errorsOf = async (client: Client, query: string, variables: Record<string, unknown>) =>
  (await client.graphql(query, variables)).errors
const codesOf = async (client: Client, query: string, variables: Record<string, unknown>) =>
  (await errorsOf(client, query, variables)).map(({ extensions }) => extensions.code)
const read = async (client: Client, ...shown: { id: string; revision: number }[]) =>
  (await client.runQuery(MARK, { readings: shown.map(({ id, revision }) => ({ id, revision })) }))
    .markNewsRead
const actionsOf = async (patientId: string) =>
  (
    await server.db
      .selectFrom('audit_event')
      .select(['action', 'changes'])
      .where('patient_id', '=', patientId)
      .where('action', 'like', 'news.%')
      .where('action', '!=', 'news.read')
      .orderBy('id')
      .execute()
  ).map(({ action, changes }) => ({ action, changes }))

describe('news about a patient', () => {
  it('come warnings first, then what is pinned, then the newest', async () => {
    const { id } = await referred()
    await write(id, { text: 'Notă veche' })
    await write(id, { text: 'Notă fixată', pinnedUntil: dayIn(0) })
    const past = await write(id, { text: 'Fixată până ieri', pinnedUntil: dayIn(1) })
    await server.db
      .updateTable('news')
      .set({ pinned_until: dayIn(-1) })
      .where('id', '=', past.id)
      .execute()
    await write(id, { text: 'Alergie la iod', kind: 'warning' })
    await write(id, { text: 'Program nou', kind: 'news' })
    await write(id, { text: 'Stimulator cardiac', kind: 'warning', pinnedUntil: dayIn(30) })
    expect(await textsOf(second, id)).toEqual([
      'Stimulator cardiac',
      'Alergie la iod',
      'Notă fixată',
      'Program nou',
      'Fixată până ieri',
      'Notă veche',
    ])
    expect((await list(second, id))[4]).toMatchObject({ isPinned: false, pinnedUntil: dayIn(-1) })
  })

  it('are plain text of bounded length, kept as it is written', async () => {
    const { id } = await referred()
    expect((await write(id, { text: `  ${HOSTILE}\0 ` })).text).toBe(HOSTILE)
    expect(await textsOf(second, id)).toEqual([HOSTILE])
    const send = (text: string) =>
      codesOf(writer, CREATE, { patientId: id, news: news({ text }), shownTo: [] })
    expect(await send('x'.repeat(LIMITS.newsText))).toEqual([])
    expect(await send('x'.repeat(LIMITS.newsText + 1))).toEqual(['BAD_USER_INPUT'])
    expect(await send(' \n ')).toEqual(['BAD_USER_INPUT'])
  })

  it('have the same text again if it is written again later', async () => {
    const { id } = await referred()
    const { id: first } = await write(id)
    const HOUR_MS = 3_600_000
    const written_at = new Date(Date.now() - HOUR_MS)
    await server.db.updateTable('news').set({ written_at }).where('id', '=', first).execute()
    expect((await write(id)).id).not.toBe(first)
    expect(await list(writer, id)).toHaveLength(2)
  })

  it('are at most a hundred, and a repeated request writes one once', async () => {
    const { id } = await referred()
    const { id: first } = await write(id)
    expect((await write(id)).id).toBe(first)
    const { db } = server
    const row = await db.selectFrom('news').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
    await db
      .insertInto('news')
      .values(
        Array.from({ length: LIMITS.patientNews - 1 }, (_, place) => ({
          ...row,
          id: crypto.randomUUID(),
          text: `${place}`,
        })),
      )
      .execute()
    expect(
      await codesOf(writer, CREATE, { patientId: id, news: news({ text: 'Încă una' }), shownTo: [] }),
    ).toEqual(['CONFLICT'])
    expect((await write(id)).id).toBe(first)
  })

  it('keep the former texts for staff, and become unread with each edit', async () => {
    const { id } = await referred()
    const first = await write(id, { text: 'Prima', kind: 'warning', visibility: 'institution' })
    expect(first.isUnread).toBe(false)
    expect((await read(ana, first))[0]).toMatchObject({ isUnread: false })
    expect((await list(colleague, id))[0].isUnread).toBe(true)

    const changed = await edit(second, first, { text: 'A doua', kind: 'note', visibility: 'institution' })
    expect(changed).toMatchObject({ authorName: 'Radu Matei', writerName: 'Ilinca Șerban', revision: 2 })
    expect((await list(ana, id))[0]).toMatchObject({
      text: 'A doua',
      isUnread: true,
      authorName: null,
      writerName: null,
      former: [],
      readings: [],
    })
    expect((await list(writer, id))[0]).toMatchObject({
      isUnread: true,
      former: [
        { revision: 1, kind: 'warning', text: 'Prima', visibility: 'institution', writerName: 'Radu Matei' },
      ],
      readings: [{ name: 'Ana Pop', isCurrent: false }],
    })
    // The page had shown the former text when it was marked.
    await read(ana, first)
    expect((await list(ana, id))[0].isUnread).toBe(true)
    await read(ana, changed)
    await read(ana, first)
    expect((await list(ana, id))[0].isUnread).toBe(false)
    expect((await list(writer, id))[0].readings).toEqual([{ name: 'Ana Pop', isCurrent: true }])
    // A text that does not exist yet is not read in advance.
    expect(await read(colleague, { id: first.id, revision: 9 })).toEqual([])
  })

  it('without a change stay as they are, and of two edits the second is refused', async () => {
    const { id } = await referred()
    const first = await write(id, { text: 'Prima' })
    expect((await edit(second, first, { text: 'Prima ' })).version).toBe(first.version)
    await edit(second, first, { text: 'A doua' })
    const late = { id: first.id, version: first.version }
    expect(await codesOf(writer, EDIT, { ...late, news: news({ text: 'Alta' }), shownTo: [] })).toEqual([
      'CONFLICT',
    ])
    expect(await codesOf(writer, PIN, { ...late, until: dayIn(1) })).toEqual(['CONFLICT'])
    expect(await codesOf(writer, REMOVE, late)).toEqual(['CONFLICT'])
  })

  it('are pinned from today to a year ahead, without becoming unread', async () => {
    const { id } = await referred()
    const entry = await write(id, { visibility: 'institution' })
    await read(ana, entry)
    const { pinNews: pinned } = await second.runQuery(PIN, { ...entry, until: dayIn(7) })
    expect(pinned).toMatchObject({ isPinned: true, pinnedUntil: dayIn(7), revision: 1 })
    expect((await list(ana, id))[0]).toMatchObject({ isPinned: true, isUnread: false })
    for (const until of [dayIn(-1), dayIn(LIMITS.pinnedDays + 1)]) {
      expect(await codesOf(writer, PIN, { ...pinned, until })).toEqual(['BAD_USER_INPUT'])
      const created = { patientId: id, news: news({ text: until }), shownTo: [], pinnedUntil: until }
      expect(await codesOf(writer, CREATE, created)).toEqual(['BAD_USER_INPUT'])
    }
    expect((await second.runQuery(PIN, pinned)).pinNews).toMatchObject({ isPinned: false, pinnedUntil: null })
    expect((await actionsOf(id)).map(({ action }) => action)).toEqual([
      'news.create',
      'news.pin',
      'news.unpin',
    ])
  })

  it('are recorded with who reads them, and without their text', async () => {
    const { id } = await referred()
    const entry = await write(id, { text: 'Secretul' })
    await edit(writer, entry, { text: 'Alt secret', visibility: 'institution' }, [clinic.id])
    const { version } = (await list(writer, id))[0]
    await writer.runQuery(REMOVE, { id: entry.id, version })
    const recorded = await actionsOf(id)
    expect(recorded).toEqual([
      { action: 'news.create', changes: { visibility: { to: 'staff' } } },
      {
        action: 'news.edit',
        changes: { visibility: { from: 'staff', to: 'institution' }, revision: { from: 1, to: 2 } },
      },
      { action: 'news.remove', changes: {} },
    ])
    await list(ana, id)
    const reading = await server.db
      .selectFrom('audit_event')
      .select(['action', 'subject_id'])
      .where('actor_id', '=', ana.id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(reading).toEqual({ action: 'news.read', subject_id: id })
  })
})

describe('who reads news', () => {
  it('is an institution of those for institutions, while the patient is referred to it', async () => {
    const { id, referralId } = await referred()
    const internal = await write(id, { text: 'Intern' })
    const shown = await write(id, { text: 'Pentru instituții', visibility: 'institution' })
    await write(id, { text: 'Pentru pacient', visibility: 'patient' })
    expect(await textsOf(ana, id)).toEqual(['Pentru pacient', 'Pentru instituții'])
    expect(await codesOf(foreigner, LIST, { patientId: id })).toEqual(['NOT_FOUND'])
    expect(await read(ana, internal)).toEqual([])
    expect(await read(foreigner, shown)).toEqual([])

    const end = (ended_at: Date | null, mistaken = false) =>
      server.db.updateTable('referral').set({ ended_at, mistaken }).where('id', '=', referralId).execute()
    await end(new Date())
    expect(await textsOf(ana, id)).toEqual([])
    await end(new Date(), true)
    expect(await codesOf(ana, LIST, { patientId: id })).toEqual(['NOT_FOUND'])
    await end(null)
    expect(await textsOf(ana, id)).toHaveLength(2)
    // Also who has a referral only now.
    await makeReferral(server.db, { patient_id: id, institution_id: other.id })
    expect(await textsOf(foreigner, id)).toHaveLength(2)
  })

  it('is the same with the condition of the scope removed: the database shows no more', async () => {
    const { id, referralId } = await referred()
    const internal = await write(id, { text: 'Intern' })
    const shown = await write(id, { text: 'Pentru instituții', visibility: 'institution' })
    const hidden = await write((await makePatient(server.db)).id, {
      visibility: 'institution',
      text: 'Străin',
    })
    const removed = await write(id, { text: 'Șters', visibility: 'institution' })
    await writer.runQuery(REMOVE, removed)
    const scope = vi.spyOn(rules, 'newsScope').mockImplementation(() => ({ kind: 'all' }))
    try {
      expect(await textsOf(ana, id)).toEqual(['Pentru instituții'])
      expect(await read(ana, internal, hidden)).toEqual([])
      const { version } = shown
      vi.spyOn(rules, 'canWriteNews').mockImplementation(() => true)
      expect(await textsOf(ana, id, true)).toEqual([])
      expect(await codesOf(ana, REMOVE, { id: shown.id, version })).toEqual(['FORBIDDEN'])
      await server.db
        .updateTable('referral')
        .set({ ended_at: new Date() })
        .where('id', '=', referralId)
        .execute()
      expect(await textsOf(ana, id)).toEqual([])
      expect(scope).toHaveBeenCalled()
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('is nobody after a removal, but staff, until it is deleted with its former texts', async () => {
    const { id } = await referred()
    const entry = await write(id, { text: 'Prima', visibility: 'patient' })
    const changed = await edit(writer, entry, { text: 'A doua', visibility: 'patient' })
    await read(ana, changed)
    const { removeNews } = await second.runQuery(REMOVE, { id: entry.id, version: changed.version })
    expect(removeNews).toBe(true)
    expect(await textsOf(ana, id)).toEqual([])
    expect(await read(ana, changed)).toEqual([])
    expect(await codesOf(ana, LIST, { patientId: id, removed: true })).toEqual(['FORBIDDEN'])
    expect(await readNewsForPatient(createSystemContext(server.services), id)).toEqual([])
    expect(await list(writer, id)).toEqual([])
    expect(await list(writer, id, true)).toMatchObject([
      { text: 'A doua', removedByName: 'Ilinca Șerban', former: [{ text: 'Prima' }] },
    ])
    const { version } = (await list(writer, id, true))[0]
    expect(await codesOf(writer, EDIT, { id: entry.id, version, news: news(), shownTo: [] })).toEqual([
      'NOT_FOUND',
    ])

    const purge = (days: number) =>
      purgeRemovedNews({
        ...createSystemContext(server.services),
        now: new Date(Date.now() + days * DAY_MS),
      })
    expect(await purge(LIMITS.binDays - 1)).toBe(0)
    expect(await purge(LIMITS.binDays + 1)).toBeGreaterThan(0)
    expect(await list(writer, id, true)).toEqual([])
    for (const table of ['news_revision', 'news_reading'] as const)
      expect(await server.db.selectFrom(table).selectAll().where('news_id', '=', entry.id).execute()).toEqual(
        [],
      )
  })

  it('is nobody while the feature is off, for the site or for a person [3.2]', async () => {
    const { id } = await referred()
    const entry = await write(id, { visibility: 'patient' })
    const all: [string, Record<string, unknown>][] = [
      [LIST, { patientId: id }],
      [CREATE, { patientId: id, news: news(), shownTo: [] }],
      [EDIT, { id: entry.id, version: 1, news: news(), shownTo: [] }],
      [PIN, { id: entry.id, version: 1 }],
      [REMOVE, { id: entry.id, version: 1 }],
      [MARK, { readings: [{ id: entry.id, revision: 1 }] }],
    ]
    for (const [query, variables] of all)
      expect(await codesOf(without, query, variables)).toEqual(['FORBIDDEN'])
    const { db } = server
    const kept = JSON.stringify(FEATURES.filter((feature) => feature !== 'patient::news'))
    await db.insertInto('site_setting').values({ key: 'features', value: kept }).execute()
    try {
      for (const client of [writer, ana])
        for (const [query, variables] of all)
          expect(await codesOf(client, query, variables)).toEqual(['FORBIDDEN'])
      expect(await readNewsForPatient(createSystemContext(server.services), id)).toEqual([])
    } finally {
      await db.deleteFrom('site_setting').where('key', '=', 'features').execute()
    }
    expect(await list(ana, id)).toHaveLength(1)
  })

  it('is the patient of those for the patient, without who has written them', async () => {
    const { id } = await referred()
    await write(id, { text: 'Intern' })
    await write(id, { text: 'Pentru instituții', visibility: 'institution' })
    await write(id, { text: 'Veniți pe nemâncate.', visibility: 'patient' })
    const warning = await write(id, { text: 'Nu purtați metale.', kind: 'warning', visibility: 'patient' })
    const changed = await edit(writer, warning, {
      text: 'Fără metale.',
      kind: 'warning',
      visibility: 'patient',
    })
    const { id: otherId } = await referred()
    await write(otherId, { text: 'Al altcuiva', visibility: 'patient' })
    const shown = await readNewsForPatient(createSystemContext(server.services), id)
    expect(shown).toEqual([
      { kind: 'warning', text: 'Fără metale.', writtenAt: expect.any(Date) },
      { kind: 'note', text: 'Veniți pe nemâncate.', writtenAt: expect.any(Date) },
    ])
    await edit(writer, changed, { text: 'Fără metale.', kind: 'warning', visibility: 'institution' })
    expect(await readNewsForPatient(createSystemContext(server.services), id)).toHaveLength(1)
  })
})

describe('a text that more people would read than before', () => {
  it('is written only if each institution was named, also one referred meanwhile', async () => {
    const { id } = await referred()
    const shownTo = [clinic.id]
    await makeReferral(server.db, { patient_id: id, institution_id: other.id })
    const input = { patientId: id, news: news({ visibility: 'institution' }), shownTo }
    const [error] = await errorsOf(writer, CREATE, input)
    expect(error!.extensions.code).toBe('CONFLICT')
    expect(JSON.stringify(error)).toContain('Spitalul Mare')
    expect(JSON.stringify(error)).not.toContain('Clinica Țară')
    expect(await list(writer, id)).toEqual([])

    const entry = await write(id, { text: 'Intern' })
    const wider = { id: entry.id, version: entry.version, news: news({ visibility: 'patient' }) }
    expect(await codesOf(writer, EDIT, { ...wider, shownTo })).toEqual(['CONFLICT'])
    expect(await codesOf(writer, EDIT, { ...wider, shownTo: [...shownTo, other.id] })).toEqual([])
    // They read it already.
    const { version } = (await list(writer, id))[0]
    expect(await edit(writer, { id: entry.id, version }, { visibility: 'institution' })).toMatchObject({
      revision: 3,
    })
  })

  it('names no institution whose referral has ended', async () => {
    const { id } = await referred({ ended_at: new Date() })
    expect(await write(id, { visibility: 'institution', shownTo: [] })).toMatchObject({
      visibility: 'institution',
    })
  })
})

it('the rows of an inbox say how many warnings and unread entries the reader has', async () => {
  const { id } = await referred()
  const plain = await referred()
  const { services, db } = server
  for (const patient_id of [id, plain.id])
    await makeUpload(db, services.storage, {
      patient_id,
      institution_id: clinic.id,
      state: 'released',
      released_at: new Date(),
    })
  await write(id, { text: 'Intern', kind: 'warning' })
  const shown = await write(id, { text: 'Alergie', kind: 'warning', visibility: 'institution' })
  await write(id, { text: 'Program', visibility: 'institution' })
  const marksOf = async (client: Client, patientId: string) =>
    (await client.runQuery(INBOX)).inbox.nodes.find(
      ({ patient }: { patient: { id: string } }) => patient.id === patientId,
    ).patient.newsMarks
  await read(ana, shown)
  expect(await marksOf(ana, id)).toEqual({ warnings: 1, unread: 1 })
  expect(await marksOf(colleague, id)).toEqual({ warnings: 1, unread: 2 })
  expect(await marksOf(ana, plain.id)).toEqual({ warnings: 0, unread: 0 })
  const kept = JSON.stringify(FEATURES.filter((feature) => feature !== 'patient::news'))
  await db.insertInto('site_setting').values({ key: 'features', value: kept }).execute()
  try {
    expect(await marksOf(ana, id)).toBeNull()
  } finally {
    await db.deleteFrom('site_setting').where('key', '=', 'features').execute()
  }
})
