import { LIMITS } from '../../../shared/limits.ts'
import type { BatchFilter } from '../../../shared/uploads/batches.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { FoundPatient } from '../matching/match-document.ts'
import type { Proposal } from '../matching/propose-upload.ts'
import { findUploads } from '../uploads/find-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { canUseBatches } from './batches.access.ts'
import {
  type BatchRow,
  type GroupRow,
  type ProposedPatientRow,
  selectBatches,
  selectGroups,
  selectNamed,
  selectStatedNames,
} from './batches.db.ts'

/** Returns the actor's batches and those of integrations, the newest first; with `open` only those that are or are not closed. */
export async function listBatches(
  ctx: UserCtx,
  { open, ...args }: PageArgs & { open?: boolean | null | undefined },
): Promise<Page<BatchRow>> {
  if (!canUseBatches(ctx.actor)) throw forbidden('list batches')
  const page = parsePage(args)
  const rows = await selectBatches(ctx.db, ctx.actor.id, { isOpen: open ?? null, page })
  const shown = toPage(rows, page, ({ created_at, id }) => [created_at.toISOString(), id])
  await recordAudit(ctx, { action: 'batch.list', subjectIds: shown.nodes.map(({ id }) => id) })
  return shown
}

/** What the files of a group propose for it, with the names of what it names. */
export type ShownProposal = Pick<
  Proposal,
  | 'confidence'
  | 'patients'
  | 'institution'
  | 'category'
  | 'title'
  | 'examinedOn'
  | 'accessionNumber'
  | 'doctor'
> & {
  /** Of a conflict: whose names the files state. */
  statedNames: string[]
  isDuplicate: boolean
  isUnreadable: boolean
  isRefused: boolean
  isReady: boolean
  duplicates: UploadRow[]
}

/** Names shown of a conflict: a list of patients has hundreds. */
const MAX_NAMES = 4

/** A group of a batch: an upload that was not submitted, or was filed from it. */
export type Group = {
  upload: UploadRow
  proposal: ShownProposal | null
  /** Whom a person has chosen and the group was not filed for. */
  chosen: FoundPatient | null
  undoUntil: Date | null
}

/** Returns one page of the groups of a batch that the actor may read; the reading is recorded. */
export async function listGroups(
  ctx: UserCtx,
  batch: BatchRow,
  { filter, ...args }: PageArgs & { filter?: BatchFilter | null | undefined },
): Promise<Page<Group>> {
  const request = parsePage(args)
  const rows = await selectGroups(ctx.db, batch.id, filter ?? null, request)
  const { nodes, endCursor } = toPage(rows, request, ({ created_at, id }) => [created_at.toISOString(), id])
  const ids = nodes.map(({ id }) => id)
  const wanted = [...new Set([...ids, ...nodes.flatMap(({ duplicate_ids }) => duplicate_ids ?? [])])]
  const uploads = new Map((await findUploads(ctx, wanted)).map((upload) => [upload.id, upload]))
  const show = await readNames(ctx, nodes)
  await recordAudit(ctx, { action: 'batch.read', subject: { type: 'batch', id: batch.id }, subjectIds: ids })
  return {
    endCursor,
    nodes: nodes.flatMap((row) => {
      const upload = uploads.get(row.id)
      if (!upload) return []
      const duplicates = (row.duplicate_ids ?? []).flatMap((id) => uploads.get(id) ?? [])
      const chosen = upload.state === 'receiving' ? show.chosen(row) : null
      return [{ upload, proposal: show.proposal(row, duplicates), chosen, undoUntil: undoEndOf(row) }]
    }),
  }
}

/** Returns until when the filing of a group can be undone, as far as the time alone decides; null if it was not filed. */
const undoEndOf = ({ filed_at }: GroupRow): Date | null =>
  filed_at && new Date(filed_at.getTime() + LIMITS.undoFilingMinutes * 60_000)

/** Reads the names of all that the proposals name, and of conflicts those that the files state, with few statements. */
async function readNames(ctx: UserCtx, rows: readonly GroupRow[]) {
  const patientsOf = ({ patients }: GroupRow) => (patients ?? []) as unknown as ProposedPatientRow[]
  const named = await selectNamed(ctx.db, {
    patientIds: rows.flatMap((row) => [
      ...patientsOf(row).map(({ id }) => id),
      ...(row.chosen_id ? [row.chosen_id] : []),
    ]),
    institutionIds: rows.flatMap(({ institution_id }) => institution_id ?? []),
    slugs: rows.flatMap(({ category_slug }) => category_slug ?? []),
  })
  const conflicts = rows.filter(({ confidence }) => confidence === 'conflict').map(({ id }) => id)
  const stated = conflicts.length > 0 ? await selectStatedNames(ctx.db, conflicts, MAX_NAMES) : []
  const people = new Map(named.patients.map((person) => [person.id, person]))
  const find = (row: GroupRow, id: string | null): FoundPatient[] => {
    const person = people.get(id ?? '')
    return person ? [{ person, reasons: patientsOf(row).find((each) => each.id === id)?.reasons ?? [] }] : []
  }
  const chosen = (row: GroupRow): FoundPatient | null => find(row, row.chosen_id)[0] ?? null
  const proposal = (row: GroupRow, duplicates: UploadRow[]): ShownProposal | null => {
    if (row.confidence === null) return null
    return {
      confidence: row.confidence,
      patients: patientsOf(row).flatMap(({ id }) => find(row, id)),
      institution: named.institutions.find(({ id }) => id === row.institution_id) ?? null,
      category: named.categories.find(({ slug }) => slug === row.category_slug) ?? null,
      statedNames: stated.flatMap(({ upload_id, name }) => (upload_id === row.id ? [name] : [])),
      title: row.title,
      examinedOn: row.examined_on,
      accessionNumber: row.accession_number,
      doctor: row.doctor,
      isDuplicate: row.is_duplicate ?? false,
      isUnreadable: row.is_unreadable ?? false,
      isRefused: row.is_refused ?? false,
      isReady: row.is_ready ?? false,
      duplicates,
    }
  }
  return { proposal, chosen }
}
