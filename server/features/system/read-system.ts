import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import type { Isolation } from '../../platform/sandbox/isolation.ts'
import type { ForwardedRequest } from '../../platform/untrusted-proxy.ts'
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

/** Failed jobs shown; further ones are in the log. */
const MAX_FAILED_JOBS = 50
const STARTED_AT = new Date()

export type SystemInfo = {
  nodeVersion: string
  startedAt: Date
  database: DatabaseInfo
  jobs: JobCount[]
  failedJobs: FailedJobRow[]
  hasMailServer: boolean
  sandboxIsolation: Isolation
  untrustedProxy: ForwardedRequest | null
  /** Null if no malware scanner is configured; `version` is null if it does not respond. */
  scanner: { version: string | null } | null
}

/** In bytes; `free` is null if the storage has no known limit. */
export type StorageInfo = { files: number; bytes: number; free: number | null }

/** Returns the state of the server, for administrators; it contains no data of patients. */
export async function readSystem(ctx: UserCtx): Promise<SystemInfo> {
  if (!canManageSystem(ctx.actor)) throw forbidden('read the system')
  const { mailer, scanner } = ctx.services
  const [database, jobs, failedJobs, sandboxIsolation, version] = await Promise.all([
    selectDatabaseInfo(ctx.db),
    selectJobCounts(ctx.db),
    selectFailedJobs(ctx.db, MAX_FAILED_JOBS),
    ctx.services.sandbox.isolation(),
    scanner?.version(),
  ])
  return {
    nodeVersion: process.versions.node,
    startedAt: STARTED_AT,
    database,
    jobs,
    failedJobs,
    hasMailServer: mailer !== null,
    sandboxIsolation,
    untrustedProxy: ctx.services.untrustedProxy.first(),
    scanner: version === undefined ? null : { version },
  }
}

/**
 * Returns the space that the files take, for administrators. Separate from `readSystem`, because counting
 * millions of rows is slow.
 */
export async function readStorage(ctx: UserCtx): Promise<StorageInfo> {
  if (!canManageSystem(ctx.actor)) throw forbidden('read the storage')
  const [{ count, bytes }, free] = await Promise.all([
    selectStoredFiles(ctx.db),
    ctx.services.storage.freeBytes(),
  ])
  return { files: count, bytes, free }
}
