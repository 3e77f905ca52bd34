import { parseCnp } from '../../../shared/romania/cnp.ts'
import type { UserCtx } from '../../context.ts'
import { type Page, parsePage, readSearch, type SearchArgs, toPage } from '../../graphql/connections.ts'
import { isId } from '../../platform/ids.ts'
import type { PageRequest } from '../../platform/keyset.ts'
import { describeSearch } from '../audit/describe-search.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { patientScope, patientScopeOf } from './patients.access.ts'
import { type PatientRow, type Shown, selectNewestPatients, selectPatientByCnp } from './patients.db.ts'
import { type FoundPatient, searchPatients } from './search/search-patients.ts'
import { listPatientReasons, type RowReason } from './search/search-reason.ts'

/** `isCut`: the digits match more patients than are searched, so the list is incomplete. */
export type PatientList = Page<PatientRow> & { isCut: boolean; reasons: RowReason[] }

/**
 * Returns the patients that the actor may read: the newest first or, with `search`, by name those whose name,
 * CNP (or a part of it), number or phone (in any format; not for institutions) matches; with `institutionId` only those
 * referred by this institution, without a search of phones. The audit log records the patients returned. They have what is `shown`.
 */
export async function listPatients(
  ctx: UserCtx,
  args: SearchArgs & { institutionId?: string | null | undefined },
  shown: Shown = 'whole',
): Promise<PatientList> {
  const { institutionId } = args
  const search = readSearch(args.search)
  const request = parsePage(args)
  if (institutionId && !isId(institutionId)) return { nodes: [], endCursor: null, isCut: false, reasons: [] }
  const scope = institutionId ? patientScopeOf(ctx.actor, institutionId) : patientScope(ctx.actor)
  const { select, keysOf } = openPatients(ctx, search, scope, shown)
  const rows = await select(request)
  const page = toPage(rows, request, keysOf)
  const subjectIds = page.nodes.map(({ id }) => id)
  await recordAudit(ctx, { action: 'patient.list', subjectIds, ...describeSearch(search) })
  const reasons = listPatientReasons(ctx, page.nodes, search)
  return { ...page, isCut: rows[0]?.is_cut ?? false, reasons }
}

/** Returns what reads the pages of the list with this search, and one row more; writes no audit row. */
export function openPatients(
  ctx: UserCtx,
  search: string,
  scope = patientScope(ctx.actor),
  shown: Shown = 'whole',
) {
  const select = (page: PageRequest): Promise<FoundPatient[]> =>
    search === ''
      ? selectNewestPatients(ctx.db, scope, page, shown)
      : searchPatients(ctx, search, page, { scope, shown })
  const keysOf = ({ created_at, name_key, id }: PatientRow): [string, string] => [
    search === '' ? created_at.toISOString() : name_key,
    id,
  ]
  return { select, keysOf }
}

/** Returns the patient with this CNP, to avoid duplicates; null if there is none or the CNP is invalid. */
export async function findPatientByCnp(ctx: UserCtx, text: string): Promise<PatientRow | null> {
  const cnp = parseCnp(text)
  if (!cnp.ok) return null
  const patient = await selectPatientByCnp(ctx.db, patientScope(ctx.actor), cnp.cnp)
  await recordAudit(ctx, { action: 'patient.list', subjectIds: patient ? [patient.id] : [] })
  return patient ?? null
}
