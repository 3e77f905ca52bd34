import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canKeepSystem } from './system.access.ts'
import {
  type DatabaseFacts,
  type FailedJobRow,
  type JobCount,
  selectDatabaseFacts,
  selectFailedJobs,
  selectJobCounts,
  selectStoredFiles,
} from './system.db.ts'

/** Failed jobs shown: whoever has more of them looks at the log. */
const SHOWN = 50
const STARTED_AT = new Date()

export type SystemFacts = {
  nodeVersion: string
  startedAt: Date
  database: DatabaseFacts
  /** Bytes; `free` null where the store knows no bound. */
  storage: { files: number; bytes: number; free: number | null }
  jobs: JobCount[]
  failedJobs: FailedJobRow[]
  hasMailServer: boolean
}

/** How the machine fares, for administrators: nothing in it is about a patient. */
export async function readSystem(ctx: UserCtx): Promise<SystemFacts> {
  if (!canKeepSystem(ctx.actor)) throw forbidden('read the system')
  const [database, { count, bytes }, free, jobs, failedJobs] = await Promise.all([
    selectDatabaseFacts(ctx.db),
    selectStoredFiles(ctx.db),
    ctx.storage.freeBytes(),
    selectJobCounts(ctx.db),
    selectFailedJobs(ctx.db, SHOWN),
  ])
  return {
    nodeVersion: process.versions.node,
    startedAt: STARTED_AT,
    database,
    storage: { files: count, bytes, free },
    jobs,
    failedJobs,
    hasMailServer: ctx.mailer !== null,
  }
}
