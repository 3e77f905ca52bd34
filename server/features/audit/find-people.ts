import { LIMITS } from '../../../shared/limits.ts'
import { queryWords, searchWords } from '../../../shared/romania/names.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { readSearch } from '../../graphql/connections.ts'
import { canReadWholeAuditLog } from './audit.access.ts'
import { type PersonRow, selectPeople } from './audit.db.ts'

/**
 * Returns the accounts offered by the audit log's filter: at most a page of those where each word of `search`
 * begins a word of the name or the address, or only the account `id`. Throws FORBIDDEN unless the actor is an
 * administrator.
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
