import {
  makeCategory,
  makeEmptyUpload,
  makeFile,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../db/factories.ts'
import { createSystemContext } from '../../server/context.ts'
import { insertSession } from '../../server/features/accounts/accounts.db.ts'
import { findActorByToken } from '../../server/features/accounts/sessions/find-actor.ts'
import { ensureOwnApiKey } from '../../server/features/site/own-api-key.ts'
import { replaceFacts } from '../../server/features/uploads/inspection/facts.db.ts'
import { SESSION_COOKIE } from '../../server/http/auth/authenticate.ts'
import { signIdToken } from '../../server/http/auth/id-token.ts'
import { hashToken, newToken } from '../../server/platform/crypto/keys.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Feature } from '../../shared/access/features.ts'
import type { TokenAudience } from '../../shared/token-audiences.ts'
import type { UploadState } from '../../shared/uploads/upload-state-list.ts'
import type { TestServer } from '../test-server.ts'
import { tusRequests } from '../tus.ts'
import { type Column, type Kind, SHARE_TOKEN } from './rows.ts'

/** One way to send a request: a column of the matrix has one or several. */
export type Principal = {
  name: string
  column: Column
  /** Null for a request that names no account. */
  userId: string | null
  /** The headers of a request, with the token for its audience. */
  headers: Readonly<Record<TokenAudience, Record<string, string>>>
  cookie: string | null
  /** The ids of each name, as seen by this principal: of its own things and of all others. */
  things: Record<Kind, Map<string, string[]>>
}

export const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'
/** An id of a transfer, which has another format. */
export const UNKNOWN_TRANSFER = '0'.repeat(32)
/** A name that all patients of the world have. */
export const COMMON_NAME = 'Matricea'
/** The surname of the patient whom both institutions referred. */
export const NAME_OF_BOTH = 'Amândurora'

/** The states of the uploads by their names. */
export const STATES: Readonly<Record<string, UploadState>> = {
  'rel.A': 'released',
  'rel.B': 'released',
  'ab.A': 'released',
  'ab.B': 'released',
  'noref.A': 'released',
  wait: 'in_review',
  'own.wait': 'in_review',
  acc: 'accepted',
  decided: 'rejected',
  bin: 'released',
  draft: 'receiving',
  'own.draft': 'receiving',
}

const HOUR_MS = 3_600_000
const BOTH: Feature[] = ['patient::files', 'admin::review-files']

type Owned = { own: Map<string, Record<string, string>> }

/** Fills the database with everything that the matrix names, and signs all principals in. */
export async function buildWorld(server: TestServer): Promise<Principal[]> {
  const { db, services } = server
  const [a, b, suspended] = [
    await makeInstitution(db, {
      name: `Clinica A ${COMMON_NAME}`,
      short_name: 'A',
      may_upload: true,
      ...PROFILE,
      cui: '18547290',
    }),
    await makeInstitution(db, { name: `Clinica B ${COMMON_NAME}`, short_name: 'B' }),
    await makeInstitution(db, { name: 'Clinica suspendată', suspended_at: new Date() }),
  ]
  await db
    .insertInto('department')
    .values({ id: newId(), institution_id: a.id, name: 'Interne', name_key: 'interne' })
    .execute()
  const colleague = await makeUser(db)
  const patient = async (surname: string, ...referredBy: { id: string }[]) => {
    // With the same phone; the one whom no institution referred may be the same person as each of the others.
    const unknown = referredBy.length === 0 ? { cnp: null, birth_date: null } : {}
    const made = await makePatient(db, { surname, given_names: COMMON_NAME, ...CONTACT, ...unknown })
    for (const { id } of referredBy)
      await makeReferral(db, {
        patient_id: made.id,
        institution_id: id,
        created_by: colleague.id,
        ...REFERRAL,
      })
    return made.id
  }
  const pA = await patient('Primei', a)
  const pB = await patient('Secundei', b)
  const pAB = await patient(NAME_OF_BOTH, a, b)
  const p0 = await patient('Niciuneia')
  await makeReferral(db, {
    patient_id: pA,
    institution_id: a.id,
    created_by: colleague.id,
    ended_at: new Date(0),
    ...REFERRAL,
    number: 'BT 100002',
  })
  const merged = await makePatient(db, { merged_into: pA })
  await db
    .insertInto('patient_merge')
    .values({
      id: newId(),
      survivor_id: pA,
      merged_id: merged.id,
      upload_ids: [],
      referral_ids: [],
      changes: '{}',
      merged_by: colleague.id,
      merged_at: new Date(),
    })
    .execute()

  const user = async (over: Parameters<typeof makeUser>[1]) => {
    const made = await makeUser(db, over)
    return { id: made.id, email: made.email }
  }
  const people = {
    colleague,
    none: await user({ role: 'institution' }),
    A: await user({
      role: 'institution',
      institutionIds: [a.id],
      name: 'Utilizator A',
      last_sign_in_at: new Date(),
    }),
    B: await user({ role: 'institution', institutionIds: [b.id] }),
    AB: await user({ role: 'institution', institutionIds: [a.id, b.id] }),
    moved: await user({ role: 'institution', institutionIds: [a.id] }),
    staff: await user({ features: [] }),
    registrar: await user({}),
    demoted: await user({ features: BOTH }),
    reviewer: await user({ features: BOTH }),
    admin: await user({ role: 'admin' }),
    suspended: await user({ role: 'admin' }),
    suspendedInstitution: await user({ role: 'institution', institutionIds: [suspended.id] }),
    ended: await user({ role: 'admin' }),
    expired: await user({ role: 'admin' }),
  }

  const { slug } = await makeCategory(db, {
    slug: 'matrice',
    reviewers: 2,
    release: 'after_hours',
    release_hours: 4,
  })
  const other = await makePatient(db)
  const file = (text: string) => ({ bytes: Buffer.from(text), content_text: `CNP ${other.cnp}`, ...FILE })
  const upload = async (over: Parameters<typeof makeUpload>[2]) =>
    makeUpload(db, services.storage, {
      created_by: colleague.id,
      category_slug: slug,
      ...DETAILS,
      files: [file(newId())],
      ...over,
    })
  const released = (patient_id: string, { id }: { id: string }) =>
    upload({ state: 'released', patient_id, institution_id: id, release_at: new Date() })
  const made = {
    'rel.A': await released(pA, a),
    'rel.B': await released(pB, b),
    'ab.A': await released(pAB, a),
    'ab.B': await released(pAB, b),
    'noref.A': await released(p0, a),
    wait: await upload({ patient_id: pA, institution_id: a.id }),
    acc: await upload({ state: 'accepted', patient_id: pA, institution_id: a.id }),
    decided: await upload({ state: 'rejected', patient_id: pA, institution_id: a.id }),
    bin: await upload({ state: 'released', patient_id: pA, institution_id: a.id, deleted_at: new Date() }),
  }
  const draft = await makeEmptyUpload(db, { created_by: colleague.id, title: 'Ciornă' })
  // A version before the released upload, and one after it.
  for (const [id, replaces_id] of [
    [made['rel.A'].id, made.decided.id],
    [made.acc.id, made['rel.A'].id],
  ] as const)
    await db.updateTable('upload').set({ replaces_id }).where('id', '=', id).execute()
  const review = (upload_id: string, round: number, over: object) =>
    db
      .insertInto('review')
      .values({
        id: newId(),
        upload_id,
        round,
        verdict: 'accepted',
        checks: '[]',
        reviewer_id: colleague.id,
        ...over,
      })
      .execute()
  const rejection = { verdict: 'rejected', reason_code: 'incomplete', comment: 'Lipsește o pagină.' }
  await review(made['rel.A'].id, 1, rejection)
  await review(made['rel.A'].id, 2, { first_of_version: made['rel.A'].version })
  await review(made.decided.id, 1, { ...rejection, reviewer_id: people.reviewer.id })
  await review(made.decided.id, 2, { ...rejection, reviewer_id: people.admin.id })
  const stating = made['rel.A'].files[0]!.id
  await db.updateTable('file').set({ facts: '{"unreadable": "locked"}' }).where('id', '=', stating).execute()
  const instance = { kind: 'instance', value: '1.2.3', place: { in: 'tag' } } as const
  await replaceFacts(db, stating, [
    { kind: 'cnp', value: other.cnp!, place: { in: 'text', page: 1 } },
    instance,
  ])
  await replaceFacts(db, made.decided.files[0]!.id, [instance])
  const removed = await makeFile(db, services.storage, {
    ...file('eliminat'),
    upload_id: made['rel.A'].id,
    removed_at: new Date(),
    removed_by: people.admin.id,
    removed_reason: 'Greșit',
  })
  await db
    .insertInto('incident')
    .values({
      id: newId(),
      upload_id: made['rel.A'].id,
      former_patient_id: p0,
      patient_id: pA,
      file_count: 1,
      released_at: new Date(),
      moved_at: new Date(),
      moved_by: colleague.id,
      reason: 'Alt pacient',
      discovered_at: new Date(),
      openings: '[]',
    })
    .execute()
  await db
    .insertInto('recall')
    .values({
      id: newId(),
      upload_id: made['rel.A'].id,
      institution_id: b.id,
      kind: 'withdrawn',
      recalled_at: new Date(),
      patient_id: pA,
      upload_number: made['rel.A'].number,
      title: 'Ecografie',
      released_at: new Date(),
      openings: '[]',
    })
    .execute()
  await db
    .insertInto('upload_opening')
    .values({ upload_id: made['rel.A'].id, user_id: people.A.id, opened_at: new Date() })
    .execute()

  const owned: Owned = { own: new Map() }
  for (const name of ['registrar', 'demoted', 'reviewer', 'admin'] as const) {
    const created_by = people[name].id
    const own = await makeEmptyUpload(db, { created_by, title: 'Ciornă' })
    const waiting = await upload({ created_by, patient_id: pA, institution_id: a.id })
    owned.own.set(created_by, { draft: own.id, wait: waiting.id, file: waiting.files[0]!.id })
  }

  const session = async (user_id: string, lifetime = HOUR_MS) => {
    const token = newToken()
    const id = newId()
    const expires_at = new Date(Date.now() + lifetime)
    await insertSession(db, {
      id,
      token_hash: hashToken(token),
      user_id,
      expires_at,
      ip: '127.0.0.1',
      user_agent: 'matrice',
    })
    return { id, token }
  }
  const signIn = async ({ id }: { id: string }, at = new Date()) => {
    const { token } = await session(id)
    const { actor, expiresAt } = (await findActorByToken(db, token, new Date()))!
    const bearer = async (audience: TokenAudience) => {
      const { privateKey } = services.signingKeys
      const { idToken } = await signIdToken(actor, audience, expiresAt, privateKey, at)
      return { authorization: `Bearer ${idToken}` }
    }
    return {
      headers: {
        graphql: await bearer('graphql'),
        files: await bearer('files'),
        realtime: await bearer('realtime'),
        export: await bearer('export'),
      },
      cookie: `${SESSION_COOKIE}=${token}`,
      sessionId: actor.sessionId,
    }
  }
  const sessions: { userId: string; ids: string[] }[] = []
  const principals: Principal[] = []
  const add = (
    name: string,
    column: Column,
    userId: string | null,
    headers: Principal['headers'] = forAll({}),
    cookie: string | null = null,
  ) => principals.push({ name, column, userId, headers, cookie, things: {} as Principal['things'] })

  add('no credentials', 'anonymous', null)
  const badToken = forAll({ authorization: 'Bearer a.b.c' })
  add('a bad token', 'anonymous', null, badToken, `${SESSION_COOKIE}=${newToken()}`)
  const expired = await signIn(people.expired, new Date(Date.now() - 24 * HOUR_MS))
  await db
    .updateTable('session')
    .set({ expires_at: new Date(0) })
    .where('id', '=', expired.sessionId)
    .execute()
  add('an expired session', 'anonymous', null, expired.headers, expired.cookie)
  const ended = await signIn(people.ended)
  await db.updateTable('session').set({ revoked_at: new Date() }).where('id', '=', ended.sessionId).execute()
  add('an ended session', 'anonymous', null, ended.headers, ended.cookie)
  const ofSuspendedUser = await signIn(people.suspended)
  await db
    .updateTable('app_user')
    .set({ status: 'suspended' })
    .where('id', '=', people.suspended.id)
    .execute()
  add('a suspended user', 'anonymous', null, ofSuspendedUser.headers, ofSuspendedUser.cookie)
  await db.updateTable('institution').set({ suspended_at: null }).where('id', '=', suspended.id).execute()
  const ofSuspended = await signIn(people.suspendedInstitution)
  await db
    .updateTable('institution')
    .set({ suspended_at: new Date() })
    .where('id', '=', suspended.id)
    .execute()
  add('a user of a suspended institution', 'anonymous', null, ofSuspended.headers, ofSuspended.cookie)

  // The key of every page opens the documents of the build alone, which are none of these (api-key-limits.test.ts).
  await ensureOwnApiKey(createSystemContext(services), services.config.secret)
  // Used in turn, since the matrix sends more requests than one key may.
  const keys = Array.from({ length: 12 }, () => `dk_${newToken()}`)
  await db
    .insertInto('api_key')
    .values(
      keys.map((key) => ({
        id: newId(),
        name: 'Program',
        key_hash: hashToken(key),
        hint: key.slice(-4),
        created_by: people.admin.id,
      })),
    )
    .execute()
  let sent = 0
  const keyHeaders = {
    get 'x-api-key'() {
      sent += 1
      return keys[sent % keys.length]!
    },
  }
  add('an issued key', 'key', null, forAll(keyHeaders))
  const share = await makeShare(db, { upload: made['rel.A'], maker: people.admin })
  add('a recipient', 'recipient', null, forAll(keyHeaders), share.cookie)

  const enter = async (name: string, column: Column, person: { id: string }) => {
    const { headers, cookie, sessionId } = await signIn(person)
    sessions.push({ userId: person.id, ids: [sessionId, (await session(person.id)).id] })
    add(name, column, person.id, headers, cookie)
  }
  await enter('a user of no institution', 'none', people.none)
  await enter('a user of A', 'A', people.A)
  await enter('a user of B', 'B', people.B)
  await enter('a user moved from A to B', 'B', people.moved)
  await db
    .updateTable('user_institution')
    .set({ institution_id: b.id })
    .where('user_id', '=', people.moved.id)
    .execute()
  await enter('a user of A and B', 'A+B', people.AB)
  await enter('staff without features', 'staff', people.staff)
  await enter('a registrar', 'registrar', people.registrar)
  await enter('a demoted reviewer', 'registrar', people.demoted)
  await db
    .updateTable('app_user')
    .set({ features: ['patient::files'] })
    .where('id', '=', people.demoted.id)
    .execute()
  await enter('a reviewer', 'reviewer', people.reviewer)
  await enter('an administrator', 'admin', people.admin)

  for (const principal of principals) {
    const { userId } = principal
    const split = (kind: 'draft' | 'wait' | 'file') => {
      const all = [...owned.own]
      return {
        own: all.filter(([id]) => id === userId).map(([, ids]) => ids[kind]!),
        others: all.filter(([id]) => id !== userId).map(([, ids]) => ids[kind]!),
      }
    }
    const [drafts, waiting, files] = [split('draft'), split('wait'), split('file')]
    const mine = (id: string) => id === userId
    principal.things = {
      patient: named({ pA: [pA], pB: [pB], pAB: [pAB], p0: [p0] }),
      institution: named({ A: [a.id], B: [b.id] }),
      upload: named({
        ...mapValues(made, ({ id }) => [id]),
        wait: [made.wait.id, ...waiting.others],
        draft: [draft.id, ...drafts.others],
        'own.draft': drafts.own,
        'own.wait': waiting.own,
      }),
      file: named({
        ...mapValues(made, ({ files: [first] }) => [first!.id]),
        wait: [made.wait.files[0]!.id, ...files.others],
        'own.wait': files.own,
      }),
      removedFile: named({ 'rel.A': [removed.id] }),
      user: named({
        own: userId ? [userId] : [],
        others: Object.values(people)
          .map(({ id }) => id)
          .filter((id) => !mine(id)),
      }),
      session: named({
        own: sessions.filter((each) => mine(each.userId)).flatMap(({ ids }) => ids),
        others: sessions.filter((each) => !mine(each.userId)).flatMap(({ ids }) => ids),
      }),
      transfer: new Map(),
    }
  }
  await beginTransfers(server, principals)
  // Everyone has an entry in the audit log.
  const entries = Object.values(people).map(({ id, email }) => ({
    actor_id: id,
    actor_name: email,
    origin: 'web',
    action: 'patient.list',
    request_id: newId(),
    outcome: 'ok' as const,
  }))
  await db.insertInto('audit_event').values(entries).execute()
  return principals
}

/** Makes a share of one upload that was proved in a browser, and returns the cookie of that browser. */
async function makeShare(
  db: Db,
  { upload, maker }: { upload: { id: string; patient_id: string | null }; maker: { id: string } },
): Promise<{ cookie: string }> {
  const [id, token, now] = [newId(), newToken(), new Date()]
  const expires_at = new Date(now.getTime() + HOUR_MS)
  await db
    .insertInto('share')
    .values({
      id,
      patient_id: upload.patient_id!,
      created_by: maker.id,
      created_at: now,
      recipient_kind: 'doctor',
      recipient_name: 'Dr. Vlad Hățieganu',
      channel: 'link',
      proof: 'birth_date',
      token_hash: hashToken(SHARE_TOKEN),
      expires_at,
      reason: 'Consult',
    })
    .execute()
  await db.insertInto('share_upload').values({ share_id: id, upload_id: upload.id, added_at: now }).execute()
  await db
    .insertInto('share_session')
    .values({ id: newId(), share_id: id, token_hash: hashToken(token), created_at: now, expires_at })
    .execute()
  return { cookie: `__Host-dosar.share.${id}=${token}` }
}

/** Begins a transfer to the own draft of each user who has one, and gives all principals their ids. */
async function beginTransfers(server: TestServer, principals: readonly Principal[]): Promise<void> {
  const begun: { userId: string; id: string }[] = []
  for (const principal of principals) {
    const [draftId] = principal.things.upload.get('own.draft') ?? []
    if (draftId)
      begun.push({ userId: principal.userId!, id: await beginTransfer(server, principal, draftId) })
  }
  for (const principal of principals) {
    const ids = (isOwn: boolean) =>
      begun.filter(({ userId }) => (userId === principal.userId) === isOwn).map(({ id }) => id)
    principal.things.transfer = named({ own: ids(true), others: ids(false) })
  }
}

/** Begins a transfer of a few bytes as the principal; returns its id. */
export async function beginTransfer(
  { app }: TestServer,
  { headers }: Principal,
  uploadId: string,
): Promise<string> {
  const send = async (path: string, init: RequestInit = {}) =>
    app.request(path, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers.files } })
  const address = await tusRequests(send).begin(uploadId, Buffer.from('%PDF-1.7 matrice'))
  return address.slice(address.lastIndexOf('/') + 1)
}

