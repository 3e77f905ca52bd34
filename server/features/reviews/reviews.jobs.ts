import { z } from 'zod'
import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { acceptByPolicy } from './accept-by-policy.ts'
import { releaseDueUploads } from './release-due-uploads.ts'

export const reviewJobs = {
  'accept-by-policy': defineJob({
    label: 'Acceptarea fără verificare',
    payload: z.object({ uploadId: z.uuid() }),
    retry: DEFAULT_RETRY,
    run: (ctx, { uploadId }) => acceptByPolicy(ctx, uploadId),
  }),
  'release-due-uploads': defineJob({
    label: 'Eliberarea la termen',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '* * * * *', payload: {} },
    run: releaseDueUploads,
  }),
}
