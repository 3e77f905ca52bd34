import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { moveCategoryUploads } from './move-category-uploads.ts'

export const categoryJobs = {
  'move-category-uploads': defineJob({
    label: 'Mutarea încărcărilor unei categorii',
    payload: NO_PAYLOAD,
    // For about an hour without a database; a start of the server resumes it as well.
    retry: { retryLimit: 20, retryDelay: 2, retryBackoff: true, retryDelayMax: 300 },
    // Each job works for some seconds.
    expireInSeconds: 120,
    run: (ctx) => moveCategoryUploads(ctx),
  }),
}
