import type { UserCtx } from '../../context.ts'
import { type Page, parsePage, readSearch, type SearchArgs, toPage } from '../../graphql/connections.ts'
import type { PageRequest } from '../../platform/keyset.ts'
import { describeSearch } from '../audit/describe-search.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { institutionScope } from './institutions.access.ts'
import { type InstitutionRow, selectInstitutions } from './institutions.db.ts'

/**
 * Returns the institutions that the actor may read, by name; `search` by words of name, short name, code or
 * locality; `open` only those that are not suspended.
 */
export async function listInstitutions(
  ctx: UserCtx,
  args: SearchArgs & { open?: boolean | null | undefined },
): Promise<Page<InstitutionRow>> {
  const request = parsePage(args)
  const filter = { search: readSearch(args.search), open: args.open ?? false }
  const { select, keysOf } = openInstitutions(ctx, filter)
  const page = toPage(await select(request), request, keysOf)
  const subjectIds = page.nodes.map(({ id }) => id)
  await recordAudit(ctx, { action: 'institution.list', subjectIds, ...describeSearch(filter.search) })
  return page
}

/** Returns what reads the pages of the list with this filter, and one row more; writes no audit row. */
export const openInstitutions = (ctx: UserCtx, filter: { search: string; open: boolean }) => ({
  select: (page: PageRequest): Promise<InstitutionRow[]> =>
    selectInstitutions(ctx.db, institutionScope(ctx.actor), filter, page),
  keysOf: ({ name_key, id }: InstitutionRow): [string, string] => [name_key, id],
})

/** Returns the first `limit` institutions that match every word; writes no audit row. */
export async function searchInstitutions(
  ctx: UserCtx,
  search: string,
  limit: number,
): Promise<InstitutionRow[]> {
  const rows = await openInstitutions(ctx, { search, open: false }).select({ limit, after: null })
  return rows.slice(0, limit)
}
