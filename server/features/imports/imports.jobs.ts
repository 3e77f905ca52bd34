import { z } from 'zod'
import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { deleteOldImports } from './resume-imports.ts'
import { workOnImport } from './work-on-import.ts'

export const importJobs = {
  'import-patients': defineJob({
    label: 'Importul pacienților',
    payload: z.object({ importId: z.uuid(), authorId: z.uuid() }),
    retry: DEFAULT_RETRY,
    // One import of each author at a time.
    concurrency: { jobs: 2, group: ({ authorId }) => authorId },
    expireInSeconds: 4 * 60 * 60,
    run: (ctx, { importId }) => workOnImport(ctx, importId),
  }),
  'delete-old-imports': defineJob({
    label: 'Ștergerea importurilor vechi',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '41 2 * * *', payload: {} },
    run: deleteOldImports,
  }),
}
