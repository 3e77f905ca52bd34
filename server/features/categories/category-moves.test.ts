import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import type { CategoryList } from '../../../shared/uploads/categories.ts'
import { type CategoryPolicy, DEFAULT_POLICY } from '../../../shared/uploads/category-policy.ts'
import { getCategories, type SentList, sendCategories, toCategoryList } from '../../../test/categories.ts'
import { countLockWaits } from '../../../test/locks/lock-waits.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import { moveCategoryUploads, resumeCategoryMoves } from './move-category-uploads.ts'

const COUNTS = '{ categoryUploads { slug count } }'
const MOVES = '{ categoryMoves { from to count moved } }'
const CATEGORY = 'query ($id: ID!) { upload(id: $id) { category { slug name } } }'
const ACCEPT = `mutation ($id: ID!, $version: Int!) { acceptUpload(id: $id, version: $version, reason: "compared-original",
  comment: "cu originalul") { state } }`
const QUEUE = 'query ($category: String) { uploads(category: $category) { nodes { id } } }'
const CREATE = 'mutation ($upload: UploadInput!) { createUpload(upload: $upload) { id category { slug } } }'
const EDIT = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
  editUpload(id: $id, version: $version, upload: $upload) { category { slug } } }`

let server: TestServer
let admin: TestClient
let staff: TestClient
let author: string
let patientId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const user = await makeUser(server.db, { role: 'admin', features: ['admin::review-files'] })
  author = user.id
  admin = await server.signIn(user.email)
  staff = await server.signIn((await makeUser(server.db)).email)
  patientId = (await makePatient(server.db)).id
})

type Sent = { name: string; slug: string } & Partial<CategoryPolicy>
const item = (slug: string, policy: Partial<CategoryPolicy> = {}): Sent => ({
  name: slug,
  slug,
  ...policy,
})
const send = (list: SentList) => sendCategories(admin, list)
const save = async (list: SentList | unknown[]): Promise<CategoryList> => {
  const response = await send(Array.isArray(list) ? { tree: list } : list)
  expect(response.errors).toEqual([])
  return toCategoryList(response)
}
const get = (): Promise<CategoryList> => getCategories(admin)
const policies = ({ tree }: CategoryList) =>
  tree.map(
    ({ slug, reviewRequired, reviewers, release, releaseHours, visibleToPatients, retentionYears }) => [
      slug,
      { reviewRequired, reviewers, release, releaseHours, visibleToPatients, retentionYears },
    ],
  )
const file = async (slug: string, over: { deleted_at?: Date; created_by?: string } = {}) =>
  (
    await makeUpload(server.db, server.services.storage, {
      patient_id: patientId,
      category_slug: slug,
      state: 'in_review',
      created_by: author,
      ...over,
    })
  ).id
const stored = (id: string) =>
  server.db
    .selectFrom('upload')
    .select(['category_slug', 'version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const changes = () =>
  server.db
    .selectFrom('category_slug_change')
    .select(['old_slug', 'new_slug'])
    .orderBy('old_slug')
    .execute()
    .then((rows) => rows.map(({ old_slug, new_slug }) => `${old_slug} → ${new_slug}`))
const found = async (category: string): Promise<string[]> =>
  (await admin.graphql(QUEUE, { category })).data.uploads.nodes.map(({ id }: { id: string }) => id).sort()
const lastSaving = () =>
  server.db
    .selectFrom('audit_event')
    .select('changes')
    .where('action', '=', 'category.save')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

beforeEach(async () => {
  await server.db.deleteFrom('category_slug_change').execute()
  await server.db.updateTable('upload').set({ category_slug: null }).execute()
  await save([])
})

const STRICT: CategoryPolicy = {
  reviewRequired: true,
  reviewers: 2,
  release: 'after_hours',
  releaseHours: 48,
  visibleToPatients: false,
  retentionYears: 10,
}

describe('the policy of a category', () => {
  it('is saved and returned with the category; a new category has the defaults', async () => {
    const list = await save([item('a', STRICT), item('b')])
    expect(policies(list)).toEqual([
      ['a', STRICT],
      ['b', DEFAULT_POLICY],
    ])
    expect(policies(await get())).toEqual(policies(list))
  })

  it('stays unchanged where a plain list of the specification does not have it [7.11]', async () => {
    await save([item('a', STRICT), item('b')])
    expect(policies(await save([item('b'), item('a'), item('a::c')]))).toEqual([
      ['b', DEFAULT_POLICY],
      ['a', STRICT],
      ['a::c', DEFAULT_POLICY],
    ])
    // Also if the list has only a part of the policy.
    const [a] = policies(await save([item('a', { retentionYears: 3 })]))
    expect(a).toEqual(['a', { ...STRICT, retentionYears: 3 }])
    const [released] = policies(await save([item('a', { release: 'by_hand' })]))
    expect(released).toEqual(['a', { ...STRICT, retentionYears: 3, release: 'by_hand', releaseHours: null }])
  })

  it('moves with a renamed category', async () => {
    await save([item('a', STRICT), item('b')])
    const list = await save({ tree: [item('c'), item('b')], moves: { a: 'c' } })
    expect(policies(list)).toEqual([
      ['c', STRICT],
      ['b', DEFAULT_POLICY],
    ])
    // A category that existed before keeps its own policy.
    expect(policies(await save({ tree: [item('b')], moves: { c: 'b' } }))).toEqual([['b', DEFAULT_POLICY]])
  })

  it.each([
    ['by hand over hours', STRICT, { release: 'by_hand', releaseHours: null } as const, 'by_hand', null],
    ['more hours', STRICT, { release: 'after_hours', releaseHours: 72 } as const, 'after_hours', 72],
    ['hours over at once', STRICT, {} as const, 'after_hours', 48],
  ])(
    'is the strictest of all categories that are merged into a new one: %s',
    async (_what, one, other, release, hours) => {
      const lax = { ...DEFAULT_POLICY, reviewRequired: false, retentionYears: 20, ...other }
      const merged = { ...STRICT, retentionYears: 20, release, releaseHours: hours }
      for (const slugs of [
        ['x', 'y'],
        ['y', 'x'],
      ]) {
        await save([item('x', one), item('y', lax)])
        const moves = Object.fromEntries(slugs.map((slug) => [slug, 'c']))
        expect(policies(await save({ tree: [item('c')], moves }))).toEqual([['c', merged]])
      }
      // Keeping forever is stricter than any number of years; properties in the list win.
      await save([item('x', one), item('y', { ...lax, retentionYears: null })])
      const tree = [item('c', { reviewers: 1 })]
      expect(policies(await save({ tree, moves: { x: 'c', y: 'c' } }))).toEqual([
        ['c', { ...merged, reviewers: 1, retentionYears: null }],
      ])
    },
  )

  it.each([
    [{ reviewers: 3 }, 'reviewers'],
    [{ reviewers: '1' }, 'reviewers'],
    [{ reviewRequired: 'da' }, 'reviewRequired'],
    [{ visibleToPatients: null }, 'visibleToPatients'],
    [{ release: 'never' }, 'release'],
    [{ release: 'after_hours' }, 'releaseHours'],
    [{ release: 'after_hours', releaseHours: 0 }, 'releaseHours'],
    [{ release: 'after_hours', releaseHours: 721 }, 'releaseHours'],
    [{ release: 'after_hours', releaseHours: 1.5 }, 'releaseHours'],
    [{ release: 'at_once', releaseHours: 5 }, 'releaseHours'],
    [{ releaseHours: 5 }, 'releaseHours'],
    [{ retentionYears: 0 }, 'retentionYears'],
    [{ retentionYears: 101 }, 'retentionYears'],
  ])('rejects %j with an error at %s and changes nothing', async (policy, field) => {
    const before = await get()
    const { errors } = await send({ tree: [{ ...item('a'), ...policy }] })
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect(errors[0]?.extensions.fields?.[0]?.field).toBe(`input.0.${field}`)
    expect(await get()).toEqual(before)
  })

  it.each([{ releaseHours: 1 }, { releaseHours: 720 }])('accepts the bounds: %j', async (hours) => {
    const policy = { ...DEFAULT_POLICY, release: 'after_hours' as const, ...hours, retentionYears: 100 }
    expect(policies(await save([item('a', policy)]))).toEqual([['a', policy]])
  })
})

describe('moves', () => {
  it('change the uploads with exactly the old slug, also in the bin, but not their version', async () => {
    await save([item('a'), item('a::x'), item('ab'), item('b')])
    const [own, binned, child, alike] = [
      await file('a'),
      await file('a', { deleted_at: new Date() }),
      await file('a::x'),
      await file('ab'),
    ]
    const { version } = await stored(own)
    await save({ tree: [item('b'), item('ab')], moves: { a: 'b' } })
    expect(await stored(own)).toEqual({ category_slug: 'b', version })
    expect(await stored(binned)).toMatchObject({ category_slug: 'b' })
    expect(await stored(child)).toMatchObject({ category_slug: 'a::x' })
    expect(await stored(alike)).toMatchObject({ category_slug: 'ab' })
  })

  it('keep old addresses working: a filter by an old slug finds the moved uploads', async () => {
    await save([item('a'), item('a::x')])
    const ids = [await file('a'), await file('a::x')].sort()
    expect(await found('a')).toEqual(ids)
    await save({ tree: [item('b'), item('b::x')], moves: { a: 'b', 'a::x': 'b::x' } })
    expect(await found('a')).toEqual(ids)
    expect(await found('b')).toEqual(ids)
    expect(await found('a::x')).toEqual(await found('b::x'))
    // An upload that still has a slug under the old one is found as well.
    const left = await file('a::gone')
    expect(await found('a')).toEqual([...ids, left].sort())
  })

  it('are saved with resolved chains, and end when a slug is in the list again', async () => {
    await save([item('a')])
    await save({ tree: [item('b')], moves: { a: 'b' } })
    expect((await save({ tree: [item('c')], moves: { b: 'c' } })).moved).toEqual({ a: 'c', b: 'c' })
    expect(await changes()).toEqual(['a → c', 'b → c'])
    // Renamed back: the first slug is in the list again, and the other slugs lead to it.
    await save({ tree: [item('a')], moves: { c: 'a' } })
    expect(await changes()).toEqual(['b → a', 'c → a'])
    await save([item('a'), item('b')])
    expect(await changes()).toEqual(['c → a'])
  })

  it('do not break an open form: an edit with the old slug is saved with the new one', async () => {
    await save([item('a'), item('z')])
    const [own, other] = [await file('a'), await file('z')]
    const { version } = await stored(own)
    await save({ tree: [item('b'), item('z')], moves: { a: 'b' } })
    for (const id of [own, other]) {
      const upload = { patientId, title: 'Rezultat', categorySlug: 'a' }
      const { data, errors } = await admin.graphql(EDIT, { id, version, upload })
      expect(errors).toEqual([])
      expect(data.editUpload.category.slug).toBe('b')
    }
  })

  it('include a slug that left the list earlier and is still on uploads', async () => {
    const id = await file('orphan')
    await save({ tree: [item('b')], moves: { orphan: 'b' } })
    expect(await stored(id)).toMatchObject({ category_slug: 'b' })
  })

  it('are recorded in the audit log with the number of uploads', async () => {
    await save([item('a'), item('e')])
    await file('a')
    await file('a')
    await save({ tree: [item('b', { reviewers: 2 })], moves: { a: 'b', e: 'b' } })
    expect((await lastSaving()).changes).toEqual({
      'category:a': { from: 'a', to: null },
      'category:e': { from: 'e', to: null },
      'category:b': { from: null, to: 'b · doi verificatori' },
      'uploads:a': { from: 'a', to: 'b (2 încărcări)' },
      'uploads:e': { from: 'e', to: 'b (0 încărcări)' },
    })
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['of a slug that stays', { b: 'c' }, 'Slugul „b” rămâne în listă'],
    ['to itself', { b: 'b' }, 'Slugul „b” rămâne în listă'],
    ['to a slug that is not in the new list', { a: 'd' }, '„d”, care nu este în noua listă'],
    ['in a circle', { a: 'x', x: 'a' }, 'care se mută și el'],
    ['in a chain', { a: 'x', x: 'b' }, 'care se mută și el'],
    ['of an unknown slug', { unknown: 'b' }, 'Nu există nicio categorie „unknown”'],
    ['to a value that is no text', { a: null }, 'Noul slug este un text.'],
  ])('%s are rejected, and nothing changes', async (_what, moves, sentence) => {
    await save([item('a'), item('b')])
    const id = await file('a')
    const before = await get()
    const { errors } = await send({ tree: [item('b'), item('c')], moves })
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect(errors[0]?.message).toContain(sentence)
    expect(await get()).toEqual(before)
    expect(await stored(id)).toMatchObject({ category_slug: 'a' })
    expect(await changes()).toEqual([])
  })

  it('wait for an upload that is being saved, and include it', async () => {
    await save([item('a'), item('z')])
    const institutionId = (await makeInstitution(server.db)).id
    await makeReferral(server.db, { patient_id: patientId, institution_id: institutionId })
    const ids = [await file('a'), await file('z')]
    const upload = { patientId, institutionId, title: 'Rezultat', categorySlug: 'a' }
    const work = await server.db.transaction().execute(async (tx) => {
      // The edits have read their category and wait to read the referral.
      await sql`lock table referral in access exclusive mode`.execute(tx)
      const edits = ids.map(async (id) => admin.graphql(EDIT, { id, ...(await stored(id)), upload }))
      const creation = admin.graphql(CREATE, { upload })
      await expect.poll(() => countLockWaits(server.db)).toBe(3)
      let isSaved = false
      const saving = save({ tree: [item('b'), item('z')], moves: { a: 'b' } }).finally(() => {
        isSaved = true
      })
      await expect.poll(async () => isSaved || (await countLockWaits(server.db)) === 4).toBe(true)
      return { edits, creation, saving }
    })
    const created = await work.creation
    for (const { errors } of [created, ...(await Promise.all(work.edits))]) expect(errors).toEqual([])
    await work.saving
    for (const id of [...ids, created.data.createUpload.id])
      expect(await stored(id)).toMatchObject({ category_slug: 'b' })
  })

  /** Saves moves while another transaction has locked an upload, which therefore stays for a later batch. */
  const saveWhileLocked = (id: string, list: SentList): Promise<CategoryList> =>
    server.db.transaction().execute(async (tx) => {
      await sql`select from upload where id = ${id} for update`.execute(tx)
      return save(list)
    })
  const moves = async () => (await admin.graphql(MOVES)).data.categoryMoves

  it('of an upload that is not in the first batch go on in a job; until then both slugs find it', async () => {
    await save([item('a', STRICT), item('a::x'), item('b', { release: 'by_hand' })])
    const [first, waiting, under] = [await file('a'), await file('a'), await file('a::x')]
    const tree = [item('b'), item('b::x')]
    await saveWhileLocked(waiting, { tree, moves: { a: 'b', 'a::x': 'b::x' } })
    expect(await stored(waiting)).toMatchObject({ category_slug: 'a' })
    expect(await moves()).toEqual([{ from: 'a', to: 'b', count: 2, moved: 1 }])
    for (const slug of ['a', 'b']) expect(await found(slug)).toEqual([first, waiting, under].sort())
    expect((await admin.graphql(COUNTS)).data.categoryUploads).toEqual([
      { slug: 'b', count: 2 },
      { slug: 'b::x', count: 1 },
    ])
    const { data } = await admin.graphql(CATEGORY, { id: waiting })
    expect(data.upload).toEqual({ category: { slug: 'b', name: 'b' } })
    await server.runJobs()
    expect(await stored(waiting)).toMatchObject({ category_slug: 'b' })
    expect(await moves()).toEqual([])
  })

  it('take the policy of the new slug at once, and are no change of the details', async () => {
    await save([item('a'), item('b', { reviewers: 2 })])
    const waiting = await file('a')
    await saveWhileLocked(waiting, { tree: [item('b')], moves: { a: 'b' } })
    server.dropJobs()
    const { version } = await stored(waiting)
    const upload = { patientId, title: 'Alt titlu', categorySlug: 'a' }
    const { data } = await admin.graphql(EDIT, { id: waiting, version, upload })
    expect(data.editUpload.category.slug).toBe('b')
    const { changes } = await server.db
      .selectFrom('audit_event')
      .select('changes')
      .where('subject_id', '=', waiting)
      .where('action', '=', 'upload.assign')
      .executeTakeFirstOrThrow()
    expect(Object.keys(changes as object)).toEqual(['title'])
    const other = await file('a', { created_by: (await makeUser(server.db)).id })
    await server.db.updateTable('category_slug_change').set({ moving: true }).execute()
    const accepted = await admin.graphql(ACCEPT, { id: other, version: (await stored(other)).version })
    expect(accepted.errors).toEqual([])
    // It waits for the second reviewer.
    expect(accepted.data.acceptUpload).toEqual({ state: 'in_review' })
  })

  it('that have not ended follow a further move of their new slug; theirs is free only afterwards', async () => {
    await save([item('a'), item('b')])
    const waiting = await file('a')
    await saveWhileLocked(waiting, { tree: [item('b')], moves: { a: 'b' } })
    for (const list of [
      { tree: [item('a'), item('b')] },
      { tree: [item('b'), item('c')], moves: { a: 'c' } },
    ]) {
      const { errors } = await send(list)
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
      expect(errors[0]?.message).toContain('Încărcările din „a” se mută încă în „b”')
    }
    await saveWhileLocked(waiting, { tree: [item('c')], moves: { b: 'c' } })
    expect(await found('c')).toEqual([waiting])
    await server.runJobs()
    expect(await stored(waiting)).toMatchObject({ category_slug: 'c' })
    await save([item('a'), item('c')])
    expect(await stored(waiting)).toMatchObject({ category_slug: 'c' })
  })

  it('of more uploads than one batch are resumed by the next server', async () => {
    await save([item('a')])
    await sql`
      insert into upload (id, patient_id, category_slug, title, source, state, created_by)
      select gen_random_uuid(), ${patientId}::uuid, 'a', 'RM', 'staff', 'in_review', ${author}::uuid
      from generate_series(1, 4500)`.execute(server.db)
    await save({ tree: [item('b')], moves: { a: 'b' } })
    expect(await moves()).toEqual([{ from: 'a', to: 'b', count: 4500, moved: 2000 }])
    server.dropJobs()
    await moveCategoryUploads(createSystemContext(server.services), 0)
    expect(await moves()).toEqual([{ from: 'a', to: 'b', count: 4500, moved: 4000 }])
    server.dropJobs()
    await resumeCategoryMoves(createSystemContext(server.services))
    await server.runJobs()
    expect(await moves()).toEqual([])
    expect((await admin.graphql(COUNTS)).data.categoryUploads).toEqual([{ slug: 'b', count: 4500 }])
    await server.db.deleteFrom('upload').where('title', '=', 'RM').execute()
  })

  it('with an old version move nothing', async () => {
    const { version } = await save([item('a')])
    const id = await file('a')
    await save([item('a'), item('b')])
    const { errors } = await send({ tree: [item('b')], moves: { a: 'b' }, version })
    expect(errors[0]?.extensions.code).toBe('CONFLICT')
    expect(await stored(id)).toMatchObject({ category_slug: 'a' })
  })

  it('lead every former slug to where its uploads are, after any sequence of renames', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 8 }), async (renames) => {
        await server.db.deleteFrom('category_slug_change').execute()
        await save([item('start')])
        const id = await file('start')
        const formerSlugs = ['start']
        for (const slug of renames) {
          const from = formerSlugs.at(-1)!
          if (slug === from) continue
          await save({ tree: [item(slug)], moves: { [from]: slug } })
          formerSlugs.push(slug)
        }
        expect((await stored(id)).category_slug).toBe(formerSlugs.at(-1))
        for (const slug of formerSlugs) expect(await found(slug)).toContain(id)
        await server.db.updateTable('upload').set({ category_slug: null }).execute()
      }),
      { numRuns: 15 },
    )
  })
})

describe('the count of uploads by category', () => {
  it('names each slug with uploads once, former slugs included', async () => {
    await save([item('a'), item('empty')])
    for (const slug of ['a', 'a', 'gone']) await file(slug)
    const { data } = await admin.graphql(COUNTS)
    expect(data.categoryUploads).toEqual([
      { slug: 'a', count: 2 },
      { slug: 'gone', count: 1 },
    ])
  })

  it('is only for administrators [6.4]', async () => {
    const institution = await server.signIn((await makeUser(server.db, { role: 'institution' })).email)
    for (const client of [staff, institution]) {
      expect((await client.graphql(MOVES)).errors[0]?.extensions.code).toBe('FORBIDDEN')
      expect((await client.graphql(COUNTS)).errors[0]?.extensions.code).toBe('FORBIDDEN')
    }
  })
})
