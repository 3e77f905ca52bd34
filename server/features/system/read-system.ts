import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canManageSystem } from './system.access.ts'
import {
  type DatabaseInfo,
  type FailedJobRow,
  type JobCount,
  selectDatabaseInfo,
  selectFailedJobs,
  selectJobCounts,
  selectStoredFiles,
} from './system.db.ts'

/** Failed jobs shown: whoever has more of them looks at the log. */
const MAX_FAILED_JOBS = 50
const STARTED_AT = new Date()

export type SystemInfo = {
  nodeVersion: string
  startedAt: Date
  database: DatabaseInfo
  jobs: JobCount[]
  failedJobs: FailedJobRow[]
  hasMailServer: boolean
}

/** Bytes; `free` null where the store knows no bound. */
export type StorageInfo = { files: number; bytes: number; free: number | null }

/** How the machine fares, for administrators: nothing in it is about a patient. */
export async function readSystem(ctx: UserCtx): Promise<SystemInfo> {
  if (!canManageSystem(ctx.actor)) throw forbidden('read the system')
  const [database, jobs, failedJobs] = await Promise.all([
    selectDatabaseInfo(ctx.db),
    selectJobCounts(ctx.db),
    selectFailedJobs(ctx.db, MAX_FAILED_JOBS),
  ])
  return {
    nodeVersion: process.versions.node,
    startedAt: STARTED_AT,
    database,
    jobs,
    failedJobs,
    hasMailServer: ctx.services.mailer !== null,
  }
}

/** What the files take. Every row of them is counted: with millions of files the rest of the page need not wait for it. */
export async function readStorage(ctx: UserCtx): Promise<StorageInfo> {
  if (!canManageSystem(ctx.actor)) throw forbidden('read the storage')
  const [{ count, bytes }, free] = await Promise.all([
    selectStoredFiles(ctx.db),
    ctx.services.storage.freeBytes(),
  ])
  return { files: count, bytes, free }
}
