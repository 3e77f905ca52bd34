import { WORK_ACTIONS, type WorkCounts } from '../../../shared/audit/work-of-people.ts'
import { dayBefore, dayInRomania } from '../../../shared/romania/day.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { countActionsByPerson } from '../audit/count-actions.ts'
import { requireTurnaroundDays } from '../uploads/turnaround/read-turnaround.ts'
import { canReadWork } from './dashboard.access.ts'

export type PersonWork = WorkCounts & { id: string; name: string }

const FIELDS = Object.keys(WORK_ACTIONS) as (keyof WorkCounts)[]

/**
 * Returns what each account did in the last days, those with most first, as the audit log lists it. Throws FORBIDDEN unless
 * the actor is an administrator, BAD_USER_INPUT for another number of days than those offered.
 */
export async function readWork(ctx: UserCtx, days: number): Promise<PersonWork[]> {
  if (!canReadWork(ctx.actor)) throw forbidden('read the work of people')
  requireTurnaroundDays(days)
  const to = dayInRomania(ctx.now)
  const counts = await countActionsByPerson(ctx, Object.values(WORK_ACTIONS), {
    from: dayBefore(to, days - 1),
    to,
  })
  const people = new Map<string, PersonWork>()
  for (const { id, name, action, count } of counts) {
    const person = people.get(id) ?? { id, name, filed: 0, accepted: 0, rejected: 0 }
    person[FIELDS.find((field) => WORK_ACTIONS[field] === action)!] = count
    people.set(id, person)
  }
  const total = ({ filed, accepted, rejected }: PersonWork) => filed + accepted + rejected
  return [...people.values()].sort((a, b) => total(b) - total(a))
}
