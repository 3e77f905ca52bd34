import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { FEATURES, type Feature } from '../../../shared/access/features.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { makeShareWorld, type ShareWorld } from '../../../test/shares/share-world.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createContext, createSystemContext } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { findActorBySession } from '../accounts/sessions/find-actor.ts'
import { replaceUserInstitutions } from '../accounts/users/user-institutions.db.ts'
import { endMessage } from '../messages/send-message.ts'
import { watchSite } from '../settings/watch-site.ts'
import { upsertSettings } from '../site/site.db.ts'

const LIST = `{ notificationCount notifications { kind count newCount items { id at isNew uploadId number categorySlug institutionId
  institutionName patientId shareId recipientKind mailKind outcome } } }`
const MARK = 'mutation ($seen: [SeenNotifications!]!) { markNotificationsSeen(seen: $seen) }'
const CHOOSE =
  'mutation ($kind: NotificationKind!, $isOn: Boolean!) { chooseNotifications(kind: $kind, isOn: $isOn) { kind isOn } }'
const SETTINGS = '{ notificationSettings { kind isOn } }'
const REQUEST = 'mutation ($request: AccessRequestInput!) { requestAccess(request: $request) }'

type Reader = TestClient & { id: string }
type Item = { id: string; at: string; isNew: boolean; [field: string]: unknown }
type Group = { kind: string; count: number; newCount: number; items: Item[] }

let server: TestServer
let world: ShareWorld
let clinic: { id: string; name: string }
let other: { id: string }
let admin: Reader
let registrar: Reader
let reviewer: Reader
let ana: Reader
let colleague: Reader
let foreigner: Reader
let patient: { id: string }

beforeAll(async () => {
  server = await createTestServer({ trustProxy: true }, afterAll)
  world = await makeShareWorld(server)
})

const signIn = async (over: Parameters<typeof makeUser>[1]): Promise<Reader> => {
  const { id, email } = await makeUser(server.db, over)
  return { ...(await server.signIn(email)), id }
}

/** Each test has people and a patient of its own, and nothing that waits for all staff. */
beforeEach(async () => {
  const { db } = server
  for (const table of ['question_message', 'question', 'access_request', 'message'] as const)
    await db.deleteFrom(table).execute()
  await upsertSettings(db, { features: [...FEATURES] })
  clinic = await makeInstitution(db, { name: 'Clinica Țară', may_upload: true })
  other = await makeInstitution(db)
  admin = await signIn({ role: 'admin' })
  registrar = await signIn({ features: ['patient::files', 'patient::share'] })
  reviewer = await signIn({ features: ['admin::review-files', 'patient::files'] })
  ana = await signIn({ role: 'institution', institutionIds: [clinic.id] })
  colleague = await signIn({ role: 'institution', institutionIds: [clinic.id] })
  foreigner = await signIn({ role: 'institution', institutionIds: [other.id] })
  await db
    .updateTable('user_institution')
    .set({ joined_at: new Date(Date.now() - 3_600_000) })
    .execute()
  patient = await makePatient(db, { surname: 'Numeascuns', given_names: 'Ileana' })
  await makeReferral(db, { patient_id: patient.id, institution_id: clinic.id })
})

const file = (over: Parameters<typeof makeUpload>[2] = {}) =>
  makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: clinic.id,
    title: 'Numeascuns RMN',
    ...over,
  })
const release = (over: Parameters<typeof makeUpload>[2] = {}) =>
  file({ state: 'released', released_at: new Date(), ...over })
const reject = (created_by: string, over: Parameters<typeof makeUpload>[2] = {}) =>
  file({ state: 'rejected', created_by, ...over })
const ask = async (client: TestClient, uploadId: string, text = 'Ce înseamnă?'): Promise<string> =>
  (
    await client.runQuery(
      'mutation ($uploadId: ID!, $text: String!) { askQuestion(uploadId: $uploadId, text: $text) { id } }',
      { uploadId, text },
    )
  ).askQuestion.id
