import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDatabase } from '../../../test/databases.ts'
import { type Db, openDatabase } from './database.ts'

let db: Db
let drop: () => Promise<void>

beforeEach(async () => {
  const made = await createDatabase()
  drop = made.drop
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

it('prepares what runs often, and nothing whose best way depends on a text that is looked for', async () => {
  await repeat(5, () => ofSettings('name'))
  expect(await prepared()).not.toContain('site_setting')
  await repeat(30, () => ofSettings('name'))
  await repeat(30, () => db.selectFrom('app_user').select('id').where('email', 'like', 'a%').execute())
  expect(await prepared()).toContain('from "site_setting"')
  expect(await prepared()).not.toContain('app_user')
})

it('never prepares what begins or ends a transaction', async () => {
  await repeat(30, () =>
    db.transaction().execute((tx) => tx.selectFrom('institution').select('id').execute()),
  )
  expect(await prepared()).toContain('from "institution"')
  expect(await prepared()).not.toMatch(/begin|start|commit|rollback/i)
})

const WITH_ADDED = [expect.objectContaining({ value: 'Dosar', added: null })]

it.each([
  ['the schema moves on', sql`alter table site_setting add column added text`],
  ['somebody has thrown them away', sql`alter table site_setting add column added text; deallocate all`],
])('does not fail for a prepared statement when %s', async (_what, change) => {
  await db.insertInto('site_setting').values({ key: 'name', value: '"Dosar"' }).execute()
  await repeat(30, () => ofSettings('name'))
  await change.execute(db)
  expect(await ofSettings('name')).toEqual(WITH_ADDED)
  expect(await ofSettings('name')).toEqual(WITH_ADDED)
})

it('gives up a transaction once at most on a connection when the schema moves on under it', async () => {
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
