import { z } from 'zod'
import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { sendResetLink } from './links/send-reset-link.ts'
import { deleteExpiredSignIns } from './sign-in/delete-expired-sign-ins.ts'

export const accountJobs = {
  'send-reset-link': defineJob({
    label: 'Linkuri pentru parole noi',
    // Contains the address that a new password was requested for; it may belong to no account.
    payload: z.object({ encrypted: z.base64() }),
    retry: DEFAULT_RETRY,
    run: (ctx, { encrypted }) => sendResetLink(ctx, encrypted),
  }),
  'delete-expired-sign-ins': defineJob({
    label: 'Curățarea autentificărilor',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '47 * * * *', payload: {} },
    run: deleteExpiredSignIns,
  }),
}