const answer = (client: TestClient, id: string) =>
  client.runQuery('mutation ($id: ID!) { answerQuestion(id: $id, text: "Este în limite") { id } }', { id })
const request = async (client: TestClient): Promise<string> => {
  await client.runQuery(REQUEST, {
    request: {
      institutionId: clinic.id,
      surname: 'Numeascuns',
      givenNames: 'Eva',
      birthDate: '1981-06-26',
      purpose: 'Control',
    },
  })
  const { id } = await server.db.selectFrom('access_request').select('id').executeTakeFirstOrThrow()
  return id
}
/** A mail that this user has caused, as it fails after a while. */
async function failMail(causedBy: string | null, over: object = {}, error = '550'): Promise<string> {
  const id = newId()
  await server.db
    .insertInto('message')
    .values({
      id,
      recipient: 'numeascuns@exemplu.ro',
      kind: 'share',
      subject: 'Rezultate',
      caused_by: causedBy,
      created_at: new Date(Date.now() - 3_600_000),
      ...over,
    })
    .execute()
  await endMessage(createSystemContext(server.services), id, 'bounced', error)
  return id
}
/** A share of the registrar for which so many wrong proofs were given. */
async function shareWithWrong(wrong: number): Promise<string> {
  const upload = await release()
  const { id, token } = await world.create({ patientId: patient.id, uploadIds: [upload.id] }, registrar)
  for (let tries = 0; tries < wrong; tries += 1) {
    if (tries === LIMITS.shareWrongProofs.lock)
      await server.db.updateTable('share').set({ locked_until: new Date() }).where('id', '=', id).execute()
    await world.browser().prove(token, '01.01.1901')
  }
  return id
}

const read = (client: TestClient): Promise<{ notificationCount: number; notifications: Group[] }> =>
  client.runQuery(LIST)
const groups = async (client: TestClient): Promise<Record<string, Item[]>> =>
  Object.fromEntries((await read(client)).notifications.map(({ kind, items }) => [kind, items]))
const count = async (client: TestClient): Promise<number> =>
  (await client.runQuery('{ notificationCount }')).notificationCount
/** As the list does when it is opened. */
const open = async (client: TestClient): Promise<Group[]> => {
  const { notifications } = await read(client)
  await client.runQuery(MARK, {
    seen: notifications.map(({ kind, items }) => ({ kind, until: items[0]!.at })),
  })
  return notifications
}
const setSite = (without: Feature) =>
  upsertSettings(server.db, { features: FEATURES.filter((feature) => feature !== without) })

