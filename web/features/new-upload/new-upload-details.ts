import { titleOfFiles } from '../../../shared/uploads/title-proposal.ts'
import type { PatientUpload } from './new-upload.queries.ts'
import type { UploadInput } from './upload-server.ts'

export type NewUploadPatient = {
  id: string
  name: string
  referrals: readonly {
    institutionId: string
    institutionName: string
    institutionSuspended: boolean
    doctor: string | null
    endedOn: string | null
  }[]
}

/** Returns the values of a new upload, with the title that its files propose. */
export function describeNewUpload(patient: NewUploadPatient, fileNames: readonly string[]): UploadInput {
  const [only, ...others] = listInstitutions(patient)
  return {
    title: titleOfFiles(fileNames, patient.name),
    categorySlug: null,
    institutionId: only && others.length === 0 ? only.id : null,
    examinedOn: null,
    accessionNumber: '',
    referringDoctor: '',
    note: '',
  }
}

/** The values of an upload that is continued. */
export const detailsOf = (upload: PatientUpload): UploadInput => ({
  title: upload.title,
  categorySlug: upload.category?.slug ?? null,
  institutionId: upload.institution?.id ?? null,
  examinedOn: upload.examinedOn,
  accessionNumber: upload.accessionNumber ?? '',
  referringDoctor: upload.referringDoctor ?? '',
  note: upload.note ?? '',
})

/** The institutions of the patient's referrals that have not ended, without suspended ones. */
export function listInstitutions({ referrals }: NewUploadPatient) {
  const open = referrals.filter(({ institutionSuspended, endedOn }) => !institutionSuspended && !endedOn)
  const names = new Map(open.map(({ institutionId, institutionName }) => [institutionId, institutionName]))
  return [...names].map(([id, label]) => ({ id, label }))
}
