import { z } from 'zod'
import type { Ctx, SystemActor } from './context.ts'
import type { JobSettings } from './platform/jobs.ts'

export type Job<P = unknown> = JobSettings<P> & {
  /** The Romanian name that administrators see. */
  label: string
  /** The verb. It may run twice for one job: a server that stops does not finish its jobs. */
  run(ctx: Ctx<SystemActor>, payload: P): Promise<unknown>
}

/** The payload of jobs that need none. */
export const NO_PAYLOAD = z.strictObject({})

/** Declares a job of a feature, in `<feature>.jobs.ts`; the type of its payload is that of the schema. */
export const defineJob = <P>(job: Job<P>): Job<P> => job