describe('the bell has', () => {
  it('new results of the institution, as many as the inbox has', async () => {
    const first = await release({ released_at: new Date(Date.now() - 60_000), category_slug: 'rmn' })
    const second = await release()
    await release({ institution_id: other.id })
    const { notificationCount, notifications } = await read(ana)
    expect(notificationCount).toBe(2)
    expect((await ana.runQuery('{ inboxCounts { new } }')).inboxCounts.new).toBe(2)
    expect(notifications).toMatchObject([
      {
        kind: 'results',
        count: 2,
        newCount: 2,
        items: [
          { id: second.id, uploadId: second.id, number: second.number, isNew: true },
          { id: first.id, categorySlug: 'rmn' },
        ],
      },
    ])
    await ana.runQuery('mutation ($ids: [ID!]!) { markResults(ids: $ids, mark: take) { changed { id } } }', {
      ids: [first.id],
    })
    expect(await count(colleague)).toBe(1)
    expect((await groups(foreigner)).results).toBeUndefined()
  })

  it('rejected uploads: of their author alone, of staff and of institutions that send', async () => {
    const upload = await reject(registrar.id)
    const sent = await reject(ana.id, { source: 'institution', sender_institution_id: clinic.id })
    expect((await groups(registrar)).rejected).toMatchObject([{ id: upload.id, number: upload.number }])
    expect((await groups(ana)).rejected).toMatchObject([{ id: sent.id, number: sent.number }])
    for (const client of [reviewer, colleague, foreigner])
      expect((await groups(client)).rejected).toBeUndefined()
    expect((await registrar.runQuery('{ ownNotices { uploadId } }')).ownNotices).toHaveLength(1)
  })

  it('questions that wait for staff and answers that the institution has not read', async () => {
    const { id: uploadId, number } = await release()
    const id = await ask(ana, uploadId)
    for (const client of [registrar, reviewer, admin])
      expect((await groups(client)).questions).toMatchObject([
        { id, uploadId, number, institutionName: clinic.name },
      ])
    expect((await groups(ana)).questions).toBeUndefined()
    expect((await registrar.runQuery('{ questionCount }')).questionCount).toBe(1)
    await open(reviewer)
    // What is added to an open question is new.
    await ask(ana, uploadId, 'Și încă ceva?')
    expect(await count(reviewer)).toBe(1)
    await answer(reviewer, id)
    expect((await groups(registrar)).questions).toBeUndefined()
    expect((await groups(colleague)).questions).toMatchObject([{ id, uploadId, number }])
    expect((await groups(foreigner)).questions).toBeUndefined()
    await ana.runQuery('mutation ($id: ID!) { markQuestionRead(id: $id) { id } }', { id })
    expect((await groups(colleague)).questions).toBeUndefined()
  })

  it('requests for access that wait for staff, and the decision for who has asked', async () => {
    const id = await request(ana)
    expect((await groups(registrar)).access_requests).toMatchObject([
      { id, institutionName: clinic.name, outcome: null },
    ])
    expect((await registrar.runQuery('{ accessRequestCount }')).accessRequestCount).toBe(1)
    expect((await groups(ana)).access_requests).toBeUndefined()
    await admin.runQuery('mutation ($id: ID!) { refuseAccessRequest(id: $id, refusal: neutral) { id } }', {
      id,
    })
    expect((await groups(registrar)).access_requests).toBeUndefined()
    expect((await groups(ana)).access_requests).toMatchObject([{ id, outcome: 'refused' }])
    expect((await groups(colleague)).access_requests).toBeUndefined()
    await server.db
      .updateTable('access_request')
      .set({ decided_at: new Date(Date.now() - (LIMITS.notificationDays + 1) * 24 * 3_600_000) })
      .execute()
    expect((await groups(ana)).access_requests).toBeUndefined()
  })

  it('shares of the maker that wrong proofs have locked or ended, and no other', async () => {
    await shareWithWrong(LIMITS.shareWrongProofs.lock - 1)
    expect((await groups(registrar)).shares).toBeUndefined()
    const locked = await shareWithWrong(LIMITS.shareWrongProofs.lock)
    const ended = await shareWithWrong(LIMITS.shareWrongProofs.end)
    expect((await groups(registrar)).shares).toMatchObject([
      { id: ended, shareId: ended, outcome: 'ended', patientId: patient.id, recipientKind: 'patient' },
      { id: locked, outcome: 'locked' },
    ])
    expect((await groups(admin)).shares).toBeUndefined()
    await registrar.runQuery('mutation ($ids: [ID!]!) { endShares(ids: $ids, reason: "Greșit") { id } }', {
      ids: [locked],
    })
    expect((await groups(registrar)).shares).toMatchObject([{ id: ended }])
  })

  it('mail that failed: of who has caused it, for administrators as many as their list has', async () => {
    const shareId = await shareWithWrong(0)
    const id = await failMail(registrar.id, { about_type: 'share', about_id: shareId })
    await failMail(null, { kind: 'results', institution_id: clinic.id })
    // What the product has ended itself is no failure of anybody.
    await failMail(registrar.id, {}, 'withdrawn')
    expect((await groups(registrar)).mail).toMatchObject([
      { id, outcome: 'bounced', mailKind: 'share', shareId, patientId: patient.id },
    ])
    expect((await groups(reviewer)).mail).toBeUndefined()
    const { messages } = await admin.runQuery('{ messages(undelivered: true) { nodes { id } } }')
    expect((await read(admin)).notifications).toMatchObject([{ kind: 'mail', count: messages.nodes.length }])
    expect(messages.nodes).toHaveLength(2)
    expect(
      (await admin.runQuery('{ dashboard { alarms { failedMails } } }')).dashboard.alarms.failedMails,
    ).toBe(2)
    // The failure counts, not the hour at which the mail was written.
    await open(admin)
    await failMail(null, { created_at: new Date(Date.now() - 2 * 3_600_000) })
    expect(await count(admin)).toBe(1)
  })

  it('the kind with the newest first, five of each, and counts of at most a hundred', async () => {
    await request(ana)
    for (let index = 0; index < LIMITS.shownNotifications + 2; index += 1) await reject(registrar.id)
    const { notifications } = await read(registrar)
    expect(notifications.map(({ kind }) => kind)).toEqual(['rejected', 'access_requests'])
    expect(notifications[0]).toMatchObject({ count: 7, newCount: 7 })
    expect(notifications[0]!.items).toHaveLength(LIMITS.shownNotifications)
    const { id: institutionId } = clinic
    await server.db
      .insertInto('access_request')
      .values(
        Array.from({ length: LIMITS.shownCount + 20 }, () => ({
          id: newId(),
          institution_id: institutionId,
          created_by: ana.id,
          created_at: new Date(),
          surname: 'Pop',
          given_names: 'Ion',
          birth_date: '1981-06-26',
          purpose: 'Control',
        })),
      )
      .execute()
    expect(await count(registrar)).toBe(LIMITS.shownCount)
  })
})

