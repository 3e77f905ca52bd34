import { describeChanges, describeEvent, roleName } from '../../../../shared/audit/audit-sentences.ts'
import { OUTCOME_NAMES } from '../../../../shared/audit/outcomes.ts'
import { CSV_START, writeCsvRecord } from '../../../../shared/csv/csv.ts'
import { EXPORT_ROWS } from '../../../../shared/csv/csv-exports.ts'
import { lazily } from '../../../../shared/lazily.ts'
import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { requireFreshProof } from '../../../fresh-proof.ts'
import { canReadWholeAuditLog } from '../audit.access.ts'
import { type AuditFilter, type AuditRow, countAuditEvents } from '../audit.db.ts'
import { type AuditFilterInput, readAuditFilter } from '../audit-filter.ts'
import { readAuditPages } from '../list-audit-events.ts'
import { maskText } from '../mask-changes.ts'
import { recordAudit } from '../record-audit.ts'
import type { CsvExport } from './export-list.ts'

const HEADERS = [
  'Nr.',
  'Data și ora',
  'Cine',
  'Rol',
  'Ce a făcut',
  'Pacient',
  'Rezultat',
  'Ce s-a schimbat',
  'Adresă IP',
]

/**
 * Returns the filtered audit log as a CSV file, newest first, at most EXPORT_ROWS entries (`isCut`:
 * there are more), for administrators. The export is recorded before any data is returned.
 */
export async function exportAuditEvents(ctx: UserCtx, input: AuditFilterInput): Promise<CsvExport> {
  if (!canReadWholeAuditLog(ctx.actor)) throw forbidden('export the audit log')
  requireFreshProof(ctx)
  const filter = readAuditFilter(ctx.actor, input)
  const found = filter ? await countAuditEvents(ctx.db, filter, EXPORT_ROWS + 1) : 0
  const rows = Math.min(found, EXPORT_ROWS)
  await recordAudit(ctx, {
    action: 'log.export',
    patientId: filter?.patientId ?? null,
    changes: { ...describeFilter(filter), rows: { to: rows } },
  })
  return { chunks: writeChunks(ctx, filter, rows), isCut: found > rows }
}

/** Describes the filter as the changes of an audit entry. */
function describeFilter(filter: AuditFilter | null) {
  const { actorId: actor_id, patientId: patient_id, ...others } = filter ?? { actorId: null, patientId: null }
  const filters = Object.entries({ ...others, actor_id, patient_id })
  return Object.fromEntries(filters.flatMap(([name, to]) => (to === null ? [] : [[name, { to }]])))
}

async function* writeChunks({ db }: UserCtx, filter: AuditFilter | null, rows: number) {
  yield Buffer.from(CSV_START + writeCsvRecord(HEADERS))
  if (!filter) return
  // People write CNPs in other fields too, and the file leaves the product's access control.
  for await (const entries of readAuditPages(db, filter, rows))
    yield Buffer.from(entries.map((entry) => writeCsvRecord(describeRow(entry).map(maskText))).join(''))
}

const inRomania = lazily(
  () =>
    new Intl.DateTimeFormat('ro-RO', {
      dateStyle: 'short',
      timeStyle: 'medium',
      timeZone: 'Europe/Bucharest',
    }),
)

function describeRow(entry: AuditRow): string[] {
  const { actor, predicate } = describeEvent({
    actorName: entry.actor_name,
    action: entry.action,
    shownCount: entry.shown_count,
  })
  const changes = describeChanges(entry.changes, entry.action).map(({ label, from, to }) =>
    to === null ? label : `${label}: ${from === null ? '' : `${from} → `}${to}`,
  )
  return [
    String(entry.id),
    inRomania().format(entry.at),
    actor,
    roleName(entry.role) ?? '',
    predicate,
    entry.patient_name ?? '',
    OUTCOME_NAMES[entry.outcome],
    changes.join('\n'),
    entry.ip ?? '',
  ]
}
