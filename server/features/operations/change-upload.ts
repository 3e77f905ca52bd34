import type { UserCtx } from '../../context.ts'
import { correctUpload } from '../reviews/correct-upload.ts'
import { releaseUpload, returnUpload } from '../reviews/release-upload.ts'
import { editUpload } from '../uploads/edit-upload.ts'
import { canEditUpload } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { withdrawUpload } from '../uploads/withdraw-upload.ts'
import { DETAILS, type DetailKind, isDetailKind } from './forecast.ts'
import type { OperationRow } from './operations.db.ts'
import type { Parameters } from './read-parameters.ts'

/** Changes an upload, which the transaction has locked, with the verb that changes a single one. */
export function changeUpload(
  tx: UserCtx,
  { kind, parameters }: Pick<OperationRow, 'kind'> & { parameters: Parameters },
  upload: UploadRow,
): Promise<UploadRow> {
  const { id, version } = upload
  if (isDetailKind(kind))
    return changeDetail(tx, upload, kind, parameters[DETAILS[kind].field], parameters.reason ?? '')
  if (kind === 'release') return releaseUpload(tx, { id, version })
  if (kind === 'return') return returnUpload(tx, { id, version })
  if (kind === 'withdraw') return withdrawUpload(tx, id)
  throw new Error(`an operation of the kind ${kind} changes no upload`)
}

/** Gives an upload another category, institution or title: as a correction with this reason after its verdict. */
export function changeDetail(
  tx: UserCtx,
  upload: UploadRow,
  kind: DetailKind,
  value: string | null,
  reason: string,
): Promise<UploadRow> {
  const { id, version } = upload
  const details = {
    patientId: upload.patient_id,
    institutionId: upload.institution_id,
    categorySlug: upload.category_slug,
    title: upload.title,
    examinedOn: upload.examined_on,
    accessionNumber: upload.accession_number,
    referringDoctor: upload.referring_doctor,
    note: upload.note,
    [DETAILS[kind].field]: value,
  }
  return canEditUpload(tx.actor, upload)
    ? editUpload(tx, { id, version, upload: details })
    : correctUpload(tx, { id, version, upload: details, reason })
}
