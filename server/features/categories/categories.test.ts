import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makePatient, makeUpload, makeUser } from '../../../db/factories.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { normaliseText } from '../../../shared/romania/names.ts'
import {
  CATEGORY_ICONS,
  type CategoryList,
  type CategoryProperties,
} from '../../../shared/uploads/categories.ts'
import { DEFAULT_POLICY } from '../../../shared/uploads/category-policy.ts'
import { getCategories, saveCategories, sendCategories, toCategoryList } from '../../../test/categories.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const GET = '{ getCategories }'
const SAVE = 'mutation ($input: String!) { saveCategories(input: $input) }'

let server: TestServer
let admin: TestClient
let staff: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  admin = await server.signIn((await makeUser(server.db, { role: 'admin', name: 'Ana Ionescu' })).email)
  staff = await server.signIn((await makeUser(server.db)).email)
})

const get = (client = staff): Promise<CategoryList> => getCategories(client)
const send = (input: string, client = admin) => client.graphql(SAVE, { input })
const save = (tree: readonly unknown[]): Promise<CategoryList> => saveCategories(admin, tree)
const details = ({ tree }: Pick<CategoryList, 'tree'>): CategoryProperties[] =>
  tree.map(({ name, slug, icon, color }) => ({ name, slug, icon, color }))
const lastSaving = () =>
  server.db
    .selectFrom('audit_event')
    .selectAll()
    .where('action', '=', 'category.save')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

const item = (slug: string, over: Partial<CategoryProperties> = {}): CategoryProperties => ({
  name: `Categoria ${slug}`,
  slug,
  icon: '',
  color: '',
  ...over,
})
const LIST = [
  item('imagistica', { icon: 'folders', color: '#0369a1' }),
  item('imagistica::ct', { icon: 'zip', color: '#1d4' }),
  item('imagistica::ct::torace'),
  item('laborator', { name: 'Analize de laborator' }),
]

beforeEach(async () => {
  await save(LIST)
})

describe('getCategories', () => {
  it('returns a JSON string with the flat tree in display order, and its version beside it [3.6] [7.10]', async () => {
    const { data, extensions } = await staff.graphql(GET)
    const list: Pick<CategoryList, 'tree'> = JSON.parse(data.getCategories)
    expect(Object.keys(list)).toEqual(['tree'])
    expect(extensions).toEqual({ categories: { version: expect.any(Number), moved: {} } })
    expect(details(list)).toEqual(LIST)
    expect(list.tree.map((category) => Object.keys(category).sort())).toEqual(
      LIST.map(() => [...Object.keys(DEFAULT_POLICY), 'color', 'icon', 'id', 'name', 'slug'].sort()),
    )
  })

  it('returns the list to every signed-in user and to no other client [6.4]', async () => {
    const user = await makeUser(server.db, { role: 'institution' })
    expect(details(await get(await server.signIn(user.email)))).toEqual(LIST)
    const signedOut = await server.app.request('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: GET }),
    })
    expect(signedOut.status).toBe(401)
  })
})