describe('nothing is left in the bell', () => {
  it('of what the user may no longer see', async () => {
    const { id } = await release()
    const question = await ask(ana, id)
    await answer(reviewer, question)
    await reject(ana.id, { source: 'institution', sender_institution_id: clinic.id })
    await admin.runQuery('mutation ($id: ID!) { refuseAccessRequest(id: $id, refusal: neutral) { id } }', {
      id: await request(ana),
    })
    expect(Object.keys(await groups(ana)).sort()).toEqual([
      'access_requests',
      'questions',
      'rejected',
      'results',
    ])
    await replaceUserInstitutions(server.db, ana.id, [other.id])
    expect(await read(ana)).toEqual({ notificationCount: 0, notifications: [] })
  })

  it('of a result that was withdrawn, or whose referral was a mistake', async () => {
    const { id } = await release()
    expect(await count(ana)).toBe(1)
    await reviewer.runQuery('mutation ($id: ID!) { withdrawUpload(id: $id) { id } }', { id })
    expect(await read(ana)).toEqual({ notificationCount: 0, notifications: [] })
    await release()
    expect(await count(ana)).toBe(1)
    await server.db
      .updateTable('referral')
      .set({ ended_at: new Date(), mistaken: true })
      .where('patient_id', '=', patient.id)
      .execute()
    expect(await read(ana)).toEqual({ notificationCount: 0, notifications: [] })
  })

  it.each<[Feature, string[], string[]]>([
    [
      'patient::share',
      ['access_requests', 'mail', 'questions', 'rejected'],
      ['access_requests', 'questions', 'results'],
    ],
    ['patient::files', ['access_requests', 'mail'], ['access_requests']],
  ])('of the feature %s while it is off, for the site and for a person', async (feature, staff, guest) => {
    const shareId = await shareWithWrong(LIMITS.shareWrongProofs.end)
    await reject(registrar.id)
    await failMail(registrar.id, { about_type: 'share', about_id: shareId })
    const { id } = await release()
    const question = await ask(ana, id)
    await answer(reviewer, question)
    await ask(colleague, (await release()).id)
    await admin.runQuery('mutation ($id: ID!) { refuseAccessRequest(id: $id, refusal: neutral) { id } }', {
      id: await request(ana),
    })
    await request(colleague).catch(() => undefined)
    const kinds = async (client: TestClient) => Object.keys(await groups(client)).sort()
    const all = await kinds(registrar)
    expect(all).toEqual(['access_requests', 'mail', 'questions', 'rejected', 'shares'])
    await setSite(feature)
    expect(await kinds(registrar)).toEqual(staff)
    expect(await kinds(ana)).toEqual(guest)
    // A mail about a share does not lead to the patient's page without the feature.
    expect((await groups(registrar)).mail).toMatchObject([{ patientId: null }])
    await upsertSettings(server.db, { features: [...FEATURES] })
    expect(await kinds(registrar)).toEqual(all)
    await server.db
      .updateTable('app_user')
      .set({ features: (['patient::files', 'patient::share'] as const).filter((own) => own !== feature) })
      .where('id', '=', registrar.id)
      .execute()
    expect(await kinds(registrar)).toEqual(staff)
  })
})

