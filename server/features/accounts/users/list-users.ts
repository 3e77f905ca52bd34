import { z } from 'zod'
import { ACCOUNT_STATUSES } from '../../../../shared/access/account-statuses.ts'
import { ROLES } from '../../../../shared/access/roles.ts'
import type { UserCtx } from '../../../context.ts'
import { forbidden, notFound } from '../../../errors.ts'
import { type Page, parsePage, readSearch, type SearchArgs, toPage } from '../../../graphql/connections.ts'
import { isId } from '../../../platform/ids.ts'
import { optionalOneOf, parseInput } from '../../../validation.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { selectListedUser, selectUsers, type UserRow } from './users.db.ts'

const filter = z.object({
  role: optionalOneOf('Rolul', ROLES),
  status: optionalOneOf('Starea', ACCOUNT_STATUSES),
  institutionId: z.string().refine(isId, { error: 'Instituția nu există.' }).nullish(),
})

/**
 * Returns a page of the accounts, ordered by email address; `search` matches the beginnings of words of the
 * name or the address. Throws FORBIDDEN unless the actor is an administrator.
 */
export async function listUsers(
  ctx: UserCtx,
  args: SearchArgs & { [filter in 'role' | 'status' | 'institutionId']?: string | null | undefined },
): Promise<Page<UserRow>> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('list users')
  const { institutionId = null, ...wanted } = parseInput(filter, args)
  const search = readSearch(args.search)
  const request = parsePage(args)
  const rows = await selectUsers(ctx.db, { ...wanted, search, institutionId }, request)
  return toPage(rows, request, ({ email, id }) => [email, id])
}

/**
 * Returns one account. Throws FORBIDDEN unless the actor is an administrator, NOT_FOUND for an unknown id.
 */
export async function getListedUser(ctx: UserCtx, id: string): Promise<UserRow> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('read user')
  const user = isId(id) ? await selectListedUser(ctx.db, id) : undefined
  if (!user) throw notFound('user')
  return user
}
