import { afterEach, expect, it } from 'vitest'
import { createDatabase } from '../../test/databases.ts'
import { type Db, openDatabase } from './database.ts'
import { type JobRunner, startJobs } from './jobs.ts'
import { createLog } from './log.ts'

let jobs: JobRunner
let db: Db
let drop: () => Promise<void>

afterEach(async () => {
  await jobs.stop()
  await db.destroy()
  await drop()
})

it('works off many jobs that were put down at once without resting in between', async () => {
  const made = await createDatabase()
  drop = made.drop
  db = openDatabase(made.connection, () => undefined)
  jobs = await startJobs(
    made.connection,
    createLog('error', () => undefined),
  )
  const done: string[] = []
  await jobs.work('upload.check', async ({ uploadId }) => {
    done.push(uploadId)
  })
  const ids = Array.from({ length: 20 }, (_, n) => String(n))
  for (const uploadId of ids) await jobs.enqueue(db, 'upload.check', { uploadId })
  await expect.poll(() => [...done].sort(), { timeout: 10_000 }).toEqual([...ids].sort())
}, 30_000)
