import type { AccountOrder } from '../../../../shared/access/account-orders.ts'
import type { AccountStatus } from '../../../../shared/access/account-statuses.ts'
import type { Role } from '../../../../shared/access/roles.ts'
import type { UserCtx } from '../../../context.ts'
import { forbidden, invalid, notFound } from '../../../errors.ts'
import { type Page, parsePage, readSearch, type SearchArgs, toPage } from '../../../graphql/connections.ts'
import { isId } from '../../../platform/ids.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { UNKNOWN_INSTITUTION_MESSAGE } from './user-input.ts'
import { ORDER_COLUMNS, selectListedUser, selectUsers, type UserRow } from './users.db.ts'

export type UserArgs = SearchArgs & {
  role?: Role | null | undefined
  status?: AccountStatus | null | undefined
  institutionId?: string | null | undefined
  order?: AccountOrder | null | undefined
}

/**
 * Returns a page of the accounts, by default ordered by email address; every word of `search` must occur in
 * the name or the address. Throws FORBIDDEN unless the actor is an administrator.
 */
export async function listUsers(ctx: UserCtx, args: UserArgs): Promise<Page<UserRow>> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('list users')
  const { role = null, status = null, institutionId = null } = args
  if (institutionId !== null && !isId(institutionId))
    throw invalid([{ field: 'institutionId', message: UNKNOWN_INSTITUTION_MESSAGE }])
  const search = readSearch(args.search)
  const order = args.order ?? 'email'
  const request = parsePage(args)
  const rows = await selectUsers(ctx.db, { role, status, search, institutionId }, order, request)
  return toPage(rows, request, (user) => [String(user[ORDER_COLUMNS[order]]), user.id])
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
