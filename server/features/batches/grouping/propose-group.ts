import { onlyDoctor } from '../../../../shared/referring-doctor.ts'
import type { Ctx } from '../../../context.ts'
import { readFileChecks } from '../../file-checks/find-file-checks.ts'
import { type Proposal, proposeUpload } from '../../matching/propose-upload.ts'
import { isOpenReferral, listReferrals } from '../../patients/list-referrals.ts'
import type { UploadRow } from '../../uploads/uploads.db.ts'
import { type ProposalToSave, selectChosenId, selectDefaults, selectEarlierCopies } from '../batches.db.ts'
import { groupKeyOf } from './grouping.ts'

export type ProposedGroup = Omit<
  ProposalToSave,
  'upload_id' | 'upload_version' | 'batch_version' | 'is_fixed'
>

/**
 * Returns what the files of a group that were read propose for it; null if none was read. What a person has chosen already
 * comes first, and what an integration has as its defaults last.
 */
export async function proposeGroup(tx: Ctx, row: UploadRow): Promise<ProposedGroup | null> {
  const upload = { ...row, patient_id: (await selectChosenId(tx.db, row.id)) ?? row.patient_id }
  const checks = await readFileChecks(tx, upload)
  const read = checks.filter(({ state }) => state !== 'WAITING')
  if (read.length === 0) return null
  const proposal = await proposeUpload(tx, upload)
  const isNamingSeveral = checks.some(({ people }) => people > 1)
  const isWhole = read.length === checks.length
  const confidence = isNamingSeveral
    ? 'conflict'
    : proposal.confidence === 'sure' && !isWhole
      ? 'likely'
      : proposal.confidence
  const [only] = proposal.patients
  const proposedId = confidence !== 'conflict' && proposal.patients.length === 1 ? only!.person.id : null
  const patient_id = upload.patient_id ?? proposedId
  const isChosenOther =
    upload.patient_id !== null &&
    proposal.patients.length > 0 &&
    !proposal.patients.some(({ person }) => person.id === upload.patient_id)
  const duplicate_ids = [
    ...new Set([
      ...checks.flatMap(({ duplicates }) => duplicates.map((each) => each.upload.id)),
      ...(upload.batch_id ? await selectEarlierCopies(tx.db, upload.id, upload.batch_id) : []),
    ]),
  ]
  const defaults = upload.integration_id ? await selectDefaults(tx.db, upload.integration_id) : undefined
  const institution_id = upload.institution_id ?? proposal.institution?.id ?? defaults?.institution_id ?? null
  const proposed = {
    confidence: isChosenOther ? 'conflict' : confidence,
    patient_id,
    patients: proposal.patients.map(({ person, reasons }) => ({ id: person.id, reasons })),
    institution_id,
    category_slug: upload.category_slug ?? proposal.category?.slug ?? defaults?.category_slug ?? null,
    title: titleOf(upload, proposal),
    examined_on: upload.examined_on ?? proposal.examinedOn,
    accession_number: upload.accession_number ?? proposal.accessionNumber,
    doctor: upload.referring_doctor ?? proposal.doctor ?? (await findDoctor(tx, patient_id, institution_id)),
    is_duplicate: duplicate_ids.length > 0,
    duplicate_ids,
    is_unreadable: checks.some(({ state }) => state === 'UNREADABLE'),
    is_refused: checks.some(({ state }) => state === 'REFUSED'),
  } as const
  const stated = [upload.institution_id, upload.category_slug] as const
  return { ...proposed, group_key: groupKeyOf({ ...proposed, stated }) }
}

/** The draft of an announced file has the name of the file as its title. */
const titleOf = (upload: UploadRow, proposal: Proposal): string =>
  upload.category_slug === null
    ? (proposal.title ?? upload.title.replace(/\.[^. ]{1,16}$/u, ''))
    : upload.title

/** Returns the only doctor who has referred the patient for the institution. */
async function findDoctor(
  tx: Ctx,
  patientId: string | null,
  institutionId: string | null,
): Promise<string | null> {
  if (!patientId || !institutionId) return null
  const referrals = await listReferrals(tx, patientId, [institutionId])
  return onlyDoctor(referrals.filter(isOpenReferral).map(({ doctor }) => doctor))
}
