import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type Kysely, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { expect } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../db/factories.ts'
import { createContext, createSystemContext, type UserActor, type UserCtx } from '../../server/context.ts'
import { upsertSettings } from '../../server/features/site/site.db.ts'
import type { Db } from '../../server/platform/database/database.ts'
import type { DB } from '../../server/platform/database/types.generated.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Feature } from '../../shared/access/features.ts'
import type { TestClient, TestServer } from '../test-server.ts'
import { Model, NEW_UPLOAD } from './model.ts'

/** The institutions of each user, by their places. */
const USERS: readonly (readonly number[])[] = [[0], [1], [0, 1]]
export const GUESTS = USERS.length
const PATIENTS = 3

/** The product with its people, for any number of sequences. */
export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld(server: TestServer) {
  // Long enough for a verdict to be undone later in a sequence; `passUndoTime` ends it.
  await upsertSettings(server.db, { undo_seconds: 60 })
  const maySend = { may_upload: true }
  const institutions = [
    (await makeInstitution(server.db, maySend)).id,
    (await makeInstitution(server.db, maySend)).id,
  ]
  const guests = await Promise.all(
    USERS.map(async (places) => {
      const institutionIds = places.map((place) => institutions[place]!)
      const actor: UserActor = {
        ...(await makeActor(server, ['patient::files'], { role: 'institution', institutionIds })),
        role: 'institution',
        institutionIds,
        sendingInstitutionIds: institutionIds,
      }
      return { institutionIds, actor, client: await server.signIn(actor.email) }
    }),
  )
  const registrar = await makeActor(server, ['patient::files'])
  const registrarClient = await server.signIn(registrar.email)
  const reviewer = await makeActor(server, ['patient::files', 'admin::review-files'])
  return { server, institutions, guests, registrar, registrarClient, reviewer, crash: null as Crash | null }
}

async function makeActor(
  { db }: TestServer,
  features: Feature[],
  over: Parameters<typeof makeUser>[1] = { features },
): Promise<UserActor> {
  const { id, email, name } = await makeUser(db, over)
  return {
    kind: 'user',
    id,
    email,
    name,
    role: 'staff',
    features: new Set(features),
    mayAcceptOwn: false,
    institutionIds: [],
    sendingInstitutionIds: [],
    sessionId: newId(),
    provedAt: new Date(Date.now() + 3_600_000),
    lastSeenAt: new Date(),
  }
}

/** The connection to the database ends at this statement of the next command; `happened` says whether it came so far. */
export type Crash = { at: number; happened: boolean }

/** Puts in place of a statement one that ends the backend which executes it, in the middle of the transaction. */
function killAt(crash: Crash): KyselyPlugin {
  let statements = 0
  return {
    transformQuery: ({ node }) => {
      statements += 1
      if (statements <= crash.at) return node
      crash.happened = true
      return sql`select pg_terminate_backend(pg_backend_pid())`.toOperationNode() as RootOperationNode
    },
    transformResult: async ({ result }) => result,
  }
}

function withCrash<C extends Pick<UserCtx, 'db' | 'pools'>>(world: World, ctx: C): C {
  if (!world.crash) return ctx
  const plugin = killAt(world.crash)
  const killed = (db: Db) => (db as Kysely<DB>).withPlugin(plugin) as Db
  return { ...ctx, db: killed(ctx.db), pools: { ...ctx.pools, db: killed(ctx.pools.db) } }
}

/** The context of a command of a user. */
export const contextOf = (world: World, actor: UserActor): UserCtx =>
  withCrash(
    world,
    createContext(world.server.services, actor, { id: newId(), ip: null, userAgent: null, origin: 'web' }),
  )

/** The context of a job. */
export const jobContextOf = (world: World) => withCrash(world, createSystemContext(world.server.services))

/** Empties the database of patients and fills it with what a sequence begins with, which the model then knows. */
export async function beginSequence({ server, institutions, registrar }: World): Promise<Model> {
  const { db, services } = server
  // Of a check that a crash has left behind.
  await server.runJobs()
  await sql`truncate patient cascade`.execute(db)
  await sql`truncate upload cascade`.execute(db)
  const model = new Model()
  for (let place = 0; place < PATIENTS; place += 1) {
    const { id } = await makePatient(db, { surname: 'Secvența', given_names: `Ana ${place}`, cnp: null })
    model.patients.set(id, { mergedInto: null })
    const institution = institutions[place % institutions.length]!
    const referral = await makeReferral(db, {
      patient_id: id,
      institution_id: institution,
      created_by: registrar.id,
    })
    model.referrals.set(referral.id, { patient: id, institution, mistaken: false, endedAt: null })
    const upload = await makeUpload(db, services.storage, {
      patient_id: id,
      institution_id: institution,
      state: place === 0 ? 'released' : 'in_review',
      created_by: registrar.id,
    })
    const releasedAt = upload.state === 'released' ? 0 : null
    model.uploads.set(upload.id, { ...NEW_UPLOAD, patient: id, institution, state: upload.state, releasedAt })
    for (const file of upload.files)
      model.files.set(file.id, { upload: upload.id, sha256: file.sha256.toString('hex') })
  }
  return model
}

