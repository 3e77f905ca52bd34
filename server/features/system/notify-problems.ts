import { type ChainFault, isChainWarning } from '../../../shared/audit/chain-faults.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { findActiveAdministrators } from '../accounts/users/find-administrators.ts'
import { findLastVerification } from '../audit/find-last-verification.ts'
import { queueMessage } from '../messages/queue-message.ts'
import { noteProblems, selectJobCounts } from './system.db.ts'

const CHAIN = 'chain '
const JOB = 'job '

/**
 * Mails the administrators that the chain of the audit log is broken, or that jobs have failed: once for each kind of fault
 * and each job, until it is solved.
 */
export function notifyProblems(ctx: Ctx<SystemActor>): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const faults = ((await findLastVerification(tx))?.faults ?? []) as ChainFault[]
    const broken = faults.filter(({ kind }) => !isChainWarning(kind)).map(({ kind }) => CHAIN + kind)
    const failed = (await selectJobCounts(tx.db))
      .filter((job) => job.failed > 0)
      .map(({ name }) => JOB + name)
    const found = await noteProblems(tx.db, [...new Set([...broken, ...failed])], tx.now)
    if (found.length === 0) return
    for (const { id, name, email } of await findActiveAdministrators(tx)) {
      await queueMessage(tx, {
        to: { name, address: email },
        content: {
          kind: 'problems',
          isChainBroken: found.some((key) => key.startsWith(CHAIN)),
          haveJobsFailed: found.some((key) => key.startsWith(JOB)),
        },
        about: { type: 'user', id },
      })
    }
  })
}