describe('what was seen', () => {
  it('is what the list has shown: what came meanwhile stays new, and nothing becomes new again', async () => {
    const old = await release({ released_at: new Date(Date.now() - 60_000) })
    const { notifications } = await read(ana)
    const late = await release({ released_at: new Date(Date.now() - 30_000) })
    const seen = [{ kind: 'results', until: notifications[0]!.items[0]!.at }]
    expect((await ana.runQuery(MARK, { seen })).markNotificationsSeen).toBe(1)
    expect((await groups(ana)).results).toMatchObject([
      { id: late.id, isNew: true },
      { id: old.id, isNew: false },
    ])
    await open(ana)
    // Another tab that has shown less.
    expect((await ana.runQuery(MARK, { seen })).markNotificationsSeen).toBe(0)
    expect((await read(ana)).notifications).toMatchObject([{ count: 2, newCount: 0 }])
    // Of each user alone.
    expect(await count(colleague)).toBe(2)
  })

  it('is not in the future', async () => {
    await release()
    const until = new Date(Date.now() + 24 * 3_600_000).toISOString()
    await ana.runQuery(MARK, { seen: [{ kind: 'results', until }] })
    const { seen_until } = await server.db
      .selectFrom('user_notification')
      .select('seen_until')
      .where('user_id', '=', ana.id)
      .executeTakeFirstOrThrow()
    expect(seen_until!.getTime()).toBeLessThanOrEqual(Date.now())
    await new Promise((resolve) => setTimeout(resolve, 5))
    await release()
    expect(await count(ana)).toBe(1)
  })
})

describe('preferences', () => {
  it('switch a kind off for the user alone, in count and list', async () => {
    await release()
    await ana.runQuery(CHOOSE, { kind: 'results', isOn: false })
    expect(await read(ana)).toEqual({ notificationCount: 0, notifications: [] })
    expect(await count(colleague)).toBe(1)
    const isOn = async () =>
      (await ana.runQuery(SETTINGS)).notificationSettings.find(({ kind }: Group) => kind === 'results').isOn
    expect(await isOn()).toBe(false)
    await ana.runQuery(CHOOSE, { kind: 'results', isOn: true })
    expect([await isOn(), await count(ana)]).toEqual([true, 1])
  })

  it('are offered for the kinds that the user may have; another is refused and marks nothing', async () => {
    const kinds = async (client: TestClient) =>
      (await client.runQuery(SETTINGS)).notificationSettings.map(({ kind }: Group) => kind)
    expect(await kinds(ana)).toEqual(['results', 'rejected', 'questions', 'access_requests'])
    expect(await kinds(foreigner)).toEqual(['results', 'questions', 'access_requests'])
    expect(await kinds(admin)).toEqual(['rejected', 'questions', 'access_requests', 'shares', 'mail'])
    expect(await kinds(await signIn({ features: [] }))).toEqual(['access_requests', 'mail'])
    const { errors } = await ana.graphql(CHOOSE, { kind: 'mail', isOn: false })
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN'])
    await ana.runQuery(MARK, { seen: [{ kind: 'mail', until: new Date().toISOString() }] })
    const rows = await server.db
      .selectFrom('user_notification')
      .select('kind')
      .where('user_id', '=', ana.id)
      .execute()
    expect(rows).toEqual([])
  })
})

