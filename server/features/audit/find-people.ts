import { LIMITS } from '../../../shared/limits.ts'
import { queryWords, searchWords } from '../../../shared/romania/names.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { readSearch } from '../../graphql/connections.ts'
import { canReadWholeAuditLog } from './audit.access.ts'
import { type PersonRow, selectPeople } from './audit.db.ts'

/**
 * Returns people whose entries can be filtered by, for administrators: at most a page of accounts that match
 * the beginnings of words of name or address; with an `id` only that person.
 */
export async function findPeople(
  ctx: UserCtx,
  { search, id }: { search?: string | null | undefined; id?: string | null | undefined },
): Promise<PersonRow[]> {
  if (!canReadWholeAuditLog(ctx.actor)) throw forbidden('list people of the audit log')
  const people = await selectPeople(ctx.db)
  if (id) return people.filter((person) => person.id === id)
  const requested = queryWords(readSearch(search))
  return people
    .filter(({ name, email }) => {
      const words = searchWords(`${name} ${email}`)
      return requested.every((start) => words.some((word) => word.startsWith(start)))
    })
    .slice(0, LIMITS.pageSize)
}
