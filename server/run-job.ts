import type { Ctx, SystemActor } from './context.ts'
import { sendResetLink } from './features/accounts/send-reset-link.ts'
import { sweepSignIns } from './features/accounts/sweep-sign-ins.ts'
import { verifyChain } from './features/audit/verify-chain.ts'
import { sendMessage } from './features/messages/send-message.ts'
import { checkUpload } from './features/uploads/check-upload.ts'
import { retryChecks } from './features/uploads/retry-checks.ts'
import { sweepTransfers } from './features/uploads/sweep-transfers.ts'
import type { JobKind, JobKinds } from './platform/jobs.ts'

type Runs = { [K in JobKind]: (ctx: Ctx<SystemActor>, data: JobKinds[K]) => Promise<unknown> }

const RUNS: Runs = {
  'upload.check': (ctx, { uploadId }) => checkUpload(ctx, uploadId),
  'upload.sweep': async (ctx) => {
    await sweepTransfers(ctx)
    await retryChecks(ctx)
  },
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
