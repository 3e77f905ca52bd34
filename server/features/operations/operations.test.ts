import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { CRASH, createCrashContext } from '../../../test/sequences/crash-context.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { deleteOldOperations, resumeOperations, runOperation } from './run-operation.ts'

const OPERATION = 'id number state total version counts { outcome reason message count }'
const PLAN = `mutation ($kind: OperationKind!, $selection: OperationSelection!, $parameters: OperationParameters) {
  planOperation(kind: $kind, selection: $selection, parameters: $parameters) { ${OPERATION} } }`
const START = `mutation ($id: ID!, $version: Int!) { startOperation(id: $id, version: $version) { ${OPERATION} } }`
const UNDO = `mutation ($id: ID!, $version: Int!) { undoOperation(id: $id, version: $version) { ${OPERATION} } }`
const CANCEL = `mutation ($id: ID!) { cancelOperation(id: $id) { ${OPERATION} isContinuable } }`
const READ = `query ($id: ID!) { operation(id: $id) { ${OPERATION} target isOwn isContinuable isUndoable
  items(first: 100) { nodes { uploadId number outcome reason message } } } }`
const ACCEPT = `mutation ($id: ID!, $version: Int!) { acceptUpload(id: $id, version: $version, reason: "compared-original",
  comment: "cu originalul") { version state } }`
