import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

const SQLITE_BUSY = 5
const LOCK_TIMEOUT_MS = 120_000

/**
 * Runs `work` under an exclusive lock of the data directory on this machine: one process at a time creates
 * the cluster, or adopts, starts or stops its server. The lock is the operating system's lock on
 * `<dataDir>/postgres.lock`, an (always empty) SQLite file since Node has no call for file locks; it ends
 * with its process, also under `kill -9`. Throws when the lock is not free within two minutes.
 */
export async function withDirectoryLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const path = join(dataDir, 'postgres.lock')
  createPrivateFile(path)
  const file = new DatabaseSync(path)
  try {
    const deadline = Date.now() + LOCK_TIMEOUT_MS
    while (!tryLock(file)) {
      if (Date.now() > deadline)
        throw new Error(`Another process has been starting the database in ${dataDir} for 2 minutes`)
      await pause(50)
    }
    return await work()
  } finally {
    file.close()
  }
}

// The file must never be opened in another way: closing a second descriptor would release the lock of the
// first.
function createPrivateFile(path: string) {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function tryLock(file: DatabaseSync): boolean {
  try {
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
    throw error
  }
}
