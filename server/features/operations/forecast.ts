import { ITEM_REASONS, type ItemReason, type OperationKind } from '../../../shared/uploads/operations.ts'
import { UPLOAD_STATE_NAMES } from '../../../shared/uploads/upload-states.ts'
import type { UserCtx } from '../../context.ts'
import { findCategories } from '../categories/find-category.ts'
import { canRelease } from '../reviews/can-release.ts'
import { returnsToReview } from '../reviews/correct-upload.ts'
import { HELD_MESSAGE } from '../reviews/release-upload.ts'
import {
  canCorrect,
  canDecideRelease,
  canEditUpload,
  canReview,
  canWithdraw,
  isOwn,
  wasReleased,
} from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { selectOpenReferrals } from './operations.db.ts'
import type { Parameters } from './read-parameters.ts'

export type DetailKind = keyof typeof DETAILS

/** The detail that an operation changes: its column, and its field in the parameters and in the input of an upload. */
export const DETAILS = {
  category: { column: 'category_slug', field: 'categorySlug' },
  institution: { column: 'institution_id', field: 'institutionId' },
  title: { column: 'title', field: 'title' },
} as const

export const isDetailKind = (kind: OperationKind): kind is DetailKind => Object.hasOwn(DETAILS, kind)

/** Whether an upload will change, and why not or what else will happen to it. */
export type Forecast = { changes: boolean; reason: ItemReason | null; message: string | null }

const CHANGES: Forecast = { changes: true, reason: null, message: null }
const note = (reason: ItemReason): Forecast => ({ changes: true, reason, message: ITEM_REASONS[reason] })
const refuse = (reason: ItemReason, message: string = ITEM_REASONS[reason]): Forecast => ({
  changes: false,
  reason,
  message,
})

type Operation = { kind: OperationKind; parameters: Parameters }

/**
 * Returns for each upload what the operation will do to it, by the rules of the single change. It decides nothing: the
 * verb that changes the upload applies its own rules.
 */
export async function forecast(
  ctx: UserCtx,
  { kind, parameters }: Operation,
  uploads: readonly UploadRow[],
): Promise<Forecast[]> {
  if (!isDetailKind(kind)) {
    const found: Forecast[] = []
    for (const upload of uploads) found.push(await forecastMove(ctx, kind, upload))
    return found
  }
  const after = await findValues(ctx, kind, parameters)
  const patientIds = uploads.flatMap(({ patient_id }) => patient_id ?? [])
  const referrals = new Set(
    (await selectOpenReferrals(ctx.db, patientIds)).map((row) => `${row.patient_id} ${row.institution_id}`),
  )
  const isReferred = ({ patient_id, institution_id }: UploadRow) =>
    patient_id === null || institution_id === null || referrals.has(`${patient_id} ${institution_id}`)
  const found: Forecast[] = []
  for (const upload of uploads) {
    const refusal = refuseDetail(ctx, kind, upload, { parameters, after })
    const changed = { ...upload, ...after }
    if (refusal) found.push(refusal)
    else if (!isReferred(changed)) found.push(refuse('no-referral'))
    else if (!canEditUpload(ctx.actor, upload) && (await returnsToReview(ctx, upload, changed)))
      found.push(note('returns-to-review'))
    else found.push(CHANGES)
  }
  return found
}

/** Returns the columns that the operation changes, and what follows from them for the policy of the upload. */
async function findValues(
  ctx: UserCtx,
  kind: DetailKind,
  parameters: Parameters,
): Promise<Partial<UploadRow>> {
  if (kind === 'title') return { title: parameters.title! }
  if (kind === 'institution') return { institution_id: parameters.institutionId }
  const category = (await findCategories(ctx)).find(({ slug }) => slug === parameters.categorySlug)
  return {
    category_slug: parameters.categorySlug,
    category_review_required: category?.reviewRequired ?? null,
    category_reviewers: category?.reviewers ?? null,
    category_release: category?.release ?? null,
    category_release_hours: category?.releaseHours ?? null,
  }
}

function refuseDetail(
  { actor }: UserCtx,
  kind: DetailKind,
  upload: UploadRow,
  { parameters, after }: { parameters: Parameters; after: Partial<UploadRow> },
): Forecast | null {
  const { column } = DETAILS[kind]
  if (upload[column] === after[column]) return refuse('unchanged')
  // A new institution would ask the former one to delete what it has: a person decides that for each result.
  if (kind === 'institution' && wasReleased(upload)) return refuse('was-released')
  if (canEditUpload(actor, upload)) return null
  if (!canCorrect(actor, upload)) return refuseByState({ actor }, upload)
  return parameters.reason === null ? refuse('needs-reason') : null
}

const refuseByState = ({ actor }: Pick<UserCtx, 'actor'>, upload: UploadRow): Forecast =>
  isOwn(actor, upload) || canReview(actor)
    ? refuse('state', `Starea „${UPLOAD_STATE_NAMES[upload.state]}” nu permite această operație.`)
    : refuse('not-allowed')

async function forecastMove(
  ctx: UserCtx,
  kind: Exclude<OperationKind, DetailKind>,
  upload: UploadRow,
): Promise<Forecast> {
  if (kind === 'download') {
    if (upload.state !== 'released') return refuse('not-released')
    return upload.file_count === 0 ? refuse('no-files') : CHANGES
  }
  const isAllowed = kind === 'withdraw' ? canWithdraw(ctx.actor, upload) : canDecideRelease(ctx.actor, upload)
  if (!isAllowed) return refuseByState(ctx, upload)
  if (kind !== 'release') return CHANGES
  const { clearance, obstacle } = await canRelease(ctx, upload, { by: 'release' })
  return clearance && !obstacle ? CHANGES : refuse('held', obstacle ?? HELD_MESSAGE)
}