describe('saveCategories', () => {
  it('accepts the plain list, with or without client ids, and returns the saved list [7.11]', async () => {
    const { version } = await get()
    const sent = [
      { ...item('nou'), id: crypto.randomUUID() },
      { ...item('nou::new', { name: 'New' }), id: null },
    ]
    const saved = await save(sent)
    expect(details(saved)).toEqual(sent.map(({ id: _, ...rest }) => rest))
    expect(saved.version).toBe(version + 1)
    expect(await get()).toEqual(saved)
  })

  it.each(['#abc', '#aabbcc80', 'rgba(10, 20, 30, 0.5)', 'hsla(120, 50%, 40%, 0.25)', 'rgb(1 2 3 / 50%)'])(
    'accepts the colour %s, as a colour picker writes it [3.8]',
    async (color) => {
      await save([item('laborator', { color })])
      expect((await get()).tree).toMatchObject([{ slug: 'laborator', color }])
    },
  )

  it.each([{ id: null, icon: null, color: null }, { id: '', icon: '', color: '' }, {}])(
    'accepts a draft whose id, icon and colour are empty: %j [4.9]',
    async (empty) => {
      const saved = await save([{ name: 'New', slug: 'new', ...empty }])
      expect(details(saved)).toEqual([item('new', { name: 'New' })])
    },
  )

  it('accepts a list with the current version in the extensions, and answers with the list alone [7.11]', async () => {
    const { version } = await get()
    const response = await sendCategories(admin, { tree: LIST.toReversed(), version })
    expect(Object.keys(JSON.parse(response.data.saveCategories))).toEqual(['tree'])
    const saved = toCategoryList(response)
    expect(details(saved)).toEqual(LIST.toReversed())
    expect(saved.version).toBe(version + 1)
  })

  it.each([-1, 1])(
    'rejects a version that is not the current one (%i off), names who saved, and changes nothing',
    async (off) => {
      const before = await get()
      const { data, errors } = await sendCategories(admin, { tree: [], version: before.version + off })
      expect(data).toBeNull()
      expect(errors).toMatchObject([
        {
          message: expect.stringMatching(
            /^Între timp, Ana Ionescu a salvat categoriile \(.+\)\. Reîncarcă-le, apoi aplică din nou modificarea\.$/,
          ),
          extensions: { code: 'CONFLICT', fields: [{ field: 'version' }] },
        },
      ])
      expect(await get()).toEqual(before)
    },
  )

  it('keeps categories deeper than the levels that the tree shows [3.5]', async () => {
    const deep = [...LIST, item('imagistica::ct::torace::nativ')]
    expect(details(await save(deep))).toEqual(deep)
  })

  it('accepts an empty list and a list of the maximum size', async () => {
    expect((await save([])).tree).toEqual([])
    const many = Array.from({ length: LIMITS.categories }, (_, index) => item(`c-${index}`))
    expect(details(await save(many))).toEqual(many)
  })

  it('drops unknown properties of a category', async () => {
    await save([{ ...item('a'), children: [item('b')], position: 7 }])
    expect(details(await get())).toEqual([item('a')])
  })

  it('keeps the row of a slug that stays', async () => {
    const before = await get()
    const after = await save([item('imagistica', { name: 'Altfel' })])
    expect(after.tree[0]?.id).toBe(before.tree[0]?.id)
  })

  it('allows only administrators to save [6.4]', async () => {
    const user = await makeUser(server.db, { role: 'institution' })
    for (const client of [staff, await server.signIn(user.email)]) {
      expect((await send('[]', client)).errors[0]?.extensions.code).toBe('FORBIDDEN')
    }
    expect(details(await get())).toEqual(LIST)
  })

  const NESTED = 100_000
  it.each<[string, string, string]>([
    ['no JSON', '[', 'input'],
    ['nothing', '', 'input'],
    ['deep nesting', '['.repeat(NESTED) + ']'.repeat(NESTED), 'input'],
    ['null', 'null', 'input'],
    ['a text', '"[]"', 'input'],
    ['an object around the list', '{"tree":[]}', 'input'],
    ['an item that is no category', '[null]', 'input.0'],
    ['__proto__ in an item', '[{"name":"A","slug":"a","__proto__":{"icon":"zip"}}]', 'input'],
    ['constructor', '[{"name":"A","slug":"a","constructor":{"prototype":{"x":1}}}]', 'input'],
    [
      'too many',
      JSON.stringify(Array.from({ length: LIMITS.categories + 1 }, (_, n) => item(`c${n}`))),
      'input',
    ],
    ['no name', JSON.stringify([{ ...item('a'), name: ' ' }]), 'input.0.name'],
    ['a long name', JSON.stringify([item('a', { name: 'x'.repeat(201) })]), 'input.0.name'],
    ['no slug', '[{"name":"A"}]', 'input.0.slug'],
    ['a slug with a capital', JSON.stringify([item('A')]), 'input.0.slug'],
    ['a slug with a Romanian letter', JSON.stringify([item('ș')]), 'input.0.slug'],
    ['a slug with a pattern', JSON.stringify([item('%')]), 'input.0.slug'],
    ['a slug with an empty level', JSON.stringify([item('a'), item('a::')]), 'input.1.slug'],
    ['a long slug', JSON.stringify([item('a'.repeat(201), { name: 'A' })]), 'input.0.slug'],
    ['a slug twice', JSON.stringify([item('a'), item('b'), item('a')]), 'input.2.slug'],
    ['a child without its parent', JSON.stringify([item('a'), item('b::c')]), 'input.1.slug'],
    ['its own descendant as parent', JSON.stringify([item('a::a')]), 'input.0.slug'],
    ['an unknown icon', JSON.stringify([item('a', { icon: 'toString' })]), 'input.0.icon'],
    ['a colour by name', JSON.stringify([item('a', { color: 'red' })]), 'input.0.color'],
    ['a colour that is more', JSON.stringify([item('a', { color: '#fff;x:url(//y)' })]), 'input.0.color'],
    ['an id that is none', JSON.stringify([{ ...item('a'), id: '7' }]), 'input.0.id'],
  ])('rejects %s, names the path and changes nothing', async (_what, input, field) => {
    const before = await get()
    const { errors } = await send(input)
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(/\.$/),
      extensions: { code: 'BAD_USER_INPUT', fields: [{ field, message: expect.stringMatching(/\.$/) }] },
    })
    expect(await get()).toEqual(before)
    expect(Object.prototype).not.toHaveProperty('x')
  })

  it.each([
    ['a version that is no number', { version: '1' }, 'version'],
    ['moves that are no object', { moves: [] }, 'moves'],
    ['a text', 'version', 'extensions.categories'],
  ])('rejects %s in the extensions, names it and changes nothing', async (_what, categories, field) => {
    const before = await get()
    const { errors } = await admin.graphql(SAVE, { input: '[]' }, { categories })
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [{ field }] })
    expect(await get()).toEqual(before)
  })

  it('rejects a body of 1 MiB before it is parsed', async () => {
    const { status, errors } = await send(JSON.stringify([item('a', { name: 'x'.repeat(1024 * 1024) })]))
    expect(status).toBe(413)
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
  })

  it('names the wrong category, and lists at most five errors', async () => {
    const { errors } = await send(JSON.stringify(Array.from({ length: 100 }, () => item('?'))))
    expect(errors[0]?.message).toMatch(/^Categoria nr\. 1: Slugul are litere mici/)
    expect(errors[0]?.extensions.fields).toHaveLength(5)
  })

  it('records added, removed, changed and moved categories in the audit log', async () => {
    const [imaging, ct, , lab] = LIST as [
      CategoryProperties,
      CategoryProperties,
      CategoryProperties,
      CategoryProperties,
    ]
    await save([lab, { ...imaging, color: '#ff0000' }, ct, item('cardiologie')])
    expect(await lastSaving()).toMatchObject({
      actor_name: 'Ana Ionescu',
      outcome: 'ok',
      changes: {
        'category:cardiologie': { from: null, to: 'Categoria cardiologie' },
        'category:imagistica': {
          from: 'Categoria imagistica · folders · #0369a1',
          to: 'Categoria imagistica · folders · #ff0000',
        },
        'category:imagistica::ct::torace': { from: 'Categoria imagistica::ct::torace', to: null },
        order: {
          from: 'imagistica, imagistica::ct, laborator',
          to: 'laborator, imagistica, imagistica::ct',
        },
      },
    })
  })

  it('records a save that changes nothing, without changes', async () => {
    await save(LIST)
    expect((await lastSaving()).changes).toEqual({})
  })

  it('publishes a change after a successful save only', async () => {
    const events = server.services.events.subscribe()
    await send('[]', staff)
    await save(LIST)
    for await (const event of events) {
      if (event.kind === 'resync') continue
      expect(event).toEqual({ kind: 'categories' })
      break
    }
  })
})

