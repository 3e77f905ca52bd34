import { z } from 'zod'
import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { deleteOldOperations, runOperation } from './run-operation.ts'

export const operationJobs = {
  'run-operation': defineJob({
    label: 'Operațiile în masă',
    payload: z.object({ operationId: z.uuid() }),
    // For about an hour without a database; a start of the server resumes it as well.
    retry: { retryLimit: 20, retryDelay: 2, retryBackoff: true, retryDelayMax: 300 },
    // Each job works for some seconds.
    expireInSeconds: 120,
    run: (ctx, payload) => runOperation(ctx, payload),
  }),
  'delete-old-operations': defineJob({
    label: 'Ștergerea operațiilor în masă vechi',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '40 2 * * *', payload: {} },
    run: deleteOldOperations,
  }),
}
