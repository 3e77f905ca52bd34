import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeEmptyUpload, makeInstitution, makePatient, makeUser } from '../../../../db/factories.ts'
import { dayBefore, dayInRomania } from '../../../../shared/romania/day.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'

const HOUR_MS = 60 * 60 * 1000

let server: TestServer
let reviewer: TestClient
let a: string
let b: string

/** Makes a released result; the hours are those of its steps, `filing` days. */
async function release(
  institutionId: string | null,
  category: string | null,
  {
    filing,
    release,
    opening,
    ago = 0,
  }: Record<'filing' | 'opening', number | null> & { release: number; ago?: number },
) {
  const released = new Date(Date.now() - 100 * HOUR_MS - ago * 24 * HOUR_MS)
  const created = new Date(released.getTime() - release * HOUR_MS)
  const upload = await makeEmptyUpload(server.db, {
    state: 'released',
    patient_id: (await makePatient(server.db)).id,
    institution_id: institutionId,
    category_slug: category,
    created_at: created,
    state_since: released,
    released_at: released,
    examined_on: filing === null ? null : dayBefore(dayInRomania(created), filing),
  })
  if (opening !== null)
    await server.db
      .updateTable('upload')
      .set({ first_opened_at: new Date(released.getTime() + opening * HOUR_MS) })
      .where('id', '=', upload.id)
      .execute()
}

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const { email } = await makeUser(db, { features: ['admin::review-files', 'patient::files'] })
  reviewer = await server.signIn(email)
  a = (await makeInstitution(db)).id
  b = (await makeInstitution(db)).id
  await release(a, 'imagistica', { filing: 0, release: 1, opening: 2 })
  await release(a, 'imagistica::rmn', { filing: 3, release: 30, opening: 80 })
  await release(b, 'laborator', { filing: 1, release: 3, opening: null })
  await release(b, null, { filing: null, release: 5, opening: 4 })
  await release(b, 'laborator', { filing: 9, release: 900, opening: 900, ago: 40 })
})

const STEPS = 'steps { step measured late targetMinutes medianMinutes ninetiethMinutes }'
const READ = `query ($days: Int!, $category: String, $institutionId: ID) {
  turnaround(days: $days, category: $category, institutionId: $institutionId) {
    since released ${STEPS} byCategory { key name released ${STEPS} } byInstitution { key name released ${STEPS} } } }`
const LIST = `query ($since: Date, $category: String, $institutionId: ID, $late: TurnaroundStep) {
  uploads(states: [released], since: $since, category: $category, institutionId: $institutionId, late: $late) { nodes { id } } }`

type Steps = { step: string; late: number; measured: number; medianMinutes: number | null }[]
type Group = { key: string | null; released: number; steps: Steps }

const read = async (variables: Record<string, unknown>) =>
  (await reviewer.runQuery(READ, { days: 30, ...variables })).turnaround
const count = async (variables: Record<string, unknown>) =>
  (await reviewer.runQuery(LIST, variables)).uploads.nodes.length

it('measures each step of the results released in the period, those that wait too long for their opening as late', async () => {
  expect(await read({ days: 30 })).toMatchObject({
    released: 4,
    steps: [
      // 0, 1 and 3 days.
      {
        step: 'filing',
        measured: 3,
        late: 1,
        targetMinutes: 1440,
        medianMinutes: 1440,
        ninetiethMinutes: 3744,
      },
      { step: 'release', measured: 4, late: 1, targetMinutes: 1440, medianMinutes: 240 },
      { step: 'opening', measured: 4, late: 2, targetMinutes: 4320, medianMinutes: 240 },
    ],
  })
  expect((await read({ days: 90 })).released).toBe(5)
  expect((await read({ days: 7 })).since).toBe(dayBefore(dayInRomania(new Date()), 6))
})

it('each figure is the length of the list that it leads to', async () => {
  const checked: string[] = []
  for (const filter of [{}, { category: 'imagistica' }, { institutionId: b }]) {
    for (const days of [7, 30, 90]) {
      const figures = await read({ days, ...filter })
      const same = async (expected: number, more: Record<string, unknown>) => {
        checked.push(JSON.stringify(more))
        expect([more, await count({ since: figures.since, ...filter, ...more })]).toEqual([more, expected])
      }
      await same(figures.released, {})
      for (const { step, late } of figures.steps as Steps) await same(late, { late: step })
      const groups = [
        ...figures.byCategory.map((group: Group) => ({ ...group, filter: { category: group.key } })),
        ...figures.byInstitution.map((group: Group) => ({ ...group, filter: { institutionId: group.key } })),
      ] as (Group & { filter: Record<string, unknown> })[]
      for (const group of groups) {
        if (group.key === null) continue
        await same(group.released, group.filter)
        for (const { step, late } of group.steps) await same(late, { ...group.filter, late: step })
      }
    }
  }
  expect(checked.length).toBeGreaterThan(50)
})

it('groups by main category and by institution, the largest first', async () => {
  const { byCategory, byInstitution } = await read({})
  expect(byCategory.map(({ key, released }: Group) => [key, released])).toEqual([
    ['imagistica', 2],
    ['laborator', 1],
    [null, 1],
  ])
  expect(byInstitution.map(({ key, released }: Group) => [key, released]).sort()).toEqual(
    [
      [a, 2],
      [b, 2],
    ].sort(),
  )
  expect(await read({ category: 'imagistica' })).toMatchObject({ released: 2, byCategory: [] })
})

it('follows the targets of the settings', async () => {
  const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
  const { siteSettings } = await admin.runQuery('{ siteSettings { version } }')
  await admin.runQuery(
    'mutation ($version: Int!) { saveSettings(version: $version, changes: { target_release_hours: 2 }) { version } }',
    { version: siteSettings.version },
  )
  expect((await read({})).steps[1]).toMatchObject({ late: 3, targetMinutes: 120 })
  expect(await count({ late: 'release' })).toBe(4)
})

it('waits for no opening of a result without an institution', async () => {
  const before = await read({})
  await release(null, 'laborator', { filing: 0, release: 1, opening: null })
  const after = await read({})
  expect(after.released).toBe(before.released + 1)
  expect(after.steps[2]).toEqual(before.steps[2])
  expect(await count({ since: after.since, late: 'opening' })).toBe(after.steps[2].late)
})

it('is for reviewers, and for the offered periods', async () => {
  const staff = await server.signIn((await makeUser(server.db, { features: ['patient::files'] })).email)
  expect((await staff.graphql(READ, { days: 7 })).errors[0]?.extensions.code).toBe('FORBIDDEN')
  expect((await reviewer.graphql(READ, { days: 365 })).errors[0]?.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    fields: [{ field: 'days' }],
  })
})
