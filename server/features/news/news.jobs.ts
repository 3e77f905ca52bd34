import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { purgeRemovedNews } from './purge-removed-news.ts'

export const newsJobs = {
  'purge-removed-news': defineJob({
    label: 'Ștergerea definitivă a noutăților șterse',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '55 2 * * *', payload: {} },
    run: purgeRemovedNews,
  }),
}
