import { expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createContext, type UserActor, type UserCtx } from '../../context.ts'
import { type ChangeEvent, publish } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { findActorBySession } from '../accounts/sessions/find-actor.ts'
import { watchUploads } from './watch-uploads.ts'

/** Waits until the server receives events: publishes an event until the subscription yields one. */
async function untilListening({ db, services }: Pick<TestServer, 'db' | 'services'>): Promise<void> {
  const publishAccount = () => publish(db, { kind: 'account', id: newId() })
  const events = services.events.subscribe()
  await publishAccount()
  for await (const event of events) {
    if (event.kind === 'account') return
    await publishAccount()
  }
}

it('the stream ends as soon as the reader leaves, not at the next change', async () => {
  const { db, services } = await createTestServer()
  const { id, name, email } = await makeUser(db, { role: 'institution' })
  const actor: UserActor = {
    kind: 'user',
    id,
    name,
    email,
    role: 'institution',
    features: new Set(),
    mayAcceptOwn: false,
    institutionIds: [],
    sendingInstitutionIds: [],
    sessionId: newId(),
    provedAt: new Date(),
    lastSeenAt: new Date(),
  }
  const ctx = createContext(services, actor, { id: newId(), ip: null, userAgent: null, origin: 'web' })
  await untilListening({ db, services })

  const changes = watchUploads(ctx, null)
  const waiting = changes.next()
  await changes.return?.()
  expect(await waiting).toEqual({ value: undefined, done: true })
})

/** Returns the context of a signed-in user. */
async function contextOf({ db, services }: TestServer, email: string) {
  const session = await db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .where('app_user.email', '=', email)
    .select('session.id')
    .executeTakeFirstOrThrow()
  const found = await findActorBySession(db, session.id, new Date())
  return createContext(services, found!.actor, { id: newId(), ip: null, userAgent: null, origin: 'web' })
}

it('an institution is notified when a result is withdrawn, but not about unreleased uploads', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const institution = await makeInstitution(db)
  const patient = await makePatient(db)
  await makeReferral(db, { institution_id: institution.id, patient_id: patient.id })
  const { email } = await makeUser(db, { role: 'institution', institutionIds: [institution.id] })
  const reviewer = await server.signIn(
    (await makeUser(db, { features: ['admin::review-files', 'patient::files'] })).email,
  )
  const make = (state: 'released' | 'in_review') =>
    makeUpload(db, services.storage, { state, institution_id: institution.id, patient_id: patient.id })
  const [unreleased, released] = [await make('in_review'), await make('released')]

  const reader = await server.signIn(email)
  const { data } = await reader.graphql('{ inbox { nodes { id } } }')
  expect(data.inbox.nodes).toEqual([{ id: released.id }])
  const ctx = await contextOf(server, email)
  await untilListening(server)
  const changes = watchUploads(ctx, null)
  for (const { id } of [unreleased, released]) {
    const { errors } = await reviewer.graphql(`mutation { withdrawUpload(id: "${id}") { state } }`)
    expect(errors).toEqual([])
  }
  expect(await changes.next()).toEqual({ done: false, value: { id: null, patientId: null } })
  const change = changes.next()
  const next = await make('released')
  await publish(db, { kind: 'upload', id: next.id, patientId: patient.id, institutionId: institution.id })
  expect(await change).toEqual({ done: false, value: { id: next.id, patientId: patient.id } })
  await changes.return?.()
})

it('an institution is not notified about a withdrawn result while the site has no files of patients [3.2]', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const institution = await makeInstitution(db)
  const { id, patient_id: patientId } = await makeUpload(db, services.storage, {
    state: 'withdrawn',
    institution_id: institution.id,
  })
  const { email } = await makeUser(db, { role: 'institution', institutionIds: [institution.id] })
  await server.signIn(email)
  const ctx = await contextOf(server, email)
  async function* withdraw(): AsyncGenerator<ChangeEvent> {
    yield { kind: 'upload', id, patientId, institutionId: institution.id, isRevoked: true }
    yield { kind: 'resync' }
  }
  const countChanges = async () => {
    const events = { ...services.events, subscribe: withdraw }
    let count = 0
    for await (const _ of watchUploads({ ...ctx, services: { ...services, events } }, null)) count++
    return count
  }
  expect(await countChanges()).toBe(2)
  const value = JSON.stringify(['profile::institution'])
  await db
    .insertInto('site_setting')
    .values({ key: 'features', value })
    .onConflict((on) => on.column('key').doUpdateSet({ value }))
    .execute()
  expect(await countChanges()).toBe(1)
})

