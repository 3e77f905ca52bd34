import {
  type Delivery,
  deliveryInForce,
  narrowerDeliveries,
  type OwnDelivery,
} from '../../../../shared/site/setting-bounds.ts'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalid, notFound } from '../../../errors.ts'
import { isMember } from '../institutions.access.ts'
import { type MembershipRow, selectMemberships, updateOwnDelivery } from './departments.db.ts'

/**
 * Chooses how often the actor gets mail about the results of one of their institutions; null: as the institution has it.
 * Only less often than the institution: throws BAD_USER_INPUT otherwise, and NOT_FOUND for another institution. A
 * preference of the actor alone, so it leaves no audit row.
 */
export function chooseDelivery(
  ctx: UserCtx,
  { institutionId, delivery }: { institutionId: string; delivery: Delivery | null },
): Promise<MembershipRow> {
  return inTransaction(ctx, async (tx) => {
    const { actor, db } = tx
    if (!isMember(actor) || !actor.institutionIds.includes(institutionId)) throw notFound('institution')
    const find = async () => (await selectMemberships(db, actor.id, [institutionId]))[0]
    const before = await find()
    if (!before) throw notFound('membership')
    if (delivery !== null && !isNarrower(before.delivery, delivery))
      throw invalid([{ field: 'delivery', message: 'Trebuie să fie mai rar decât are instituția.' }])
    await updateOwnDelivery(db, actor.id, institutionId, delivery)
    return (await find()) ?? before
  })
}

const isNarrower = (institution: Delivery, own: Delivery): own is OwnDelivery =>
  narrowerDeliveries(institution).some((narrower) => narrower === own)

/** Returns how often the member gets mail about results now. */
export const deliveryOf = ({ delivery, own_delivery }: MembershipRow): Delivery =>
  deliveryInForce(delivery, own_delivery)
