import { z } from 'zod'
import { defineJob } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { verifyChain } from './verify-chain.ts'

export const auditJobs = {
  'verify-chain': defineJob({
    label: 'Verificarea jurnalului',
    // The administrator who requested the verification; null for the nightly one.
    payload: z.object({ askedBy: z.uuid().nullable() }),
    retry: DEFAULT_RETRY,
    schedule: { cron: '23 2 * * *', payload: { askedBy: null } },
    key: () => 'chain',
    run: (ctx, { askedBy }) => verifyChain(ctx, askedBy),
  }),
}
