import { z } from 'zod'
import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { fileForIntegration } from './file-for-integration.ts'
import { groupUpload, matchCategoriesAgain, matchPatientAgain } from './grouping/group-upload.ts'

export const batchJobs = {
  'group-upload': defineJob({
    label: 'Gruparea fișierelor unui lot',
    payload: z.object({ batchId: z.uuid(), uploadId: z.uuid() }),
    retry: DEFAULT_RETRY,
    // Of each batch one group at a time.
    concurrency: { jobs: 2, group: ({ batchId }) => batchId },
    // The rows of the batch wait for it.
    repeatAtStart: true,
    run: groupUpload,
  }),
  'file-for-integration': defineJob({
    label: 'Trimiterea la verificare a rezultatelor sigure ale unei integrări',
    payload: z.object({ uploadId: z.uuid() }),
    retry: DEFAULT_RETRY,
    run: (ctx, { uploadId }) => fileForIntegration(ctx, uploadId),
  }),
  'match-patient-again': defineJob({
    label: 'Căutarea unui pacient în loturile deschise',
    payload: z.object({ patientId: z.uuid() }),
    retry: DEFAULT_RETRY,
    run: (ctx, { patientId }) => matchPatientAgain(ctx, patientId),
  }),
  'match-categories-again': defineJob({
    label: 'Propunerea categoriilor în loturile deschise',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    run: matchCategoriesAgain,
  }),
}
