import { INSTITUTION_FIGURES } from '../../../shared/institutions.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getInstitution } from '../institutions/get-institution.ts'
import { readDays } from '../uploads/of-institution/list-institution-results.ts'
import { insertResent } from './announcements.db.ts'
import { canReadUnopened } from './deliveries.access.ts'
import { selectUnopened, type UnopenedFilter, type UnopenedRow } from './unopened.db.ts'

export type UnopenedArgs = { days?: number | null | undefined; olderThan?: number | null | undefined }

const readFilter = ({ days, olderThan }: UnopenedArgs): UnopenedFilter => ({
  days: readDays(days, 'days'),
  olderThan: readDays(olderThan, 'olderThan'),
})

/**
 * Returns the institutions with results that nobody there has opened, the longest waiting first, for staff with the files of
 * patients; `listInstitutionResults` lists the results of each. No patient is named.
 */
export async function listUnopenedInstitutions(ctx: UserCtx, args: UnopenedArgs): Promise<UnopenedRow[]> {
  if (!canReadUnopened(ctx.actor)) throw forbidden('list unopened results')
  return selectUnopened(ctx.db, readFilter(args), { now: ctx.now, limit: INSTITUTION_FIGURES.countMax })
}

/** `people`: how many users get a mail. `unreached`: institutions of which nobody gets one. */
export type Resent = { people: number; unreached: string[] }

/**
 * Announces the unopened results of institutions again to all their users who want mail, at once, for staff with the files of
 * patients; the actor is notified of mails that fail. Throws NOT_FOUND for an unknown institution.
 */
export function resendAnnouncements(
  ctx: UserCtx,
  { institutionIds, ...args }: UnopenedArgs & { institutionIds: readonly string[] },
): Promise<Resent> {
  if (!canReadUnopened(ctx.actor)) throw forbidden('resend announcements')
  const filter = readFilter(args)
  const ids = [...new Set(institutionIds)]
  if (ids.length === 0 || ids.length > LIMITS.pageSizeMax)
    throw invalid([
      { field: 'institutionIds', message: `Alege între 1 și ${LIMITS.pageSizeMax} de instituții.` },
    ])
  return inTransaction(ctx, async (tx) => {
    const resent: Resent = { people: 0, unreached: [] }
    for (const institutionId of ids) {
      const { name } = await getInstitution(tx, institutionId)
      const people = await insertResent(tx.db, { institutionId, askedBy: tx.actor.id, filter, now: tx.now })
      resent.people += people
      if (people === 0) resent.unreached.push(name)
      else
        await recordAudit(tx, {
          action: 'message.resend',
          subject: { type: 'institution', id: institutionId },
        })
    }
    await tx.services.jobs.enqueue(tx.db, 'announce-results', {})
    return resent
  })
}