describe('random lists of categories', () => {
  const part = fc.stringMatching(/^[a-z0-9-]{1,6}$/)
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map(normaliseText)
    .filter((text) => text.length > 0 && text.length <= LIMITS.shortText)
  const color = fc.constantFrom('', '#0f0', '#0f08', '#A1b2C3', '#a1b2c3d4')
  const icon = fc.constantFrom('', ...CATEGORY_ICONS)
  const tree = fc
    .uniqueArray(fc.array(part, { minLength: 1, maxLength: 4 }), { maxLength: 12 })
    .map((paths) => {
      const all = paths.flatMap((path) => path.map((_, depth) => path.slice(0, depth + 1).join('::')))
      return [...new Set(all)]
    })
    .chain((slugs) => fc.shuffledSubarray(slugs, { minLength: slugs.length }))
    .chain((slugs) =>
      fc.tuple(...slugs.map((slug) => fc.record({ name, slug: fc.constant(slug), icon, color }))),
    )

  it('are returned as they were saved, in their order [7.11]', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (sent) => {
        expect(details(await save(sent))).toEqual(sent)
        expect(details(await get())).toEqual(sent)
      }),
      { numRuns: 40 },
    )
  })

  it('lose nothing when several people save with a version, in any order of reads and saves', async () => {
    // Each person adds categories to the list that they last read, and reads it again after a conflict.
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ person: fc.nat(2), reads: fc.boolean() }), { maxLength: 15 }),
        async (steps) => {
          const start = await save([])
          const seen = [start, start, start]
          const kept: string[] = []
          for (const [step, { person, reads }] of steps.entries()) {
            if (reads) {
              seen[person] = await get()
              continue
            }
            const slug = `p${person}-${step}`
            const add = (list: CategoryList) =>
              sendCategories(admin, { ...list, tree: [...list.tree, item(slug)] })
            const isCurrent = seen[person]!.version === (await get()).version
            let response = await add(seen[person]!)
            expect(response.errors.map(({ extensions }) => extensions.code)).toEqual(
              isCurrent ? [] : ['CONFLICT'],
            )
            if (!isCurrent) response = await add(await get())
            seen[person] = toCategoryList(response)
            kept.push(slug)
          }
          expect((await get()).tree.map(({ slug }) => slug)).toEqual(kept)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('of concurrent saves with the same version exactly one succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { version } = await get()
      const responses = await Promise.all(
        [0, 1, 2, 3].map((who) => sendCategories(admin, { tree: [item(`r${round}-${who}`)], version })),
      )
      const won = responses.filter(({ errors }) => errors.length === 0)
      expect(won).toHaveLength(1)
      expect(await get()).toEqual(toCategoryList(won[0]!))
      for (const { errors } of responses.filter((response) => !won.includes(response)))
        expect(errors[0]?.extensions.code).toBe('CONFLICT')
    }
  })

  it('of concurrent saves of plain lists all succeed one after another, never mixed', async () => {
    const { version } = await get()
    const lists = [0, 1, 2, 3].map((who) => [item(`a-${who}`), item(`b-${who}`)])
    const saved = await Promise.all(lists.map(save))
    expect(saved.map((list) => list.version).sort((a, b) => a - b)).toEqual(
      [1, 2, 3, 4].map((n) => version + n),
    )
    expect(saved.map(details)).toEqual(lists)
    const last = saved.find((list) => list.version === version + 4)
    expect(await get()).toEqual(last)
  })
})