const EDIT = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) { editUpload(id: $id, version: $version, upload: $upload) { version } }`

type Operation = {
  id: string
  number: number
  state: string
  total: number
  version: number
  counts: { outcome: string; reason: string | null; message: string | null; count: number }[]
  items: {
    nodes: { uploadId: string | null; number: number | null; outcome: string; reason: string | null }[]
  }
}

let server: TestServer
let registrar: TestClient
let reviewer: TestClient
let admin: TestClient
let guest: TestClient
let author: { id: string; email: string }
let reviewing: { id: string }
let institution: { id: string }
let other: { id: string; name: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  author = await makeUser(db, { features: ['patient::files'] })
  registrar = await server.signIn(author.email)
  const user = await makeUser(db, { features: ['admin::review-files', 'patient::files'] })
  reviewing = user
  reviewer = await server.signIn(user.email)
  admin = await server.signIn((await makeUser(db, { role: 'admin' })).email)
  institution = await makeInstitution(db)
  other = await makeInstitution(db)
  guest = await server.signIn(
    (await makeUser(db, { role: 'institution', institutionIds: [institution.id] })).email,
  )
})

let patient: { id: string }
let category: { slug: string }

beforeEach(async () => {
  server.dropJobs()
  patient = await makePatient(server.db)
  category = await makeCategory(server.db)
  for (const institution_id of [institution.id, other.id])
    await makeReferral(server.db, { patient_id: patient.id, institution_id })
})

const make = (over: Parameters<typeof makeUpload>[2] = {}) =>
  makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: institution.id,
    category_slug: category.slug,
    created_by: author.id,
    ...over,
  })
/** Makes an upload that a reviewer has accepted: released, or in a category with another policy accepted. */
async function makeAccepted(over: Parameters<typeof makeUpload>[2] = {}) {
  const upload = await make(over)
  await reviewer.runQuery(ACCEPT, { id: upload.id, version: 1 })
  return upload
}
const byHand = () => makeCategory(server.db, { release: 'by_hand' })

const read = async (id: string, client = reviewer): Promise<Operation> =>
  (await client.runQuery(READ, { id })).operation
async function plan(
  kind: string,
  uploads: readonly { id: string }[],
  parameters: object = {},
  client = reviewer,
): Promise<Operation> {
  const selection = { ids: uploads.map(({ id }) => id) }
  const { planOperation } = await client.runQuery(PLAN, { kind, selection, parameters })
  expect(planOperation.state).toBe('planning')
  await server.runJobs()
  const operation = await read(planOperation.id, client)
  expect(operation.state).toBe('planned')
  return operation
}
async function start({ id, version }: Operation, client = reviewer): Promise<Operation> {
  await client.runQuery(START, { id, version })
  await server.runJobs()
  return read(id, client)
}
async function undo({ id, version }: Operation, client = reviewer): Promise<Operation> {
  await client.runQuery(UNDO, { id, version })
  await server.runJobs()
  return read(id, client)
}
const outcomes = ({ items }: Operation) => items.nodes.map(({ outcome, reason }) => [outcome, reason])
const uploadOf = ({ id }: { id: string }) =>
  server.db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const auditOf = async (action: string, ids: readonly { id: string }[]) =>
  (
    await server.db
      .selectFrom('audit_event')
      .select(['subject_id', 'actor_id', 'changes'])
      .where('action', '=', action)
      .where(
        'subject_id',
        'in',
        ids.map(({ id }) => id),
      )
      .orderBy('id')
      .execute()
  ).map(({ subject_id, actor_id }) => [subject_id, actor_id])
const codeOf = async (client: TestClient, document: string, variables: object) =>
  (await client.graphql(document, variables as Record<string, unknown>)).errors[0]?.extensions.code
const editTitle = async (id: string, title: string) => {
  const { version } = await uploadOf({ id })
  const upload = {
    patientId: patient.id,
    institutionId: institution.id,
    categorySlug: category.slug,
    title,
  }
  await reviewer.runQuery(EDIT, { id, version, upload })
}

describe('an operation for another category', () => {
  it('changes what may be changed, as a single change does, and undoes it', async () => {
    const { slug } = await makeCategory(server.db)
    const [waiting, released, already, withdrawn, stale, touched] = [
      await make(),
      await makeAccepted(),
      await make({ category_slug: slug }),
      await make({ state: 'withdrawn' }),
      await make(),
      await make(),
    ]
    const all = [waiting, released, already, withdrawn, stale, touched, { id: newId() }]
    const planned = await plan('category', all, { categorySlug: slug, reason: 'Reorganizare' })
    expect(planned.total).toBe(7)
    expect(outcomes(planned)).toEqual([
      ['will_change', null],
      ['will_change', null],
      ['will_not', 'unchanged'],
      ['will_not', 'state'],
      ['will_change', null],
      ['will_change', null],
      ['will_not', 'not-found'],
    ])
    expect(planned.counts).toContainEqual({
      outcome: 'will_not',
      reason: 'state',
      message: 'Starea „retrasă” nu permite această operație.',
      count: 1,
    })
    expect((await uploadOf(waiting)).category_slug).toBe(category.slug)

    await editTitle(stale.id, 'Schimbată de altcineva')
    const done = await start(planned)
    expect(done.state).toBe('done')
    expect(outcomes(done)).toEqual([
      ['changed', null],
      ['changed', null],
      ['will_not', 'unchanged'],
      ['will_not', 'state'],
      ['failed', 'changed-meanwhile'],
      ['changed', null],
      ['will_not', 'not-found'],
    ])
    expect(await uploadOf(waiting)).toMatchObject({ category_slug: slug, state: 'in_review' })
    expect(await uploadOf(released)).toMatchObject({ category_slug: slug, state: 'released' })
    expect((await uploadOf(stale)).category_slug).toBe(category.slug)
    expect(await auditOf('upload.assign', [waiting])).toEqual([[waiting.id, reviewing.id]])
    expect(await auditOf('upload.correct', [released])).toEqual([[released.id, reviewing.id]])

    await server.db.updateTable('upload').set({ version: 99 }).where('id', '=', touched.id).execute()
    const undone = await undo(done)
    expect(undone.state).toBe('undone')
    expect(outcomes(undone)).toEqual([
      ['undone', null],
      ['undone', null],
      ['will_not', 'unchanged'],
      ['will_not', 'state'],
      ['failed', 'changed-meanwhile'],
      ['not_undone', 'changed-meanwhile'],
      ['will_not', 'not-found'],
    ])
    expect((await uploadOf(waiting)).category_slug).toBe(category.slug)
    expect(await uploadOf(released)).toMatchObject({ category_slug: category.slug, state: 'released' })
    expect((await uploadOf(touched)).category_slug).toBe(slug)
  })

  it('says before what returns to review, and restores the category there', async () => {
    const { slug } = await byHand()
    const released = await makeAccepted()
    const planned = await plan('category', [released], { categorySlug: slug, reason: 'Reorganizare' })
    expect(outcomes(planned)).toEqual([['will_change', 'returns-to-review']])
    const done = await start(planned)
    expect(outcomes(done)).toEqual([['changed', 'returns-to-review']])
    expect(await uploadOf(released)).toMatchObject({ state: 'in_review', category_slug: slug })
    expect(outcomes(await undo(done))).toEqual([['undone', 'stays-in-review']])
    expect(await uploadOf(released)).toMatchObject({ state: 'in_review', category_slug: category.slug })
  })

  it('corrects nothing without a reason', async () => {
    const { slug } = await makeCategory(server.db)
    const planned = await plan('category', [await makeAccepted()], { categorySlug: slug })
    expect(outcomes(planned)).toEqual([['will_not', 'needs-reason']])
    const { id, version } = planned
    expect(await codeOf(reviewer, START, { id, version })).toBe('CONFLICT')
  })

  it('has the uploads that matched the filter when it was planned', async () => {
    const { slug } = await makeCategory(server.db)
    const uploads = [await make(), await make(), await make({ state: 'rejected' })]
    const filter = { states: ['in_review', 'rejected'], category: category.slug }
    const parameters = { categorySlug: slug }
    const { planOperation } = await reviewer.runQuery(PLAN, {
      kind: 'category',
      selection: { filter },
      parameters,
    })
    const later = await make()
    await server.runJobs()
    await start(await read(planOperation.id))
    for (const upload of uploads) expect((await uploadOf(upload)).category_slug).toBe(slug)
    expect((await uploadOf(later)).category_slug).toBe(category.slug)
  })

  it('takes pasted numbers, and answers unknown and hidden ones alike', async () => {
    const [own, hidden] = [await make(), await make({ patient_id: null, created_by: reviewing.id })]
    const unknown = 1
    const { planOperation } = await registrar.runQuery(PLAN, {
      kind: 'title',
      selection: { numbers: [own.number, own.number, hidden.number, unknown] },
      parameters: { title: 'RM genunchi' },
    })
    await server.runJobs()
    expect((await read(planOperation.id, registrar)).items.nodes).toMatchObject([
      { number: own.number, uploadId: own.id, outcome: 'will_change' },
      { number: hidden.number, uploadId: null, outcome: 'will_not', reason: 'not-found' },
      { number: unknown, uploadId: null, outcome: 'will_not', reason: 'not-found' },
    ])
  })
})

describe('an operation for another title', () => {
  it('changes own uploads alone for a registrar', async () => {
    const [own, foreign] = [await make(), await make({ created_by: reviewing.id })]
    const planned = await plan('title', [own, foreign], { title: ' RM  genunchi ' }, registrar)
    expect(outcomes(planned)).toEqual([
      ['will_change', null],
      ['will_not', 'not-allowed'],
    ])
    const done = await start(planned, registrar)
    expect((await uploadOf(own)).title).toBe('RM genunchi')
    expect((await undo(done, registrar)).state).toBe('undone')
    expect((await uploadOf(own)).title).toBe(own.title)
  })
})

describe('an operation for another institution', () => {
  it('leaves what was released to a person, and what has no referral', async () => {
    const stranger = await makePatient(server.db)
    await makeReferral(server.db, { patient_id: stranger.id, institution_id: institution.id })
    const { slug } = await byHand()
    const [waiting, accepted, released, unreferred] = [
      await make(),
      await makeAccepted({ category_slug: slug }),
      await makeAccepted(),
      await make({ patient_id: stranger.id }),
    ]
    const parameters = { institutionId: other.id, reason: 'Alt contract' }
    const planned = await plan('institution', [waiting, accepted, released, unreferred], parameters)
    expect(outcomes(planned)).toEqual([
      ['will_change', null],
      ['will_change', 'returns-to-review'],
      ['will_not', 'was-released'],
      ['will_not', 'no-referral'],
    ])
    const done = await start(planned)
    expect(await uploadOf(waiting)).toMatchObject({ institution_id: other.id })
    expect(await uploadOf(accepted)).toMatchObject({ institution_id: other.id, state: 'in_review' })
    expect(await uploadOf(released)).toMatchObject({ institution_id: institution.id, state: 'released' })
    expect((await undo(done)).state).toBe('undone')
    expect(await uploadOf(waiting)).toMatchObject({ institution_id: institution.id })
    expect(await server.db.selectFrom('incident').select('id').execute()).toEqual([])
  })
})

describe('an operation that releases', () => {
  it('asks the gate for each upload, when it is planned and when it is released', async () => {
    const { slug } = await byHand()
    const [free, held, later, waiting] = [
      await makeAccepted({ category_slug: slug }),
      await makeAccepted({ category_slug: slug }),
      await makeAccepted({ category_slug: slug }),
      await make({ category_slug: slug }),
    ]
    const disagree = (upload: typeof free) =>
      server.db
        .insertInto('file_fact')
        .values({
          file_id: upload.files[0]!.id,
          kind: 'cnp',
          value: makeCnp({ sex: 'male', birthDate: '1966-06-06', county: 12, serial: 66 }),
          place: JSON.stringify({ in: 'text' }),
          position: 0,
        })
        .execute()
    await disagree(held)
    const planned = await plan('release', [free, held, later, waiting])
    expect(outcomes(planned)).toEqual([
      ['will_change', null],
      ['will_not', 'held'],
      ['will_change', null],
      ['will_not', 'state'],
    ])
    await disagree(later)
    const done = await start(planned)
    expect(outcomes(done)).toEqual([
      ['changed', null],
      ['will_not', 'held'],
      ['failed', 'held'],
      ['will_not', 'state'],
    ])
    expect(
      await Promise.all([free, held, later, waiting].map(async (u) => (await uploadOf(u)).state)),
    ).toEqual(['released', 'accepted', 'accepted', 'in_review'])
    const { id, version } = done
    expect(await codeOf(reviewer, UNDO, { id, version })).toBe('CONFLICT')
  })
})

describe('an operation that returns or withdraws', () => {
  it('returns accepted uploads to review', async () => {
    const { slug } = await byHand()
    const [accepted, waiting] = [await makeAccepted({ category_slug: slug }), await make()]
    const done = await start(await plan('return', [accepted, waiting]))
    expect(outcomes(done)).toEqual([
      ['changed', null],
      ['will_not', 'state'],
    ])
    expect((await uploadOf(accepted)).state).toBe('in_review')
  })

  it('withdraws, a released one only for a reviewer', async () => {
    const [own, released] = [await make(), await makeAccepted()]
    const planned = await plan('withdraw', [own, released], {}, registrar)
    expect(outcomes(planned)).toEqual([
      ['will_change', null],
      ['will_not', 'state'],
    ])
    await start(planned, registrar)
    await start(await plan('withdraw', [released]))
    for (const upload of [own, released]) expect((await uploadOf(upload)).state).toBe('withdrawn')
    expect(await auditOf('upload.withdraw', [own, released])).toEqual([
      [own.id, author.id],
      [released.id, reviewing.id],
    ])
  })
})

describe('an operation', () => {
  const operate = async () =>
    plan('title', [await make(), await make(), await make()], { title: 'CT torace' })
  const step = (id: string) => runOperation(createSystemContext(server.services), { operationId: id }, 0)

  it('is its author’s alone, and an administrator reads and cancels it', async () => {
    const { id, version, number } = await operate()
    expect(await codeOf(registrar, READ, { id })).toBe('NOT_FOUND')
    expect(await codeOf(registrar, START, { id, version })).toBe('NOT_FOUND')
    expect(await codeOf(registrar, CANCEL, { id })).toBe('NOT_FOUND')
    expect(await codeOf(guest, READ, { id })).toBe('FORBIDDEN')
    expect(await codeOf(admin, START, { id, version })).toBe('FORBIDDEN')
    const list = 'query ($all: Boolean) { operations(all: $all) { nodes { number } } }'
    expect((await registrar.runQuery(list)).operations.nodes).not.toContainEqual({ number })
    expect(await codeOf(registrar, list, { all: true })).toBe('FORBIDDEN')
    expect((await admin.runQuery(list, { all: true })).operations.nodes).toContainEqual({ number })
    expect((await admin.runQuery(CANCEL, { id })).cancelOperation.state).toBe('cancelled')
    expect(await codeOf(reviewer, START, { id, version })).toBe('CONFLICT')
  })

  it('that releases is refused to a registrar, and every kind to staff without files', async () => {
    const selection = { ids: [(await make()).id] }
    for (const kind of ['release', 'return'])
      expect(await codeOf(registrar, PLAN, { kind, selection })).toBe('FORBIDDEN')
    const { email } = await makeUser(server.db, { features: [] })
    const staff = await server.signIn(email)
    expect(await codeOf(staff, PLAN, { kind: 'withdraw', selection })).toBe('FORBIDDEN')
  })

  it.each([
    ['without uploads', 'withdraw', { ids: [] }, {}],
    ['with two selections', 'withdraw', { ids: ['x'], numbers: [1] }, {}],
    ['with too many numbers', 'withdraw', { numbers: Array.from({ length: 10_001 }, (_, at) => at) }, {}],
    ['without a category', 'category', { numbers: [1] }, {}],
    ['for an unknown category', 'category', { numbers: [1] }, { categorySlug: 'necunoscuta' }],
    ['with a blank title', 'title', { numbers: [1] }, { title: '  ' }],
  ])('is refused %s', async (_what, kind, selection, parameters) => {
    expect(await codeOf(reviewer, PLAN, { kind, selection, parameters })).toBe('BAD_USER_INPUT')
  })

  it('changes nothing after it was cancelled, and undoes what it had changed', async () => {
    const { id, version } = await operate()
    await reviewer.runQuery(START, { id, version })
    await step(id)
    const { cancelOperation } = await reviewer.runQuery(CANCEL, { id })
    await server.runJobs()
    expect(outcomes(await read(id))).toEqual([
      ['changed', null],
      ['will_change', null],
      ['will_change', null],
    ])
    expect(cancelOperation.counts.map(({ count }: { count: number }) => count)).toEqual([1, 2])
    expect(outcomes(await undo(cancelOperation))).toEqual([
      ['undone', null],
      ['will_change', null],
      ['will_change', null],
    ])
  })

  it('goes on after it was stopped, with the rest, unless it was never started or was undone', async () => {
    const { id, version } = await operate()
    await reviewer.runQuery(START, { id, version })
    await step(id)
    const { cancelOperation } = await reviewer.runQuery(CANCEL, { id })
    await server.runJobs()
    expect(cancelOperation.isContinuable).toBe(true)
    await reviewer.runQuery(START, { id, version: cancelOperation.version })
    await server.runJobs()
    const done = await read(id)
    expect(done).toMatchObject({ state: 'done', isContinuable: false })
    expect(outcomes(done)).toEqual([
      ['changed', null],
      ['changed', null],
      ['changed', null],
    ])
    const planned = await operate()
    const never = (await reviewer.runQuery(CANCEL, { id: planned.id })).cancelOperation
    expect(never.isContinuable).toBe(false)
    expect(await codeOf(reviewer, START, { id: planned.id, version: never.version })).toBe('CONFLICT')
  })

  it('stopped and continued within one slice, goes on as one job and keeps its first start', async () => {
    const { id, version } = await operate()
    await reviewer.runQuery(START, { id, version })
    const startOf = async () =>
      (
        await server.db
          .selectFrom('operation')
          .select('started_at')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).started_at
    const started = await startOf()
    const enqueue = vi.spyOn(server.services.jobs, 'enqueue')
    try {
      const ctx = createSystemContext(server.services)
      let transactions = 0
      const db = new Proxy(ctx.db, {
        get: (target, name) => {
          // The first changes an upload, the second ends the slice.
          if (name === 'transaction' && ++transactions === 2)
            return () => ({
              execute: async (work: (tx: never) => Promise<unknown>) => {
                const { cancelOperation } = await reviewer.runQuery(CANCEL, { id })
                await reviewer.runQuery(START, { id, version: cancelOperation.version })
                return target.transaction().execute(work as never)
              },
            })
          const value = Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      await runOperation({ ...ctx, db }, { operationId: id }, 0)
      expect(transactions).toBe(2)
      expect(enqueue.mock.calls.map(([, name]) => name)).toEqual(['run-operation'])
    } finally {
      enqueue.mockRestore()
    }
    expect(await startOf()).toEqual(started)
    await server.runJobs()
    expect(await read(id)).toMatchObject({ state: 'done' })
  })

  it('changes each upload once, wherever the server ends, and is resumed at its start', async () => {
    const { id, version } = await operate()
    await reviewer.runQuery(START, { id, version })
    server.dropJobs()
    const system = { kind: 'system', name: 'Dosar' } as const
    let crashAt = 3
    for (; crashAt < 200; crashAt += 7) {
      const ctx = createCrashContext(server, system, crashAt)
      const ended = await runOperation(ctx, { operationId: id }, 60_000).catch((error: unknown) => error)
      if (ended === undefined) break
      expect(ended).toBe(CRASH)
    }
    expect(crashAt).toBeGreaterThan(30)
    const uploads = (await read(id)).items.nodes.map(({ uploadId }) => ({ id: uploadId! }))
    for (const upload of uploads) expect((await uploadOf(upload)).version).toBe(2)
    expect(await auditOf('upload.assign', uploads)).toHaveLength(3)

    const next = await operate()
    await reviewer.runQuery(START, { id: next.id, version: next.version })
    await step(next.id)
    server.dropJobs()
    await resumeOperations(createSystemContext(server.services))
    await server.runJobs()
    expect(await read(next.id)).toMatchObject({ state: 'done' })
  })

  it('ends when its author has lost the right', async () => {
    const user = await makeUser(server.db, { features: ['patient::files', 'admin::review-files'] })
    const client = await server.signIn(user.email)
    const planned = await plan('title', [await make()], { title: 'CT torace' }, client)
    await client.runQuery(START, { id: planned.id, version: planned.version })
    await server.db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', user.id).execute()
    await server.runJobs()
    const { state, items } = await read(planned.id, admin)
    expect([state, items.nodes[0]!.outcome]).toEqual(['cancelled', 'will_change'])
  })

  it('writes its exceptions as a CSV file for its author', async () => {
    const withdrawn = await make({ state: 'withdrawn' })
    const { id, number } = await plan('title', [withdrawn, await make()], { title: 'CT torace' })
    await server.db
      .updateTable('operation_item')
      .set({ message: '=HYPERLINK("x")' })
      .where('operation_id', '=', id)
      .execute()
    const path = `/api/operations/${id}/exceptions.csv`
    const download = async (client: TestClient) =>
      client.get(path, { authorization: await client.authorization('export') })
    const response = await download(reviewer)
    expect(response.headers.get('content-disposition')).toContain(`exceptii-${number}.csv`)
    expect(await response.text()).toBe(
      `"Încărcarea";"Rezultat";"De ce"\r\n"${withdrawn.number}";"Nu se modifică";"'=HYPERLINK(""x"")"\r\n`,
    )
    expect((await download(registrar)).status).toBe(404)
    expect((await server.app.request(path)).status).toBe(401)
  })

  it('is deleted after thirty days, unless it is at work', async () => {
    const [old, busy] = [await operate(), await operate()]
    await reviewer.runQuery(START, { id: busy.id, version: busy.version })
    server.dropJobs()
    await server.db
      .updateTable('operation')
      .set({ created_at: new Date(Date.now() - 31 * 24 * 3_600_000) })
      .where('id', 'in', [old.id, busy.id])
      .execute()
    await deleteOldOperations(createSystemContext(server.services))
    expect(await codeOf(reviewer, READ, { id: old.id })).toBe('NOT_FOUND')
    expect((await read(busy.id)).state).toBe('running')
  })
})

describe('a download', () => {
  const file = (name: string, bytes: Buffer = Buffer.from('%PDF-1.7')) => ({ name, bytes })
  const makeReleased = (files: ReturnType<typeof file>[]) => make({ state: 'released', files })
  const download = (id: string, client = reviewer, suffix = '') =>
    client.get(`/files/operations/${id}${suffix}`)
  const namesIn = async (response: Response): Promise<string[]> => {
    const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()))
    const names: string[] = []
    for await (const entry of zip.eachEntry()) names.push(entry.fileName)
    return names
  }

  it('is one archive of the released files, recorded for each upload, with the others as exceptions', async () => {
    const [first, second] = [
      await makeReleased([file('a.pdf'), file('A.pdf')]),
      await makeReleased([file('a.pdf')]),
    ]
    const [waiting, empty, stale] = [
      await make(),
      await makeReleased([]),
      await makeReleased([file('b.pdf')]),
    ]
    const planned = await plan('download', [first, waiting, second, empty, stale])
    expect(outcomes(planned)).toEqual([
      ['will_change', null],
      ['will_not', 'not-released'],
      ['will_change', null],
      ['will_not', 'no-files'],
      ['will_change', null],
    ])
    expect(await codeOf(reviewer, START, planned)).toBe('CONFLICT')
    await server.db.updateTable('upload').set({ version: 2 }).where('id', '=', stale.id).execute()
    expect((await download(planned.id, reviewer, '/check')).status).toBe(204)
    const response = await download(planned.id)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(await namesIn(response)).toEqual([
      `${first.number}/a.pdf`,
      `${first.number}/A (2).pdf`,
      `${second.number}/a.pdf`,
    ])
    expect(await auditOf('upload.download', [first, waiting, second, stale])).toEqual([
      [first.id, reviewing.id],
      [second.id, reviewing.id],
    ])
    const after = await read(planned.id)
    expect(after.state).toBe('done')
    expect(outcomes(after)).toEqual([
      ['changed', null],
      ['will_not', 'not-released'],
      ['changed', null],
      ['will_not', 'no-files'],
      ['failed', 'changed-meanwhile'],
    ])
    expect(await uploadOf(first)).toMatchObject({ state: 'released', version: 1 })
    // Again, with its own entries.
    expect(await namesIn(await download(planned.id))).toHaveLength(3)
    expect(await auditOf('upload.download', [first])).toHaveLength(2)
  })

  it('is only for its author, for a download, and of at most two gigabytes and 500 uploads', async () => {
    const released = await makeReleased([file('a.pdf')])
    const planned = await plan('download', [released])
    expect((await download(planned.id, registrar)).status).toBe(404)
    expect((await download(planned.id, guest)).status).toBe(404)
    expect((await download(planned.id, admin)).status).toBe(403)
    const { id } = await plan('title', [released], { title: 'T', reason: 'R' })
    expect((await download(id)).status).toBe(409)
    await server.db
      .updateTable('file')
      .set({ size: 2 * 1024 ** 3 + 1 })
      .where('upload_id', '=', released.id)
      .execute()
    expect((await download(planned.id)).status).toBe(409)
    const ids = Array.from({ length: 501 }, () => newId())
    expect(await codeOf(reviewer, PLAN, { kind: 'download', selection: { ids } })).toBe('BAD_USER_INPUT')
    expect(await auditOf('upload.download', [released])).toEqual([])
  })

  it('breaks off when an upload that is being sent may no longer be read, and opens no further one', async () => {
    const large = await makeReleased([file('mare.pdf', randomBytes(8_000_000))])
    const next = await makeReleased([file('a.pdf')])
    const planned = await plan('download', [large, next])
    const reader = (await download(planned.id)).body!.getReader()
    await reader.read()
    await server.db.updateTable('upload').set({ deleted_at: new Date() }).where('id', '=', large.id).execute()
    await publish(server.db, {
      kind: 'upload',
      id: large.id,
      patientId: patient.id,
      institutionId: institution.id,
    })
    await expect(reader.closed).rejects.toThrow('not found')
    expect(await auditOf('upload.download', [large, next])).toEqual([[large.id, reviewing.id]])
    expect(outcomes(await read(planned.id))).toEqual([
      ['will_change', null],
      ['will_change', null],
    ])
  })
})