/** Returns the same headers for every audience. */
const forAll = (headers: Record<string, string>): Principal['headers'] => ({
  graphql: headers,
  files: headers,
  realtime: headers,
  export: headers,
})

/** Leaves out names without a thing, such as the own uploads of a user of an institution. */
const named = (ids: Record<string, string[]>): Map<string, string[]> =>
  new Map(Object.entries(ids).filter(([, found]) => found.length > 0))

const mapValues = <T, R>(of: Record<string, T>, to: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value)]))

/** Every detail has a value, so that a field that is empty for a reader is hidden from that reader. */
const CONTACT = {
  previous_surname: 'Fosta',
  phone: '+40264555010',
  email: 'pacient@exemplu.test',
  county: 'Cluj',
  locality: 'Dej',
  address: 'Str. Exemplului 7',
  preferred_channel: 'phone' as const,
  notes: 'Note pentru colegi',
}
const REFERRAL = { referred_on: '2026-01-15', number: 'BT 100001' }
const PROFILE = {
  trade_register: 'J12/100/2020',
  address: 'Str. Exemplului 7',
  phone: '+40264555010',
  email: 'clinica@exemplu.test',
  contacts: 'Recepție',
  accent: 'lime' as const,
  logo: '/site-images/sigla',
}
const FILE = { page_count: 1, facts: { pages: 1 }, thumbnail: Buffer.from('webp') }
const DETAILS = {
  examined_on: '2026-01-15',
  accession_number: 'ACC-1',
  referring_doctor: 'Dr. Vlad Hățieganu',
  note: 'între noi',
}
