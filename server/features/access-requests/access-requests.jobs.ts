import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { purgeAccessRequests } from './purge-access-requests.ts'

export const accessRequestJobs = {
  'purge-access-requests': defineJob({
    label: 'Ștergerea cererilor de acces decise',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '50 2 * * *', payload: {} },
    run: purgeAccessRequests,
  }),
}
