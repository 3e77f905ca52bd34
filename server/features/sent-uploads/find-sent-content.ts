import { type UserCtx, withSending } from '../../context.ts'
import { type FileCheck, readFileChecks } from '../file-checks/find-file-checks.ts'
import { type ProposedDetails, proposeDetails } from '../matching/propose-upload.ts'
import { findPatientsById } from '../patients/many/find-patients.ts'
import { isOwn } from '../uploads/uploads.access.ts'
import type { FileRow, TransferRow, UploadRow } from '../uploads/uploads.db.ts'
import { findFiles, findUnfinishedTransfers } from '../uploads/uploads.loaders.ts'
import { selectReceivedHashes, selectSentHashes } from './sent-uploads.db.ts'

/** Returns the files of an upload that the actor sends. */
export const findSentFiles = async (ctx: UserCtx, upload: UploadRow): Promise<readonly FileRow[]> =>
  isOwn(ctx.actor, upload) ? findFiles(withSending(ctx), upload.id) : []

/** Returns the unfinished transfers to an upload that the actor sends. */
export const findSentTransfers = async (ctx: UserCtx, upload: UploadRow): Promise<TransferRow[]> =>
  isOwn(ctx.actor, upload) ? findUnfinishedTransfers(withSending(ctx), [upload.id]) : []

/** Returns the patient of an upload, if the actor may read the patient. */
export async function findSentPatient(
  ctx: UserCtx,
  patientId: string | null,
): Promise<{ id: string; name: string } | null> {
  const [patient] = patientId === null ? [] : await findPatientsById(ctx, [patientId])
  return patient ? { id: patient.id, name: `${patient.surname} ${patient.given_names}` } : null
}

/** A check of a file without what it would reveal of other people than the institution's patients. */
export type SentFileCheck = Omit<FileCheck, 'duplicates'> & { isKnown: boolean }

/**
 * Returns what the files of a draft say, for the user of an institution who sends it. Patients are searched as the database
 * shows them to the institution: of all others a file gives only that it does not agree with the chosen patient.
 */
export async function findSentChecks(ctx: UserCtx, upload: UploadRow): Promise<SentFileCheck[]> {
  if (!isOwn(ctx.actor, upload)) return []
  const own = withSending(ctx)
  // Staff may have chosen another patient since, or the referral was a mistake.
  const isOfInstitution = (await findSentPatient(ctx, upload.patient_id)) !== null
  const compared = isOfInstitution ? upload : { ...upload, patient_id: null }
  const checks = await readFileChecks(own, compared, { patients: ctx.db, copies: async () => [] })
  if (checks.length === 0) return []
  const hashes = checks.map(({ file }) => file.sha256)
  const institutionIds = ctx.actor.sendingInstitutionIds
  const known = [
    ...(await selectSentHashes(own.db, { id: upload.id, institutionIds }, hashes)),
    ...(await selectReceivedHashes(ctx.db, hashes)),
  ]
  return checks.map(({ duplicates: _duplicates, ...check }) => ({
    ...check,
    isKnown: known.some((sha256) => sha256.equals(check.file.sha256)),
  }))
}

/** Returns what the files of a draft propose for its details; null for other readers. */
export const findSentProposal = async (ctx: UserCtx, upload: UploadRow): Promise<ProposedDetails | null> =>
  isOwn(ctx.actor, upload) ? proposeDetails(withSending(ctx), upload) : null
