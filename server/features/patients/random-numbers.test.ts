import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePatient, makeUpload } from '../../../db/factories.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
})

it('numbers of patients and uploads do not count up', async () => {
  const { db, services } = server
  const patients = await Promise.all(Array.from({ length: 20 }, () => makePatient(db)))
  const uploads = await Promise.all(Array.from({ length: 20 }, () => makeUpload(db, services.storage)))
  for (const rows of [patients, uploads]) {
    const ids = new Set(rows.map(({ id }) => id))
    expect(ids.size).toBe(20)
  }
  for (const table of ['patient', 'upload'] as const) {
    const { rows } = await sql<{
      number: number
    }>`select number from ${sql.table(table)} order by created_at, id`.execute(db)
    const numbers = rows.map(({ number }) => number)
    for (const number of numbers)
      expect(number).toSatisfy((each: number) => each >= 100_000 && each <= 999_999)
    expect(numbers).not.toEqual([...numbers].sort((a, b) => a - b))
  }
})
