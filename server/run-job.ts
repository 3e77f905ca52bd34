import type { Ctx, SystemActor } from './context.ts'
import { sendResetLink } from './features/accounts/send-reset-link.ts'
import { sweepSignIns } from './features/accounts/sweep-sign-ins.ts'
import { verifyChain } from './features/audit/verify-chain.ts'
import { sendMessage } from './features/messages/send-message.ts'
import { acceptByPolicy } from './features/reviews/accept-by-policy.ts'
import { releaseDueUploads } from './features/reviews/release-due-uploads.ts'
import { checkUpload } from './features/uploads/check-upload.ts'
import { expireUploads } from './features/uploads/expire-uploads.ts'
import { purgeFiles } from './features/uploads/purge-files.ts'
import { removeExpiredFiles } from './features/uploads/remove-expired-files.ts'
import { retryChecks } from './features/uploads/retry-checks.ts'
import { sweepTransfers } from './features/uploads/sweep-transfers.ts'
import { unexpireUploads } from './features/uploads/unexpire-uploads.ts'
import type { JobKind, JobKinds } from './platform/jobs.ts'

type Runs = { [K in JobKind]: (ctx: Ctx<SystemActor>, data: JobKinds[K]) => Promise<unknown> }

const RUNS: Runs = {
  'upload.check': (ctx, { uploadId }) => checkUpload(ctx, uploadId),
  'upload.sweep': async (ctx) => {
    await sweepTransfers(ctx)
    await retryChecks(ctx)
  },
  'file.purge': purgeFiles,
  'upload.expire': async (ctx) => {
    await unexpireUploads(ctx)
    await expireUploads(ctx)
    await removeExpiredFiles(ctx)
  },
  'review.auto': (ctx, { uploadId }) => acceptByPolicy(ctx, uploadId),
  'review.release': releaseDueUploads,
  'message.send': (ctx, { messageId }) => sendMessage(ctx, messageId),
  'account.reset': (ctx, { sealed }) => sendResetLink(ctx, sealed),
  'account.sweep': sweepSignIns,
  'audit.verify': (ctx, { askedBy }) => verifyChain(ctx, askedBy),
}

/** Which verb does which kind of job. */
export async function runJob<K extends JobKind>(
  ctx: Ctx<SystemActor>,
  kind: K,
  data: JobKinds[K],
): Promise<void> {
  await RUNS[kind](ctx, data)
}
