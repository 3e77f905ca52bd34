import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeInstitution, makeUser } from '../../../../db/factories.ts'
import { getCategories, saveCategories, sendCategories } from '../../../../test/categories.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { newId } from '../../../platform/ids.ts'
import { replaceUserInstitutions } from '../../accounts/users/user-institutions.db.ts'

const KEEP = `mutation ($view: InboxView, $since: Date, $until: Date, $category: String, $doctor: String,
  $institutionId: ID, $departmentId: ID, $ownDepartments: Boolean) {
  keepInboxFilters(view: $view, since: $since, until: $until, category: $category, doctor: $doctor,
    institutionId: $institutionId, departmentId: $departmentId, ownDepartments: $ownDepartments) }`

let server: TestServer
let admin: TestClient
let a: { id: string }
let b: { id: string }
let interne: string
let email: string
let userId: string
let clerk: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
})

const category = (slug: string) => ({ name: slug, slug })

/** Each test has a clerk of two institutions; the first has a department and a doctor. */
beforeEach(async () => {
  await saveCategories(admin, [category('imagistica'), category('imagistica::rmn')])
  a = await makeInstitution(server.db)
  b = await makeInstitution(server.db)
  interne = newId()
  await server.db
    .insertInto('department')
    .values({ id: interne, institution_id: a.id, name: 'Interne', name_key: 'interne' })
    .execute()
  const user = await makeUser(server.db, { role: 'institution', institutionIds: [a.id, b.id] })
  email = user.email
  userId = user.id
  clerk = await server.signIn(email)
})

const keep = async (client: TestClient, filters: Record<string, unknown>) =>
  expect((await client.runQuery(KEEP, filters)).keepInboxFilters).toBe(true)
/** What the page has before it asks for its results. */
const kept = async (client: TestClient) =>
  (await (await client.fetch('/api/auth/session')).json()).user.inboxFilters
const all = () => ({
  view: 'open',
  since: '2026-03-02',
  until: '2026-03-03',
  category: 'imagistica::rmn',
  institutionId: a.id,
  departmentId: interne,
})
const shown = () => {
  const { institutionId: institution, departmentId: department, ...rest } = all()
  return { ...rest, institution, department }
}

it('are the same at another computer, and no colleague has or changes them', async () => {
  expect(await kept(clerk)).toEqual({})
  await keep(clerk, all())
  const elsewhere = await server.signIn(email)
  expect(await kept(elsewhere)).toEqual(shown())
  const colleague = await server.signIn(
    (await makeUser(server.db, { role: 'institution', institutionIds: [a.id, b.id] })).email,
  )
  expect(await kept(colleague)).toEqual({})
  await keep(colleague, { view: 'mine' })
  expect(await kept(clerk)).toEqual(shown())

  await keep(elsewhere, { ownDepartments: false })
  expect(await kept(clerk)).toEqual({ department: 'toate' })
  await keep(clerk, { ownDepartments: true })
  expect(await kept(elsewhere)).toEqual({})
  const { user } = await (await admin.fetch('/api/auth/session')).json()
  expect(user).not.toHaveProperty('inboxFilters')
})

it('lose what no longer exists, and follow a category that was moved', async () => {
  await keep(clerk, all())
  await server.db.deleteFrom('department').where('id', '=', interne).execute()
  const { department: _, ...left } = shown()
  expect(await kept(clerk)).toEqual(left)
  const { version } = await getCategories(admin)
  const moved = await sendCategories(admin, {
    tree: [category('imagistica'), category('imagistica::irm')],
    version,
    moves: { 'imagistica::rmn': 'imagistica::irm' },
  })
  expect(moved.errors).toEqual([])
  expect(await kept(clerk)).toMatchObject({ category: 'imagistica::irm' })
  await saveCategories(admin, [category('imagistica')])
  expect(await kept(clerk)).not.toHaveProperty('category')
})

it('lose what is not of the own institutions, or of no institution, and what is unreadable', async () => {
  await keep(clerk, all())
  await replaceUserInstitutions(server.db, userId, [b.id])
  const moved = await server.signIn(email)
  const { institution: _, department: __, ...left } = shown()
  expect(await kept(moved)).toEqual(left)
  await keep(moved, { doctor: 'Dr. Străin', institutionId: a.id, departmentId: 'x', category: 'nu-există' })
  expect(await kept(moved)).toEqual({})
  const { errors } = await moved.graphql(KEEP, { since: '2999-01-01' })
  expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
})
