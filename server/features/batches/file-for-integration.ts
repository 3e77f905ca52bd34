import type { MatchReason } from '../../../shared/uploads/match-reasons.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { UserError } from '../../errors.ts'
import { blockCategorySaves } from '../categories/find-category.ts'
import { findFiledCopies } from '../matching/find-duplicates.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { submitForIntegration } from '../uploads/drafts/submit-for-integration.ts'
import { findUploadToChange } from '../uploads/find-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { type ProposedPatientRow, selectProposal, selectSubmitting } from './batches.db.ts'

const REQUIRED: readonly MatchReason['what'][] = ['cnp', 'name', 'birth-date']

/**
 * Files a group of an integration that sends sure results to review, if it is ready, nobody has changed it, and CNP, name and
 * birth date are stated and are the patient's. Any other group waits for a person, as does one that cannot be submitted.
 */
export async function fileForIntegration(ctx: Ctx<SystemActor>, uploadId: string): Promise<void> {
  try {
    await inTransaction(ctx, (tx) => fileIfCertain(tx, uploadId))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    ctx.services.log.info('batch: a group of an integration is left to a person', {
      upload: uploadId,
      code: error.code,
    })
  }
}

async function fileIfCertain(tx: Ctx<SystemActor>, uploadId: string): Promise<void> {
  await blockCategorySaves(tx)
  await blockMerges(tx)
  const upload = await findUploadToChange(tx, uploadId)
  if (upload?.state !== 'receiving' || upload.created_by !== null || !upload.integration_id) return
  const integration = await selectSubmitting(tx.db, upload.integration_id)
  const proposal = await selectProposal(tx.db, uploadId)
  if (!integration || !proposal || !isCertain(upload, proposal)) return
  if ((await findFiledCopies(tx, upload)).length > 0) return
  await submitForIntegration(tx, upload, {
    name: integration.name,
    details: {
      patientId: proposal.patient_id,
      institutionId: proposal.institution_id,
      categorySlug: proposal.category_slug,
      title: proposal.title ?? upload.title,
      examinedOn: proposal.examined_on,
      accessionNumber: proposal.accession_number,
      referringDoctor: proposal.doctor,
    },
  })
}

type Proposal = NonNullable<Awaited<ReturnType<typeof selectProposal>>>

function isCertain(upload: UploadRow, proposal: Proposal): boolean {
  const [patient] = proposal.patients as unknown as readonly ProposedPatientRow[]
  const reasons = patient?.id === proposal.patient_id ? (patient?.reasons ?? []) : []
  return (
    proposal.is_ready &&
    !proposal.is_fixed &&
    proposal.upload_version === upload.version &&
    REQUIRED.every((what) => reasons.some((reason) => reason.what === what)) &&
    // The file itself says whose it is, not only its sender.
    reasons.some(({ place }) => place.in !== 'sender' && place.in !== 'file-name')
  )
}
