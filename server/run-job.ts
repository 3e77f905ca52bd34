import type { Ctx, SystemActor } from './context.ts'
import { sendResetLink } from './features/accounts/links/send-reset-link.ts'
import { deleteExpiredSignIns } from './features/accounts/sign-in/delete-expired-sign-ins.ts'
import { verifyChain } from './features/audit/verify-chain.ts'
import { sendMessage } from './features/messages/send-message.ts'
import { acceptByPolicy } from './features/reviews/accept-by-policy.ts'
import { releaseDueUploads } from './features/reviews/release-due-uploads.ts'
import { checkUpload } from './features/uploads/inspection/check-upload.ts'
import { retryChecks } from './features/uploads/inspection/retry-checks.ts'
import { expireUploads } from './features/uploads/retention/expire-uploads.ts'
import { purgeFiles } from './features/uploads/retention/purge-files.ts'
import { removeExpiredFiles } from './features/uploads/retention/remove-expired-files.ts'
import { restoreFromBin } from './features/uploads/retention/restore-from-bin.ts'
import { deleteExpiredTransfers } from './features/uploads/transfers/delete-expired-transfers.ts'
import type { JobKind, JobKinds } from './platform/jobs.ts'

type JobHandlers = { [K in JobKind]: (ctx: Ctx<SystemActor>, data: JobKinds[K]) => Promise<unknown> }

const JOB_HANDLERS: JobHandlers = {
  'upload.check': (ctx, { uploadId }) => checkUpload(ctx, uploadId),
  'upload.sweep': async (ctx) => {
    await deleteExpiredTransfers(ctx)
    await retryChecks(ctx)
  },
  'file.purge': purgeFiles,
  'upload.expire': async (ctx) => {
    await restoreFromBin(ctx)
    await expireUploads(ctx)
    await removeExpiredFiles(ctx)
  },
  'review.auto': (ctx, { uploadId }) => acceptByPolicy(ctx, uploadId),
  'review.release': releaseDueUploads,
  'message.send': (ctx, { messageId }) => sendMessage(ctx, messageId),
  'account.reset': (ctx, { sealed }) => sendResetLink(ctx, sealed),
  'account.sweep': deleteExpiredSignIns,
  'audit.verify': (ctx, { askedBy }) => verifyChain(ctx, askedBy),
}

/** Runs the verb that handles this kind of job. */
export async function runJob<K extends JobKind>(
  ctx: Ctx<SystemActor>,
  kind: K,
  data: JobKinds[K],
): Promise<void> {
  await JOB_HANDLERS[kind](ctx, data)
}