it('a mark of a result is announced to the colleagues, and to nobody of another institution', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const [ours, theirs] = [await makeInstitution(db), await makeInstitution(db)]
  const patient = await makePatient(db)
  const release = async (institution: { id: string }) => {
    await makeReferral(db, { institution_id: institution.id, patient_id: patient.id })
    const over = { state: 'released', institution_id: institution.id, patient_id: patient.id } as const
    return makeUpload(db, services.storage, over)
  }
  const [mine, other] = [await release(ours), await release(theirs)]
  const member = async (institution: { id: string }) => {
    const { email } = await makeUser(db, { role: 'institution', institutionIds: [institution.id] })
    return { client: await server.signIn(email), ctx: await contextOf(server, email) }
  }
  const [clerk, colleague, stranger] = [await member(ours), await member(ours), await member(theirs)]
  await untilListening(server)
  const seen = watchUploads(colleague.ctx, null)
  const foreign = watchUploads(stranger.ctx, null)
  const mark = (client: typeof clerk.client, id: string) =>
    client.runQuery(`mutation { markResults(ids: ["${id}"], mark: take) { changed { id } } }`)
  const [first, first2] = [seen.next(), foreign.next()]
  await mark(clerk.client, mine.id)
  await mark(stranger.client, other.id)
  expect(await first).toEqual({ done: false, value: { id: mine.id, patientId: patient.id } })
  // The stranger's first change is their own.
  expect(await first2).toEqual({ done: false, value: { id: other.id, patientId: patient.id } })
  await Promise.all([seen.return?.(), foreign.return?.()])
})

/** Returns what the reader gets of these changes. */
async function readChanges(
  { services, ...ctx }: UserCtx,
  subscribe: () => AsyncGenerator<ChangeEvent>,
  patientId: string | null,
) {
  const events = { ...services.events, subscribe }
  const read = []
  for await (const change of watchUploads({ ...ctx, services: { ...services, events } }, patientId))
    read.push(change)
  return read
}

it('who has sent an upload is not notified for a patient to whom staff have given it', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const institution = await makeInstitution(db, { may_upload: true })
  const user = await makeUser(db, { role: 'institution', institutionIds: [institution.id] })
  await server.signIn(user.email)
  const ctx = await contextOf(server, user.email)
  const { id, patient_id: patientId } = await makeUpload(db, services.storage, {
    source: 'institution',
    created_by: user.id,
    sender_institution_id: institution.id,
  })
  async function* change(): AsyncGenerator<ChangeEvent> {
    yield { kind: 'upload', id, patientId, institutionId: null }
  }
  const list = (ofPatient: string | null) => readChanges(ctx, change, ofPatient)
  expect(await list(null)).toEqual([{ id, patientId: null }])
  expect(await list(patientId)).toEqual([])
})

it('an institution does not learn which patient of others its result had before it was corrected', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const institution = await makeInstitution(db)
  const [foreign, former, patient] = [await makePatient(db), await makePatient(db), await makePatient(db)]
  for (const { id } of [former, patient])
    await makeReferral(db, { institution_id: institution.id, patient_id: id })
  const { email } = await makeUser(db, { role: 'institution', institutionIds: [institution.id] })
  const { id } = await makeUpload(db, services.storage, {
    state: 'released',
    institution_id: institution.id,
    patient_id: patient.id,
  })
  await server.signIn(email)
  const ctx = await contextOf(server, email)
  // As they are kept for a page that connects later.
  async function* changes(): AsyncGenerator<ChangeEvent> {
    for (const patientId of [foreign.id, former.id, patient.id])
      yield { kind: 'upload', id, patientId, institutionId: institution.id }
  }
  const read = (patientId: string | null) => readChanges(ctx, changes, patientId)
  expect(await read(null)).toEqual([
    { id, patientId: patient.id },
    { id, patientId: former.id },
    { id, patientId: patient.id },
  ])
  expect(await read(foreign.id)).toEqual([])
  // So that the page of the former patient drops it.
  expect(await read(former.id)).toEqual([{ id, patientId: former.id }])
})
