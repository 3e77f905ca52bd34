import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../db/factories.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { type Placeholders, staticQuery } from './static-query.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
})

describe('a static query', () => {
  it('uses the values of each call, in the pool and in a transaction', async () => {
    let built = 0
    const find = staticQuery(
      (db, slot: Placeholders<{ emails: readonly string[]; role: 'admin' | 'staff' }>) => {
        built += 1
        return db
          .selectFrom('app_user')
          .select(['email', sql<string>`${slot('role')}::text`.as('requested')])
          .where('role', '=', slot('role'))
          .where('email', '=', sql<string>`any(${slot('emails')}::text[])`)
          .where('status', '=', 'active')
          .orderBy('email')
      },
    )
    const [first, second, third] = [
      await makeUser(server.db, { role: 'admin', email: 'a@dosar.test' }),
      await makeUser(server.db, { role: 'admin', email: 'b@dosar.test' }),
      await makeUser(server.db, { role: 'staff', email: 'c@dosar.test' }),
    ]
    const emails = [first, second, third].map(({ email }) => email)
    expect(await find(server.db, { emails, role: 'admin' })).toEqual([
      { email: 'a@dosar.test', requested: 'admin' },
      { email: 'b@dosar.test', requested: 'admin' },
    ])
    expect(await find(server.db, { emails: emails.slice(1), role: 'staff' })).toEqual([
      { email: 'c@dosar.test', requested: 'staff' },
    ])
    const undone = new Error('undone')
    const attempt = server.db.transaction().execute(async (tx) => {
      await tx.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', first.id).execute()
      expect(await find(tx, { emails, role: 'admin' })).toEqual([
        { email: 'b@dosar.test', requested: 'admin' },
      ])
      throw undone
    })
    await expect(attempt).rejects.toBe(undone)
    expect(built).toBe(1)
  })
})
