import type { UserCtx } from '../../context.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import type { Db } from '../../platform/database/database.ts'
import { type AuditFilter, type AuditRow, selectAuditEvents } from './audit.db.ts'
import { type AuditFilterInput, readAuditFilter } from './audit-filter.ts'
import { recordAudit } from './record-audit.ts'

/** The cursor after this entry. */
export const keysOfEntry = ({ at, id }: AuditRow): [string, string] => [at.toISOString(), String(id)]

/**
 * Returns entries of the audit log, newest first: all for administrators, their own for staff. The reading is
 * recorded too.
 */
export async function listAuditEvents(
  ctx: UserCtx,
  args: PageArgs & AuditFilterInput,
): Promise<Page<AuditRow>> {
  const request = parsePage(args)
  const filter = readAuditFilter(ctx.actor, args)
  const rows = filter ? await selectAuditEvents(ctx.db, filter, request) : []
  await recordAudit(ctx, { action: 'log.read', patientId: filter?.patientId ?? null })
  return toPage(rows, request, keysOfEntry)
}

/** Entries fetched per query. */
const BATCH_SIZE = 1_000

/** Yields the filtered entries in pages, newest first, at most `rows`. The caller checks the permission and records it. */
export async function* readAuditPages(
  db: Db,
  filter: AuditFilter,
  rows = Number.POSITIVE_INFINITY,
): AsyncGenerator<AuditRow[]> {
  let after: [string, string] | null = null
  let left = rows
  while (left > 0) {
    const limit = Math.min(left, BATCH_SIZE)
    const found: AuditRow[] = await selectAuditEvents(db, filter, { limit, after })
    const page = found.slice(0, limit)
    const last = page.at(-1)
    if (!last) return
    yield page
    if (found.length <= limit) return
    after = keysOfEntry(last)
    left -= page.length
  }
}
