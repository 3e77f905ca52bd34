import { z } from 'zod'
import { defineJob, NO_PAYLOAD } from '../../define-job.ts'
import { DEFAULT_RETRY } from '../../platform/jobs.ts'
import { checkUpload } from './inspection/check-upload.ts'
import { readMissingFacts } from './inspection/read-missing-facts.ts'
import { retryChecks } from './inspection/retry-checks.ts'
import { readFile } from './readings/read-file.ts'
import { applyRetention } from './retention/apply-retention.ts'
import { purgeFiles } from './retention/purge-files.ts'
import { drawThumbnails } from './thumbnails/draw-thumbnails.ts'
import { deleteExpiredTransfers } from './transfers/delete-expired-transfers.ts'

/** Returns 0 or 1 for a random id, so that the files of an author are two groups. */
const halfOf = (id: string) => Number.parseInt(id.slice(-1), 16) % 2

export const uploadJobs = {
  'check-upload': defineJob({
    label: 'Controlul fișierelor',
    // Jobs of earlier builds have no author.
    payload: z.object({ uploadId: z.uuid(), authorId: z.uuid().optional() }),
    // For a malware scanner that is down: about an hour, after which `retry-checks` enqueues the check again.
    retry: { retryLimit: 20, retryDelay: 2, retryBackoff: true, retryDelayMax: 300 },
    // One upload of each author at a time; its files share the lanes with those of the other authors.
    concurrency: { jobs: 8, group: ({ authorId }) => authorId },
    expireInSeconds: 4 * 60 * 60,
    run: (ctx, { uploadId }) => checkUpload(ctx, uploadId),
  }),
  'read-file': defineJob({
    label: 'Citirea fișierelor înainte de trimitere',
    payload: z.object({ fileId: z.uuid(), authorId: z.uuid() }),
    // The check reads what was not read after about ten minutes without a malware scanner.
    retry: { retryLimit: 8, retryDelay: 2, retryBackoff: true, retryDelayMax: 300 },
    // Two files of each of eight authors at a time, which share the lanes with the checks and the files of the others.
    concurrency: { jobs: 16, group: ({ authorId, fileId }) => `${authorId} ${halfOf(fileId)}` },
    // Of a reading that is made twice, one is kept.
    repeatAtStart: true,
    run: (ctx, { fileId }) => readFile(ctx, fileId),
  }),
  'draw-thumbnails': defineJob({
    label: 'Miniaturile fișierelor',
    payload: z.object({ uploadId: z.uuid(), authorId: z.uuid() }),
    retry: DEFAULT_RETRY,
    // One upload of each author at a time.
    concurrency: { jobs: 2, group: ({ authorId }) => authorId },
    expireInSeconds: 4 * 60 * 60,
    run: drawThumbnails,
  }),
  'retry-checks': defineJob({
    label: 'Reluarea controalelor pierdute',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    // A check that a lost connection to the database ended leaves its author waiting for this long.
    schedule: { cron: '*/10 * * * *', payload: {} },
    run: (ctx) => retryChecks(ctx),
  }),
  'read-missing-facts': defineJob({
    label: 'Citirea datelor din fișierele mai vechi',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    expireInSeconds: 4 * 60 * 60,
    run: readMissingFacts,
  }),
  'delete-expired-transfers': defineJob({
    label: 'Curățarea încărcărilor neterminate',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '17 * * * *', payload: {} },
    run: deleteExpiredTransfers,
  }),
  'apply-retention': defineJob({
    label: 'Aplicarea termenului de păstrare',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '23 1 * * *', payload: {} },
    run: applyRetention,
  }),
  'purge-files': defineJob({
    label: 'Ștergerea fișierelor eliminate',
    payload: NO_PAYLOAD,
    retry: DEFAULT_RETRY,
    schedule: { cron: '20 2 * * *', payload: {} },
    run: purgeFiles,
  }),
}
