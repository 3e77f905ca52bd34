import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FileToMake,
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import { makeCnp, maskCnp } from '../../../shared/romania/cnp.ts'
import { UPLOAD_STATES } from '../../../shared/uploads/upload-state-list.ts'
import { canMove } from '../../../shared/uploads/upload-states.ts'
import { readShownHolds, SUBMIT_UPLOAD, WITHDRAW_UPLOAD } from '../../../test/documents.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { newId } from '../../platform/ids.ts'
import { lockUpload } from '../uploads/uploads.db.ts'

const READ = `query ($id: ID!) { upload(id: $id) {
  id state version note openedAt patient { id name cnpMasked } files { id name } reviews { verdict reasonCode comment }
  nextInReview can { decide edit withdraw submit addFiles } } }`
const QUEUE = `query ($states: [UploadState!], $search: String, $mine: Boolean, $category: String, $first: Int, $after: String) {
  uploads(states: $states, search: $search, mine: $mine, category: $category, first: $first, after: $after) {
    nodes { id state } endCursor } }`
const ACCEPT =
  'mutation ($id: ID!, $version: Int!) { acceptUpload(id: $id, version: $version, reason: "compared-original", comment: "cu originalul") { id state version } }'
const REJECT = `mutation ($id: ID!, $version: Int!, $reason: String!, $comment: String) {
  rejectUpload(id: $id, version: $version, reason: $reason, comment: $comment) { id state } }`
