import type { Ctx, SystemActor } from './context.ts'
import type { Job } from './define-job.ts'
import { accessRequestJobs } from './features/access-requests/access-requests.jobs.ts'
import { accountJobs } from './features/accounts/accounts.jobs.ts'
import { auditJobs } from './features/audit/audit.jobs.ts'
import { batchJobs } from './features/batches/batches.jobs.ts'
import { categoryJobs } from './features/categories/categories.jobs.ts'
import { deliveryJobs } from './features/deliveries/deliveries.jobs.ts'
import { importJobs } from './features/imports/imports.jobs.ts'
import { messageJobs } from './features/messages/messages.jobs.ts'
import { newsJobs } from './features/news/news.jobs.ts'
import { operationJobs } from './features/operations/operations.jobs.ts'
import { patientJobs } from './features/patients/patients.jobs.ts'
import { reviewJobs } from './features/reviews/reviews.jobs.ts'
import { shareJobs } from './features/shares/shares.jobs.ts'
import { systemJobs } from './features/system/system.jobs.ts'
import { uploadJobs } from './features/uploads/uploads.jobs.ts'
import { parsePayload } from './platform/jobs.ts'

/** All background jobs. The name of a job is stored in the queue: renaming one takes a migration. */
export const JOBS = {
  ...auditJobs,
  ...messageJobs,
  ...accountJobs,
  ...uploadJobs,
  ...deliveryJobs,
  ...reviewJobs,
  ...operationJobs,
  ...batchJobs,
  ...importJobs,
  ...categoryJobs,
  ...patientJobs,
  ...newsJobs,
  ...accessRequestJobs,
  ...shareJobs,
  ...systemJobs,
}
export type JobName = keyof typeof JOBS

declare module './platform/jobs.ts' {
  interface RegisteredJobs {
    table: typeof JOBS
  }
}

/** Runs the verb of the job; throws BadPayload for a payload that does not match the job's schema. */
export async function runJob(ctx: Ctx<SystemActor>, name: JobName, payload: unknown): Promise<void> {
  const job: Job = JOBS[name]
  await job.run(ctx, parsePayload(job.payload, payload))
}

/** Returns the Romanian name of a job, null for a name that is not in the table. */
export const jobLabel = (name: string): string | null =>
  Object.hasOwn(JOBS, name) ? JOBS[name as JobName].label : null