/** Every row that a command may write, without versions and times. */
export async function snapshot({ db }: TestServer) {
  const read = (from: string) => sql<object>`select ${sql.raw(from)}`.execute(db).then(({ rows }) => rows)
  return Promise.all([
    read('id, surname, given_names, merged_into, version from patient order by id'),
    read('id, patient_id, institution_id, ended_at, mistaken, version from referral order by id'),
    read('id, patient_id, institution_id, title, replaces_id, state, version from upload order by id'),
    read('id, upload_id, sha256, storage_key, removed_at from file order by id'),
    read('id, undone_at from patient_merge order by id'),
    read('patient_id, other_id from patient_distinct order by 1, 2'),
    read('id, verdict, undone_at from review order by id'),
    read('id, upload_id from incident order by id'),
    read('id, incident_id, institution_id from deletion_request order by id'),
    read('id, upload_id, institution_id, kind, replaced_by from recall order by id'),
    read('id, about_id from message order by id'),
  ])
}

type Nodes = { nodes: { id: string }[] }
const idsOf = ({ nodes }: Nodes) => nodes.map(({ id }) => id).sort()

async function readLists(client: TestClient) {
  const { data, errors } = await client.graphql(
    `query { inbox(first: 100) { nodes { id } } patients(first: 100) { nodes { id } } deletionRequests { id } recalls { id }
      sentUploads(first: 100) { nodes { id patient { id } } } sentDrafts { id patient { id } } }`,
  )
  expect(errors).toEqual([])
  const { inbox, patients, deletionRequests, recalls, sentUploads, sentDrafts } = data
  const named = (rows: { id: string; patient: { id: string } | null }[]) =>
    rows.map(({ id, patient }) => `${id} ${patient?.id ?? null}`).sort()
  return {
    uploads: idsOf(inbox),
    patients: idsOf(patients),
    deletionRequests: deletionRequests.length,
    recalls: recalls.length,
    sent: named(sentUploads.nodes),
    drafts: named(sentDrafts),
  }
}

/** What each user of institutions sees in the product, in the order of `guests`. */
export const look = ({ guests }: World) => Promise.all(guests.map(({ client }) => readLists(client)))

/**
 * Requires that the institutions see exactly what the model says, in the product and in the rows of the database, the
 * doctors of these results and no others, and that every file that was ever stored has its row and its bytes.
 */
export async function requireAgreement(world: World, model: Model, seen: Awaited<ReturnType<typeof look>>) {
  const { server, guests } = world
  for (const [place, { institutionIds }] of guests.entries()) {
    const uploads = model.seenUploads(institutionIds)
    const isAsked = ({ institution }: { institution: string }) => institutionIds.includes(institution)
    expect(seen[place]).toEqual({
      uploads,
      patients: model.seenPatients(institutionIds),
      deletionRequests: model.deletionRequests.filter(isAsked).length,
      recalls: [...model.recalls].filter((each) => institutionIds.includes(each.split(' ')[1]!)).length,
      sent: model.seenSent(institutionIds),
      drafts: model.seenDrafts(place, institutionIds),
    })
    const db = server.services.guests.forInstitutions(institutionIds)
    const [rows, files] = [
      await sql<{ id: string }>`select id from upload order by id`.execute(db),
      await sql<{ id: string }>`select id from file order by id`.execute(db),
    ]
    expect(rows.rows.map(({ id }) => id)).toEqual(uploads)
    const doctors = await sql`select institution_id, name from institution_doctor order by 1, 2`.execute(db)
    const named = await sql`select distinct institution_id, referring_doctor as name from upload
      where referring_doctor is not null order by 1, 2`.execute(db)
    expect(doctors.rows).toEqual(named.rows)
    const filesOf = [...model.files].filter(([, { upload }]) => uploads.includes(upload))
    expect(files.rows.map(({ id }) => id)).toEqual(filesOf.map(([id]) => id).sort())
  }
  const rows = await server.db.selectFrom('upload').select(['id', 'patient_id', 'state']).execute()
  expect(new Map(rows.map(({ id, patient_id, state }) => [id, [patient_id, state]]))).toEqual(
    new Map([...model.uploads].map(([id, { patient, state }]) => [id, [patient, state]])),
  )
  const requests = await server.db
    .selectFrom('deletion_request')
    .innerJoin('incident', 'incident.id', 'incident_id')
    .select(['upload_id as upload', 'institution_id as institution'])
    .execute()
  expect(sorted(requests)).toEqual(sorted(model.deletionRequests))
  const recalls = await server.db
    .selectFrom('recall')
    .select(['upload_id as upload', 'institution_id as institution'])
    .execute()
  expect(sorted(recalls)).toEqual([...model.recalls].sort())
  await requireFiles(world, model)
}

const sorted = (requests: readonly { upload: string; institution: string }[]) =>
  requests.map(({ upload, institution }) => `${upload} ${institution}`).sort()

async function requireFiles({ server }: World, model: Model): Promise<void> {
  const files = await server.db.selectFrom('file').select(['id', 'upload_id', 'storage_key']).execute()
  expect(files.map(({ id }) => id).sort()).toEqual([...model.files.keys()].sort())
  for (const { id, upload_id, storage_key } of files) {
    const bytes = await buffer(await server.services.storage.read(storage_key!))
    expect({ upload: upload_id, sha256: createHash('sha256').update(bytes).digest('hex') }).toEqual(
      model.files.get(id),
    )
  }
}
