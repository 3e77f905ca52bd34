import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { deleteUnusedFiles } from './delete-unused-files.ts'

export const systemJobs = {
  'delete-unused-files': defineJob({
    label: 'Ștergerea fișierelor rămase după o oprire',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '51 2 * * *', payload: {} },
    run: deleteUnusedFiles,
  }),
}
