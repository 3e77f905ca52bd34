import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { deleteUnusedFiles } from './delete-unused-files.ts'
import { notifyProblems } from './notify-problems.ts'

export const systemJobs = {
  'delete-unused-files': defineJob({
    label: 'Ștergerea fișierelor rămase după o oprire',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '51 2 * * *', payload: {} },
    run: deleteUnusedFiles,
  }),
  'notify-problems': defineJob({
    label: 'Anunțarea problemelor produsului',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '*/5 * * * *', payload: {} },
    key: () => 'all',
    run: notifyProblems,
  }),
}
