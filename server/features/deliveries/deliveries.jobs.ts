import { z } from 'zod'
import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { messageJobs } from '../messages/messages.jobs.ts'
import { announceResults } from './announce-results.ts'
import { remindInstitutions } from './remind-institutions.ts'
import { sendDigest } from './send-digest.ts'

export const deliveryJobs = {
  'announce-results': defineJob({
    label: 'Anunțarea rezultatelor',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '* * * * *', payload: {} },
    key: () => 'all',
    run: announceResults,
  }),
  'send-digest': defineJob({
    label: 'Trimiterea anunțurilor despre rezultate',
    payload: z.object({ messageId: z.uuid() }),
    retry: messageJobs['send-message'].retry,
    key: ({ messageId }) => messageId,
    run: (ctx, { messageId }) => sendDigest(ctx, messageId),
  }),
  'remind-institutions': defineJob({
    label: 'Amintirea rezultatelor nedeschise',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    // Before eight in Romania, in summer and in winter, so that a daily digest has it.
    schedule: { cron: '45 4 * * *', payload: {} },
    run: remindInstitutions,
  }),
}
