import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { endExpiredShares, purgeShares } from './purge-shares.ts'

export const shareJobs = {
  'end-expired-shares': defineJob({
    label: 'Închiderea linkurilor expirate',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '7 * * * *', payload: {} },
    run: endExpiredShares,
  }),
  'purge-shares': defineJob({
    label: 'Ștergerea urmelor linkurilor încheiate',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '55 2 * * *', payload: {} },
    run: purgeShares,
  }),
}
