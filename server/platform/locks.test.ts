import { expect, it, onTestFinished } from 'vitest'
import { createDatabase, runSql } from '../../test/databases.ts'
import { startLocks } from './locks.ts'
import { createLog } from './log.ts'

async function startTwo() {
  const { connection, drop } = await createDatabase()
  const log = createLog('error', () => undefined)
  const here = startLocks(connection, log)
  const there = startLocks(connection, log)
  onTestFinished(async () => {
    await here.stop()
    await there.stop()
    await drop()
  })
  return { here, there, connection }
}

it('gives a name to one caller at a time, in one process and in several', async () => {
  const { here, there } = await startTwo()
  const lock = await here.tryAcquire('a')
  expect(lock).not.toBeNull()
  expect(await here.tryAcquire('a')).toBeNull()
  expect(await there.tryAcquire('a')).toBeNull()
  expect(await there.tryAcquire('b')).not.toBeNull()
  await lock!.release()
  await lock!.release()
  const next = await there.tryAcquire('a')
  expect(next).not.toBeNull()
  expect(await here.tryAcquire('a')).toBeNull()
})

it('gives a name to exactly one of many simultaneous callers', async () => {
  const { here, there } = await startTwo()
  const attempts = Array.from({ length: 40 }, (_, index) => (index % 2 ? here : there).tryAcquire('a'))
  expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1)
})

it('aborts a lock whose connection is lost, and works again', async () => {
  const { here, there, connection } = await startTwo()
  const lock = await here.tryAcquire('a')
  const lost = new Promise((resolve) => lock!.lost.addEventListener('abort', resolve, { once: true }))
  await runSql(
    connection,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'dosar-locks' and datname = current_database()`,
  )
  await lost
  const taken = await there.tryAcquire('a')
  expect(taken).not.toBeNull()
  // Releasing a lost lock must not release the lock that another caller has by now.
  await lock!.release()
  expect(await here.tryAcquire('a')).toBeNull()
  await taken!.release()
  expect(await here.tryAcquire('a')).not.toBeNull()
})

it('rejects while the database is unavailable, and leaves no lock behind', async () => {
  const { here, connection } = await startTwo()
  const log = createLog('error', () => undefined)
  const nowhere = startLocks({ ...connection, database: 'no_such_database' }, log)
  await expect(nowhere.tryAcquire('a')).rejects.toThrow()
  await expect(nowhere.tryAcquire('a')).rejects.toThrow()
  await nowhere.stop()
  expect(await here.tryAcquire('a')).not.toBeNull()
})
