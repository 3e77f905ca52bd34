import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase } from '../../../test/databases.ts'
import { type Db, openDatabase } from './database.ts'

let db: Db
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await createDatabase()
  drop = made.drop
  db = openDatabase({ ...made.connection, max: 1 }, () => undefined)
})
afterAll(async () => {
  await db.destroy()
  await drop()
})

it('reads dates correctly in every time zone of the database', async () => {
  const written = [
    '2026-03-02T12:00:00.000Z',
    '2026-10-25T00:59:59.999Z',
    '1899-12-31T23:59:59.120Z',
    '0999-01-01T00:00:00.000Z',
    '9999-12-31T23:00:00.000Z',
    '+010000-01-02T00:00:00.000Z',
  ]
  for (const zone of ['UTC', 'Europe/Bucharest', 'America/St_Johns', 'Asia/Kathmandu']) {
    await sql`set timezone = ${sql.lit(zone)}`.execute(db)
    for (const text of written) {
      const { rows } = await sql<{ at: Date }>`
        select to_timestamp(${new Date(text).getTime()}::double precision / 1000) as at`.execute(db)
      expect([zone, rows[0]!.at.toISOString()]).toEqual([zone, text])
    }
    const { rows } = await sql<{ none: null; end: number; micro: Date }>`
      select null::timestamptz as none, 'infinity'::timestamptz as end,
        timestamptz '2026-03-02 12:00:00.123456Z' as micro`.execute(db)
    expect(rows[0]).toEqual({ none: null, end: Infinity, micro: new Date('2026-03-02T12:00:00.123Z') })
  }
})
