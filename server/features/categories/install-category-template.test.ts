import { beforeEach, describe, expect, it } from 'vitest'
import { DEMO_CATEGORIES } from '../../../db/demo/categories.ts'
import { makeCategory, makeUser } from '../../../db/factories.ts'
import { CATEGORY_TEMPLATE } from '../../../shared/setup/category-template.ts'
import {
  CATEGORY_DEPTH,
  CATEGORY_ICONS,
  parentSlug,
  SLUG_PATTERN,
  slugParts,
} from '../../../shared/uploads/categories.ts'
import { getCategories, saveCategories } from '../../../test/categories.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const INSTALL = 'mutation { installCategoryTemplate }'

let server: TestServer
let admin: TestClient
beforeEach(async () => {
  server = await createTestServer()
  admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
})

describe('the template', () => {
  it('is a tree of at most three levels with unique slugs', () => {
    const slugs = CATEGORY_TEMPLATE.map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(slugs.length)
    for (const slug of slugs) {
      expect(slug).toMatch(SLUG_PATTERN)
      expect(slugParts(slug).length).toBeLessThanOrEqual(CATEGORY_DEPTH)
      const parent = parentSlug(slug)
      if (parent !== null) expect(slugs.indexOf(parent)).toBeLessThan(slugs.indexOf(slug))
      expect(slugs).toContain(parent ?? slug)
    }
  })

  // A tick or a warning beside a result reads as a verdict, and the others show no examination.
  it('shows examinations, as the demo does, by icons that are no state and no season', () => {
    const misleading = ['check', 'warning', 'leaf', 'moon', 'snowflake', 'sun', 'flower', 'umbrella-beach']
    const icons = [...CATEGORY_TEMPLATE.map(({ icon }) => icon), ...DEMO_CATEGORIES.map(([, , icon]) => icon)]
    expect(icons.filter((icon) => misleading.includes(icon))).toEqual([])
    expect(icons.filter((icon) => !CATEGORY_ICONS.includes(icon as never))).toEqual([])
  })
})

it('fills an empty list once, is in the audit log, and is edited like any list', async () => {
  expect((await admin.graphql(INSTALL)).errors).toEqual([])
  const installed = await getCategories(admin)
  expect(installed.tree.map(({ slug, name, icon, color }) => ({ slug, name, icon, color }))).toEqual(
    CATEGORY_TEMPLATE,
  )
  expect(installed.tree.every(({ reviewRequired, release }) => reviewRequired && release === 'at_once')).toBe(
    true,
  )
  expect((await admin.graphql(INSTALL)).errors).toEqual([])
  expect(await getCategories(admin)).toEqual(installed)
  const entries = await server.db
    .selectFrom('audit_event')
    .select('changes')
    .where('action', '=', 'category.save')
    .execute()
  expect(entries).toHaveLength(1)
  expect(Object.keys(entries[0]!.changes as object)).toHaveLength(CATEGORY_TEMPLATE.length)

  const renamed = installed.tree.map((category) => ({ ...category, name: `${category.name} 2` }))
  expect((await saveCategories(admin, renamed)).tree[0]?.name).toBe('Analize de laborator 2')
  // The names are the administrator's; every category of the template is there, so nothing changes.
  await admin.runQuery(INSTALL)
  expect((await getCategories(admin)).tree[0]?.name).toBe('Analize de laborator 2')
})

it('is refused for a list with other categories, and for all but administrators', async () => {
  await makeCategory(server.db, { slug: 'a-noastra' })
  expect((await admin.graphql(INSTALL)).errors[0]?.extensions.code).toBe('CONFLICT')
  expect((await getCategories(admin)).tree.map(({ slug }) => slug)).toEqual(['a-noastra'])
  const staff = await server.signIn((await makeUser(server.db)).email)
  expect((await staff.graphql(INSTALL)).errors[0]?.extensions.code).toBe('FORBIDDEN')
})