it('names no patient and no content, and leaves no entry in the audit log', async () => {
  const { id } = await release({ referring_doctor: 'Dr. Numeascuns' })
  await answer(reviewer, await ask(ana, id, 'Numeascuns?'))
  await ask(colleague, (await release()).id, 'Numeascuns?')
  await request(ana)
  await reject(registrar.id)
  const shareId = await shareWithWrong(LIMITS.shareWrongProofs.end)
  await failMail(registrar.id, { about_type: 'share', about_id: shareId })
  const entries = () =>
    server.db
      .selectFrom('audit_event')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  const before = await entries()
  for (const client of [ana, registrar, admin]) {
    const { notifications } = await read(client)
    expect(notifications.length).toBeGreaterThan(0)
    expect(JSON.stringify(notifications)).not.toMatch(/numeascuns|RMN/i)
    await open(client)
  }
  expect(await entries()).toEqual(before)
})

it('notifies every tab of the user that the bell has changed or was seen, and nobody else', async () => {
  const { db, services } = server
  const watch = async (reader: Reader) => {
    const session = await db
      .selectFrom('session')
      .select('id')
      .where('user_id', '=', reader.id)
      .executeTakeFirstOrThrow()
    const { actor } = (await findActorBySession(db, session.id, new Date()))!
    const changes = watchSite(
      createContext(services, actor, { id: newId(), ip: null, userAgent: null, origin: 'web' }),
    )
    const seen: string[] = []
    void (async () => {
      for await (const change of changes) seen.push(change)
    })().catch(() => undefined)
    afterAll(() => void changes.return?.())
    return seen
  }
  const [first, second, colleagues, staff, administrators, makers] = [
    await watch(ana),
    await watch(ana),
    await watch(colleague),
    await watch(reviewer),
    await watch(admin),
    await watch(registrar),
  ]
  /** What is new in these tabs since the last call, once the tabs of the first list have it. */
  const all = [first, second, colleagues, staff, administrators, makers]
  const expectAt = async (notified: string[][], act: () => Promise<unknown>) => {
    for (const seen of all) seen.length = 0
    await act()
    for (const seen of notified) await expect.poll(() => seen, { timeout: 5_000 }).toContain('NOTIFICATIONS')
    for (const seen of all.filter((each) => !notified.includes(each)))
      expect(seen).not.toContain('NOTIFICATIONS')
  }
  await expect
    .poll(
      async () => {
        await open(ana)
        return [first, second].every((seen) => seen.length > 0)
      },
      { timeout: 5_000 },
    )
    .toBe(true)
  const { id } = await release()
  await expectAt([first, second], () => open(ana))
  await expectAt([first, second], () => ana.runQuery(CHOOSE, { kind: 'rejected', isOn: false }))
  await expectAt([first, second, colleagues], () =>
    ana.runQuery('mutation ($ids: [ID!]!) { markResults(ids: $ids, mark: take) { changed { id } } }', {
      ids: [id],
    }),
  )
  await expectAt([first, second, colleagues], () =>
    reviewer.runQuery('mutation ($id: ID!) { withdrawUpload(id: $id) { id } }', { id }),
  )
  await expectAt([administrators, makers], () => failMail(registrar.id))
  await expectAt([administrators], () => failMail(null))
  await expectAt([makers], () => shareWithWrong(LIMITS.shareWrongProofs.lock))
})