describe('a slug that is no longer in the list', () => {
  const UPLOAD = 'query ($id: ID!) { upload(id: $id) { version category { slug name icon color } } }'
  const EDIT = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
    editUpload(id: $id, version: $version, upload: $upload) { category { slug } } }`

  it('still names its uploads, and an edit may keep or replace it but not newly choose it', async () => {
    const author = await makeUser(server.db, { role: 'admin', features: ['admin::review-files'] })
    const reviewer = await server.signIn(author.email)
    const patient = await makePatient(server.db)
    const { id } = await makeUpload(server.db, server.services.storage, {
      patient_id: patient.id,
      category_slug: 'imagistica::ct::torace',
      state: 'in_review',
      created_by: author.id,
    })
    await save([item('laborator')])

    const { data, errors } = await reviewer.graphql(UPLOAD, { id })
    expect(errors).toEqual([])
    expect(data.upload.category).toEqual({
      slug: 'imagistica::ct::torace',
      name: 'Torace',
      icon: 'documents',
      color: '',
    })

    const edit = (categorySlug: string, version: number) =>
      reviewer.graphql(EDIT, {
        id,
        version,
        upload: { patientId: patient.id, title: 'CT torace', categorySlug },
      })
    const kept = await edit('imagistica::ct::torace', data.upload.version)
    expect(kept.errors).toEqual([])
    expect(kept.data.editUpload.category.slug).toBe('imagistica::ct::torace')
    const chosen = await edit('imagistica::ct', data.upload.version + 1)
    expect(chosen.errors[0]?.extensions.fields?.[0]?.field).toBe('categorySlug')
    const replaced = await edit('laborator', data.upload.version + 1)
    expect(replaced.data.editUpload.category.slug).toBe('laborator')
  })
})
