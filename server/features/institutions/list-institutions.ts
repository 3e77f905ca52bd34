import type { UserCtx } from '../../context.ts'
import { type Page, parsePage, readSearch, type SearchArgs, toPage } from '../../graphql/connections.ts'
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
  const rows = await selectInstitutions(ctx.db, institutionScope(ctx.actor), filter, request)
  const page = toPage(rows, request, ({ name_key, id }) => [name_key, id])
  const subjectIds = page.nodes.map(({ id }) => id)
  await recordAudit(ctx, { action: 'institution.list', subjectIds, ...describeSearch(filter.search) })
  return page
}

/** Returns the first `limit` institutions that match every word; writes no audit row. */
export async function searchInstitutions(
  ctx: UserCtx,
  search: string,
  limit: number,
): Promise<InstitutionRow[]> {
  const filter = { search, open: false }
  const rows = await selectInstitutions(ctx.db, institutionScope(ctx.actor), filter, { limit, after: null })
  return rows.slice(0, limit)
}