const EDIT = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
  editUpload(id: $id, version: $version, upload: $upload) { id state version patient { id } } }`
const INBOX = '{ inbox { nodes { id openedAt note } } }'

let server: TestServer
let registrar: TestClient
let registrarId: string
let reviewer: TestClient
let own: { id: string }
let ownUser: TestClient
let otherUser: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const author = await makeUser(db, { features: ['patient::files'] })
  registrarId = author.id
  registrar = await server.signIn(author.email)
  reviewer = await server.signIn(
    (await makeUser(db, { features: ['admin::review-files', 'patient::files'] })).email,
  )
  own = await makeInstitution(db)
  const other = await makeInstitution(db)
  ownUser = await server.signIn((await makeUser(db, { role: 'institution', institutionIds: [own.id] })).email)
  otherUser = await server.signIn(
    (await makeUser(db, { role: 'institution', institutionIds: [other.id] })).email,
  )
})

/** Creates an upload in review by the registrar, for a patient referred by the own institution. */
async function fileUpload(over: Parameters<typeof makeUpload>[2] = {}) {
  const patient = await makePatient(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: own.id })
  return makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: own.id,
    created_by: registrarId,
    note: 'între noi',
    ...over,
  })
}

const stateOf = async (id: string) =>
  (await server.db.selectFrom('upload').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

describe('the queue', () => {
  it('is only for staff with the review feature [6.3][6.4]', async () => {
    const { data, errors } = await registrar.graphql(QUEUE)
    expect(data).toBeNull()
    expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
  })

  it('lists the longest waiting first, page by page, each once', async () => {
    const early = await fileUpload({ state_since: new Date('2026-01-01T08:00:00Z') })
    const later = await fileUpload({ state_since: new Date('2026-01-02T08:00:00Z') })
    const seen: string[] = []
    let after: string | null = null
    do {
      const { data } = await reviewer.graphql(QUEUE, { first: 1, after })
      seen.push(...data.uploads.nodes.map(({ id }: { id: string }) => id))
      after = data.uploads.endCursor
    } while (after)
    expect(seen.slice(0, 2)).toEqual([early.id, later.id])
    expect(new Set(seen).size).toBe(seen.length)
  })

  it.each([
    { states: ['rejected'] },
    { states: ['quarantined'] },
    { states: ['released'] },
    { states: ['rejected', 'quarantined', 'unassigned'] },
  ])('lists the newest of $states first, page by page, each once', async ({ states }) => {
    const own = await makeCategory(server.db, { slug: `ordine-${newId().slice(-6)}` })
    const made: string[] = []
    for (const [day, state] of [...states, ...states, ...states].entries()) {
      const state_since = new Date(Date.UTC(2026, 0, day + 1))
      made.push((await fileUpload({ state: state as 'rejected', state_since, category_slug: own.slug })).id)
    }
    const seen: string[] = []
    let after: string | null = null
    do {
      const { data } = await reviewer.graphql(QUEUE, { states, category: own.slug, first: 2, after })
      seen.push(...data.uploads.nodes.map(({ id }: { id: string }) => id))
      after = data.uploads.endCursor
    } while (after)
    expect(seen).toEqual(made.reverse())
  })

  it.each(['unassigned', 'accepted'] as const)('lists the oldest in %s first', async (state) => {
    const own = await makeCategory(server.db, { slug: `ordine-${newId().slice(-6)}` })
    const made: string[] = []
    for (const day of [1, 2, 3]) {
      const state_since = new Date(Date.UTC(2026, 0, day))
      const patient = state === 'unassigned' ? { patient_id: null } : {}
      made.push((await fileUpload({ ...patient, state, state_since, category_slug: own.slug })).id)
    }
    const { data } = await reviewer.graphql(QUEUE, { states: [state], category: own.slug })
    expect(data.uploads.nodes.map(({ id }: { id: string }) => id)).toEqual(made)
  })

  it('leads from each upload to the one after it, and from the last to the first', async () => {
    for (let count = 0; count < 3; count += 1) await fileUpload()
    const { data } = await reviewer.graphql(QUEUE, { first: 100 })
    const queue: string[] = data.uploads.nodes.map(({ id }: { id: string }) => id)
    expect(queue.length).toBeGreaterThanOrEqual(3)
    for (const [index, id] of queue.entries()) {
      const { data: read } = await reviewer.graphql(READ, { id })
      expect(read.upload.nextInReview).toBe(queue[(index + 1) % queue.length])
    }
  })

  it('is filtered by state, by the patient’s name and by a category with its subcategories', async () => {
    const { slug } = await makeCategory(server.db, { slug: `imagistica-${newId().slice(-6)}` })
    const below = await makeCategory(server.db, { slug: `${slug}::ecografie` })
    const patient = await makePatient(server.db, { surname: 'Căutatu', given_names: 'Vasile' })
    const upload = await fileUpload({ patient_id: patient.id, category_slug: below.slug, state: 'rejected' })
    const ids = async (args: object) =>
      (await reviewer.graphql(QUEUE, args as Record<string, unknown>)).data.uploads.nodes.map(
        ({ id }: { id: string }) => id,
      )
    expect(await ids({ states: ['rejected'], category: slug })).toEqual([upload.id])
    expect(await ids({ states: ['rejected'], search: 'cautatu' })).toEqual([upload.id])
    expect(await ids({ category: slug })).toEqual([])
  })

  it('finds digits next to a name also in the name, as of newborn twins without given names', async () => {
    const [first, second] = [
      await makePatient(server.db, { surname: 'Gemelaru', given_names: 'Nou-născut 1' }),
      await makePatient(server.db, { surname: 'Gemelaru', given_names: 'Nou-născut 2' }),
    ]
    const rejected = { state: 'rejected', states: ['rejected'] } as const
    // No number begins with the digits of the search.
    const one = await fileUpload({ patient_id: first.id, state: rejected.state, number: 711_111 })
    const two = await fileUpload({ patient_id: second.id, state: rejected.state, number: 722_222 })
    const found = async (search: string) => {
      const { data } = await reviewer.graphql(QUEUE, { states: rejected.states, search })
      return data.uploads.nodes.map(({ id }: { id: string }) => id)
    }
    expect(await found('gemelaru nou 2')).toEqual([two.id])
    expect((await found('gemelaru')).sort()).toEqual([one.id, two.id].sort())
    expect(await found(`gemelaru ${one.number}`)).toEqual([one.id])
    expect(await found('gemelaru 3')).toEqual([])
  })

  it.each([{ states: ['x'] }, { first: 0 }, { after: 'x' }])('rejects %j', async (args) => {
    expect((await reviewer.graphql(QUEUE, args)).errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
  })
})

describe('accepting an upload', () => {
  it('releases it: its institution sees it, another does not [6.4]', async () => {
    const { id } = await fileUpload()
    expect((await ownUser.graphql(READ, { id })).errors[0]?.extensions.code).toBe('NOT_FOUND')
    const { data } = await reviewer.graphql(ACCEPT, { id, version: 1 })
    expect(data.acceptUpload.state).toBe('released')
    const seen = await ownUser.graphql(READ, { id })
    expect(seen.data.upload).toMatchObject({ state: 'released', note: null, reviews: [], nextInReview: null })
    const [foreign, unknown] = [
      await otherUser.graphql(READ, { id }),
      await otherUser.graphql(READ, { id: newId() }),
    ]
    expect(foreign).toEqual(unknown)
    expect(foreign.errors[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it('writes one audit row for each step, in one transaction', async () => {
    const { id } = await fileUpload()
    await reviewer.graphql(ACCEPT, { id, version: 1 })
    const rows = await server.db
      .selectFrom('audit_event')
      .select(['action', 'changes'])
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
    expect(rows).toMatchObject([
      { action: 'upload.accept', changes: { state: { from: 'in_review', to: 'accepted' } } },
      { action: 'upload.release', changes: { state: { from: 'accepted', to: 'released' } } },
    ])
  })

  it('succeeds for one of twenty concurrent verdicts', async () => {
    const { id } = await fileUpload()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2
          ? reviewer.graphql(ACCEPT, { id, version: 1 })
          : reviewer.graphql(REJECT, { id, version: 1, reason: 'unreadable' }),
      ),
    )
    expect(responses.filter(({ errors }) => errors.length === 0)).toHaveLength(1)
    expect(responses.filter(({ errors }) => errors[0]?.extensions.code === 'CONFLICT')).toHaveLength(19)
    const reviews = await server.db.selectFrom('review').selectAll().where('upload_id', '=', id).execute()
    expect(reviews).toHaveLength(1)
  })

  it('does not keep the doctor of the former patient after a move', async () => {
    const { db } = server
    const [former, next, other] = [await makePatient(db), await makePatient(db), await makePatient(db)]
    const refer = (patient: { id: string }, doctor: string | null) =>
      makeReferral(db, { patient_id: patient.id, institution_id: own.id, doctor })
    await refer(former, 'Dr. Bălășescu')
    await refer(next, 'Dr. Țone')
    await refer(other, null)
    const move = async (patient: { id: string }, referringDoctor: string) => {
      const { id } = await fileUpload({ patient_id: former.id, referring_doctor: 'Dr. Bălășescu' })
      const upload = { title: 'RMN', patientId: patient.id, institutionId: own.id, referringDoctor }
      const { errors } = await reviewer.graphql(EDIT, { id, version: 1, upload })
      expect(errors).toEqual([])
      const row = await db.selectFrom('upload').select('referring_doctor').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).referring_doctor
    }
    expect(await move(next, 'Dr. Bălășescu')).toBe('Dr. Țone')
    expect(await move(other, 'Dr. Bălășescu')).toBeNull()
    expect(await move(former, 'Dr. Bălășescu')).toBe('Dr. Bălășescu')
    expect(await move(other, 'Dr. Avram')).toBe('Dr. Avram')
  })

  it('is rejected if the upload was moved to another patient after the reviewer opened it', async () => {
    const { id } = await fileUpload()
    const otherPatient = await makePatient(server.db)
    const { data } = await reviewer.graphql(EDIT, {
      id,
      version: 1,
      upload: { title: 'RMN', patientId: otherPatient.id },
    })
    expect(data.editUpload.patient.id).toBe(otherPatient.id)
    expect((await reviewer.graphql(ACCEPT, { id, version: 1 })).errors[0]?.extensions.code).toBe('CONFLICT')
    expect(await stateOf(id)).toBe('in_review')
  })

  it('is forbidden to staff without the review feature and to institutions [6.4]', async () => {
    const { id } = await fileUpload()
    for (const client of [registrar, ownUser]) {
      expect((await client.graphql(ACCEPT, { id, version: 1 })).errors[0]?.extensions.code).toBe('FORBIDDEN')
    }
    expect(await stateOf(id)).toBe('in_review')
  })

  it('is forbidden if the feature is switched off for the site [3.2]', async () => {
    const { id } = await fileUpload()
    const stored = { key: 'features', value: JSON.stringify(['patient::files']) }
    await server.db.insertInto('site_setting').values(stored).execute()
    try {
      expect((await reviewer.graphql(ACCEPT, { id, version: 1 })).errors[0]?.extensions.code).toBe(
        'FORBIDDEN',
      )
    } finally {
      await server.db.deleteFrom('site_setting').where('key', '=', 'features').execute()
    }
    expect((await reviewer.graphql(ACCEPT, { id, version: 1 })).errors).toEqual([])
  })
})

describe('a file that was not read', () => {
  const READ = `query ($id: ID!) { upload(id: $id) { comparison { unreadFileIds lines { what result } } } }`
  const lines = (...results: string[]) =>
    ['cnp', 'name', 'birth-date'].map((what, index) => ({ what, result: results[index] }))
  const file = (over: Partial<FileToMake> = {}) => ({ bytes: Buffer.from('x'), ...over })
  const compare = async (files: readonly FileToMake[]) => {
    const { id, files: stored } = await fileUpload({ files, state: 'released' })
    const { data } = await reviewer.graphql(READ, { id })
    return { ...data.upload.comparison, ids: stored.map((each) => each.id) }
  }

  it('is named, and nothing counts as missing in it', async () => {
    const { ids, ...read } = await compare([file(), file()])
    expect(read).toEqual({ unreadFileIds: [], lines: lines('absent', 'absent', 'absent') })

    const name = { kind: 'name', value: 'Altcineva Ion', place: { in: 'text' } } as const
    const mixed = await compare([file({ stated: [name] }), file({ facts_read_at: null })])
    expect(mixed.unreadFileIds).toEqual([mixed.ids[1]])
    expect(mixed.lines).toEqual(lines('unread', 'disagrees', 'unread'))

    const unchecked = await compare([file({ scan_result: 'pending' })])
    expect(unchecked).toMatchObject({
      unreadFileIds: unchecked.ids,
      lines: lines('unread', 'unread', 'unread'),
    })

    const locked = await compare([file({ facts: { unreadable: 'locked' } })])
    expect(locked).toMatchObject({ unreadFileIds: [], lines: lines('unread', 'unread', 'unread') })
  })
})

describe('a file with another person’s CNP', () => {
  const otherCnp = makeCnp({ sex: 'male', birthDate: '1966-06-06', county: 12, serial: 66 })
  const file = (content_text: string) => ({ bytes: Buffer.from(content_text), content_text })
  const accept = `mutation ($id: ID!, $version: Int!, $openedFileIds: [ID!], $shownHolds: [ShownHoldInput!], $reason: String, $comment: String) {
    acceptUpload(id: $id, version: $version, openedFileIds: $openedFileIds, shownHolds: $shownHolds, reason: $reason, comment: $comment) { state } }`

  it('is not released without a reason, which is saved with the verdict', async () => {
    const { id, files } = await fileUpload({ files: [file(`Pacient: altcineva, CNP ${otherCnp}`)] })
    const input = { id, version: 1, openedFileIds: files.map((each) => each.id) }
    const { data } = await reviewer.graphql(
      'query ($id: ID!) { upload(id: $id) { isDisagreeing comparison { lines { what result disagreeing { value fileIds } } } } }',
      { id },
    )
    expect(data.upload.isDisagreeing).toBe(true)
    expect(data.upload.comparison.lines).toEqual([
      {
        what: 'cnp',
        result: 'disagrees',
        disagreeing: [{ value: maskCnp(otherCnp), fileIds: input.openedFileIds }],
      },
      { what: 'name', result: 'absent', disagreeing: [] },
      { what: 'birth-date', result: 'absent', disagreeing: [] },
    ])
    const rejected = await reviewer.graphql(accept, input)
    expect(rejected.errors[0]?.extensions.fields?.map(({ field }) => field)).toEqual([
      'holds',
      'reason',
      'comment',
    ])
    expect(await stateOf(id)).toBe('in_review')
    const accepted = await reviewer.graphql(accept, {
      ...input,
      shownHolds: await readShownHolds(reviewer, id),
      reason: 'companion',
      comment: 'CNP-ul mamei',
    })
    expect(accepted.data.acceptUpload.state).toBe('released')
    const review = await server.db
      .selectFrom('review')
      .selectAll()
      .where('upload_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(review).toMatchObject({
      reason_code: 'companion',
      comment: 'CNP-ul mamei',
      checks: [{ kind: 'disagrees', what: 'cnp', value: maskCnp(otherCnp) }],
      opened_file_ids: input.openedFileIds,
    })
    expect(JSON.stringify(review)).not.toContain(otherCnp)
  })

  it('is only a file with a valid CNP that is not the patient’s', async () => {
    const patient = await makePatient(server.db)
    const numbers = `CNP ${patient.cnp}, cont 1234567890123, lot ${otherCnp}9`
    const { id, files } = await fileUpload({
      patient_id: patient.id,
      institution_id: null,
      files: [file(numbers)],
    })
    const openedFileIds = files.map((each) => each.id)
    expect((await reviewer.graphql(accept, { id, version: 1, openedFileIds })).errors).toEqual([])
  })

  it.each([
    ['in its groups', (cnp: string) => cnp.replace(/^(.)(.{6})/, '$1 $2 ')],
    ['one digit per box', (cnp: string) => [...cnp].join(' ')],
    ['one digit per box, after another number', (cnp: string) => `7 ${[...cnp].join(' ')}`],
  ])('is also detected with the CNP printed %s', async (_how, print) => {
    const { id, files } = await fileUpload({ files: [file(`CNP ${print(otherCnp)} nr. 12`)] })
    const openedFileIds = files.map((each) => each.id)
    const rejected = await reviewer.graphql(accept, { id, version: 1, openedFileIds })
    expect(rejected.errors[0]?.message).toContain('Nu se potrivește (CNP): „rezultat.pdf”.')
  })
})

describe('a change concurrent with the verdict', () => {
  const countWaiting = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db)
    return rows[0]!.count
  }

  /** Runs two requests that both wait for the upload's lock, which the first one gets first. */
  async function runConcurrently<A, B>(
    id: string,
    first: () => Promise<A>,
    second: () => Promise<B>,
  ): Promise<[A, B]> {
    const both = await server.db.transaction().execute(async (tx) => {
      await lockUpload(tx, id)
      const one = first()
      await expect.poll(countWaiting).toBe(1)
      const two = second()
      await expect.poll(countWaiting).toBe(2)
      return [one, two] as const
    })
    return Promise.all(both)
  }

  it.each([
    ['withdrawn', WITHDRAW_UPLOAD, {}, 'FORBIDDEN'],
    ['submitted', SUBMIT_UPLOAD, {}, 'CONFLICT'],
    ['moved to another patient', EDIT, { version: 3, upload: { title: 'Mutat' } }, 'FORBIDDEN'],
  ])(
    'does not change an upload released before it: the upload is not %s by its author',
    async (_what, change, more, code) => {
      const { id } = await fileUpload()
      const [accepted, changed] = await runConcurrently(
        id,
        () => reviewer.graphql(ACCEPT, { id, version: 1 }),
        () => registrar.graphql(change, { id, ...more }),
      )
      expect(accepted.data.acceptUpload).toMatchObject({ state: 'released', version: 3 })
      expect(changed.errors[0]?.extensions.code).toBe(code)
      const { data } = await ownUser.graphql(READ, { id })
      expect(data.upload).toMatchObject({ state: 'released', version: 3 })
      expect(data.upload.patient).not.toBeNull()
    },
  )

  it('is not found for an invalid id', async () => {
    for (const [query, more] of [
      [ACCEPT, { version: 1 }],
      [REJECT, { version: 1, reason: 'duplicate' }],
      [WITHDRAW_UPLOAD, {}],
    ] as const) {
      const { errors } = await reviewer.graphql(query, { id: 'x', ...more })
      expect(errors[0]?.extensions.code).toBe('NOT_FOUND')
    }
  })
})

describe('rejecting an upload', () => {
  it('saves the reason for the author', async () => {
    const { id } = await fileUpload()
    await reviewer.graphql(REJECT, { id, version: 1, reason: 'wrong-file', comment: 'Este al altui examen' })
    const { data } = await registrar.graphql(READ, { id })
    expect(data.upload).toMatchObject({
      state: 'rejected',
      reviews: [{ verdict: 'rejected', reasonCode: 'wrong-file', comment: 'Este al altui examen' }],
    })
  })

  it.each([
    [{ reason: 'because' }, 'reason'],
    [{ reason: 'other' }, 'comment'],
    [{ reason: 'other', comment: '  ' }, 'comment'],
  ])('fails for %j at the field %s', async (verdict, field) => {
    const { id } = await fileUpload()
    const { errors } = await reviewer.graphql(REJECT, { id, version: 1, ...verdict })
    expect(errors[0]?.extensions.fields?.[0]?.field).toBe(field)
    expect(await stateOf(id)).toBe('in_review')
  })
})

describe('an upload without a patient', () => {
  it('waits as unassigned, cannot be accepted, and goes to review when it gets a patient', async () => {
    const { id } = await fileUpload({ patient_id: null, institution_id: null, state: 'unassigned' })
    expect((await reviewer.graphql(ACCEPT, { id, version: 1 })).errors[0]?.extensions.code).toBe('CONFLICT')
    const patient = await makePatient(server.db)
    const { data } = await registrar.graphql(EDIT, {
      id,
      version: 1,
      upload: { title: 'CT', patientId: patient.id },
    })
    expect(data.editUpload.state).toBe('in_review')
  })

  it('cannot be assigned to an institution that did not refer the patient', async () => {
    const { id } = await fileUpload()
    const patient = await makePatient(server.db)
    const { errors } = await reviewer.graphql(EDIT, {
      id,
      version: 1,
      upload: { title: 'CT', patientId: patient.id, institutionId: own.id },
    })
    expect(errors[0]?.extensions.fields?.[0]?.field).toBe('institutionId')
  })

  it('is hidden from staff who neither created it nor review', async () => {
    const { id } = await fileUpload({ patient_id: null, institution_id: null, state: 'unassigned' })
    const colleague = await server.signIn((await makeUser(server.db)).email)
    expect((await colleague.graphql(READ, { id })).errors[0]?.extensions.code).toBe('NOT_FOUND')
    expect((await registrar.graphql(READ, { id })).data.upload.id).toBe(id)
  })
})

describe('an upload released by mistake', () => {
  const WITHDRAW = 'mutation ($id: ID!) { withdrawUpload(id: $id) { state } }'

  it('is withdrawn by a reviewer and hidden from the institution; the record of who opened it stays', async () => {
    const { id } = await fileUpload({ state: 'released' })
    await ownUser.graphql(READ, { id })
    expect((await registrar.graphql(WITHDRAW, { id })).errors[0]?.extensions.code).toBe('FORBIDDEN')
    expect((await reviewer.graphql(WITHDRAW, { id })).data.withdrawUpload.state).toBe('withdrawn')
    expect((await ownUser.graphql(READ, { id })).errors[0]?.extensions.code).toBe('NOT_FOUND')
    const opened = await server.db
      .selectFrom('upload_opening')
      .selectAll()
      .where('upload_id', '=', id)
      .execute()
    expect(opened).toHaveLength(1)
  })
})

describe('the inbox', () => {
  it('lists the uploads released to the institution, unread for each user until they open them', async () => {
    const { id } = await fileUpload({ state: 'released' })
    const colleague = await server.signIn(
      (await makeUser(server.db, { role: 'institution', institutionIds: [own.id] })).email,
    )
    const unread = async (client: TestClient) =>
      (await client.graphql(INBOX)).data.inbox.nodes
        .filter((node: { openedAt: string | null }) => node.openedAt === null)
        .map((node: { id: string }) => node.id)
    expect(await unread(ownUser)).toContain(id)
    await ownUser.graphql(READ, { id })
    expect(await unread(ownUser)).not.toContain(id)
    expect(await unread(colleague)).toContain(id)
    const { data } = await otherUser.graphql(INBOX, {})
    expect(data.inbox.nodes).toEqual([])
  })

  it('lists only released uploads [6.4]', async () => {
    for (const state of UPLOAD_STATES.filter((name) => name !== 'released')) {
      const { id } = await fileUpload({ state })
      expect((await ownUser.graphql(READ, { id })).errors[0]?.extensions.code).toBe('NOT_FOUND')
      const { data } = await ownUser.graphql(INBOX, {})
      expect(data.inbox.nodes.map((node: { id: string }) => node.id)).not.toContain(id)
    }
  })

  it('is empty at once when the institution is suspended', async () => {
    const institution = await makeInstitution(server.db)
    const patient = await makePatient(server.db)
    await makeReferral(server.db, { patient_id: patient.id, institution_id: institution.id })
    const { id } = await fileUpload({
      patient_id: patient.id,
      institution_id: institution.id,
      state: 'released',
    })
    const client = await server.signIn(
      (
        await makeUser(server.db, {
          role: 'institution',
          // With another institution, because a user without one cannot sign in.
          institutionIds: [institution.id, (await makeInstitution(server.db)).id],
        })
      ).email,
    )
    expect((await client.graphql(INBOX, {})).data.inbox.nodes).toHaveLength(1)
    await server.db
      .updateTable('institution')
      .set({ suspended_at: new Date() })
      .where('id', '=', institution.id)
      .execute()
    expect((await client.graphql(INBOX, {})).data.inbox.nodes).toEqual([])
    expect((await client.graphql(READ, { id })).errors[0]?.extensions.code).toBe('NOT_FOUND')
  })
})

/** Returns the state after an action, independently of the server's code. */
function expectedState(state: string, action: string): string {
  if (state === 'in_review' && action === 'accept') return 'released'
  if (state === 'in_review' && action === 'reject') return 'rejected'
  if (state === 'rejected' && action === 'submit') return 'in_review'
  if (['in_review', 'rejected'].includes(state) && action === 'withdraw') return 'withdrawn'
  return state
}

describe('the states of an upload', () => {
  it('lead to released only from accepted', () => {
    const before = UPLOAD_STATES.filter((state) => canMove(state, 'released'))
    expect(before).toEqual(['accepted'])
  })

  it('after any sequence of actions are released only if the upload was accepted last', async () => {
    const action = fc.constantFrom('accept', 'reject', 'withdraw', 'submit', 'edit')
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 6 }), async (actions) => {
        const { id } = await fileUpload()
        for (const name of actions) {
          const { version } = await server.db
            .selectFrom('upload')
            .select('version')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
          if (name === 'accept') await reviewer.graphql(ACCEPT, { id, version })
          if (name === 'reject') await reviewer.graphql(REJECT, { id, version, reason: 'duplicate' })
          if (name === 'withdraw') await registrar.graphql(WITHDRAW_UPLOAD, { id })
          if (name === 'submit') await registrar.graphql(SUBMIT_UPLOAD, { id })
          if (name === 'edit') {
            const { data } = await registrar.graphql(READ, { id })
            const patientId = data?.upload?.patient?.id
            await registrar.graphql(EDIT, { id, version, upload: { title: 'CT', patientId } })
          }
        }
        expect(await stateOf(id)).toBe(actions.reduce(expectedState, 'in_review'))
      }),
      { numRuns: 25 },
    )
  })
})
