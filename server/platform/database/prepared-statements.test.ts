import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDatabase } from '../../../test/databases.ts'
import type { Db } from './database.ts'

let db: Db
let drop: () => Promise<void>

beforeEach(async () => {
  const made = await createDatabase()
  drop = made.drop
  // Other test files of this worker may have prepared as many statements as a process prepares.
  vi.resetModules()
  const { openDatabase } = await import('./database.ts')
  db = openDatabase({ ...made.connection, max: 1 }, () => undefined)
})

afterEach(async () => {
  await db.destroy()
  await drop()
})

const ofSettings = (key: string) => db.selectFrom('site_setting').selectAll().where('key', '=', key).execute()
const repeat = async (times: number, work: () => Promise<unknown>) => {
  for (let time = 0; time < times; time += 1) await work()
}
const prepared = async (): Promise<string> => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
  return rows.map(({ statement }) => statement).join('\n')
}

it('prepares frequent statements, but none whose best plan depends on a search text', async () => {
  await repeat(5, () => ofSettings('name'))
  expect(await prepared()).not.toContain('site_setting')
  await repeat(30, () => ofSettings('name'))
  await repeat(30, () => db.selectFrom('app_user').select('id').where('email', 'like', 'a%').execute())
  expect(await prepared()).toContain('from "site_setting"')
  expect(await prepared()).not.toContain('app_user')
})

it('never prepares statements that begin or end a transaction', async () => {
  await repeat(30, () =>
    db.transaction().execute((tx) => tx.selectFrom('institution').select('id').execute()),
  )
  expect(await prepared()).toContain('from "institution"')
  expect(await prepared()).not.toMatch(/begin|start|commit|rollback/i)
})

const WITH_ADDED = [expect.objectContaining({ value: 'Dosar', added: null })]

it.each([
  ['the schema changes', sql`alter table site_setting add column added text`],
  ['another client has removed them', sql`alter table site_setting add column added text; deallocate all`],
])('repeats a prepared statement when %s', async (_what, change) => {
  await db.insertInto('site_setting').values({ key: 'name', value: '"Dosar"' }).execute()
  await repeat(30, () => ofSettings('name'))
  await change.execute(db)
  expect(await ofSettings('name')).toEqual(WITH_ADDED)
  expect(await ofSettings('name')).toEqual(WITH_ADDED)
})

it('fails at most one transaction per connection when the schema changes during it', async () => {
  await db.insertInto('site_setting').values({ key: 'name', value: '"Dosar"' }).execute()
  await repeat(30, () => ofSettings('name'))
  await sql`alter table site_setting add column added text`.execute(db)
  const inTransaction = () =>
    db
      .transaction()
      .execute((tx) => tx.selectFrom('site_setting').selectAll().where('key', '=', 'name').execute())
  await expect(inTransaction()).rejects.toThrow()
  expect(await inTransaction()).toEqual(WITH_ADDED)
})
