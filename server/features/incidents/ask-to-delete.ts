import type { Ctx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { listInstitutionUsers } from '../institutions/list-institution-users.ts'
import { queueMessage } from '../messages/queue-message.ts'
import type { Opening } from '../uploads/released/openings.ts'
import { insertDeletionRequests } from './deletion-requests.db.ts'

type Asked = { incidentId: string; uploadNumber: number; releasedAt: Date; openings: readonly Opening[] }

/**
 * Asks each institution whose users opened the upload to delete what they have: in its inbox, and by a mail to its
 * active accounts. Neither names the patient; both name the result by its number.
 */
export async function askToDelete(
  tx: Ctx,
  { incidentId, uploadNumber, releasedAt, openings }: Asked,
): Promise<void> {
  const institutionIds = [...new Set(openings.flatMap(({ institutionId }) => institutionId ?? []))]
  for (const institutionId of institutionIds) {
    const id = newId()
    const users = (await listInstitutionUsers(tx, institutionId)).filter(
      ({ effective_status }) => effective_status === 'active',
    )
    await insertDeletionRequests(tx.db, [
      {
        id,
        incident_id: incidentId,
        institution_id: institutionId,
        upload_number: uploadNumber,
        released_at: releasedAt,
        mailed: users.length,
        openings: JSON.stringify(openings.filter((opening) => opening.institutionId === institutionId)),
        created_at: tx.now,
      },
    ])
    for (const user of users)
      await queueMessage(tx, {
        to: { name: user.name, address: user.email },
        content: { kind: 'deletion-request', uploadNumber, releasedAt },
        about: { type: 'user', id: user.id },
      })
    await recordAudit(tx, {
      action: 'deletion-request.create',
      subject: { type: 'institution', id: institutionId },
      changes: { upload_number: { to: uploadNumber } },
    })
    await announceRequest(tx, institutionId)
  }
}

/** Notifies the open pages of the institution and of reviewers, at commit, that a request was made or answered. */
export const announceRequest = ({ db }: Ctx, institutionId: string): Promise<void> =>
  publish(db, { kind: 'deletion-request', institutionId })
