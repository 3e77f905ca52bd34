import { type Hold, isReadInPart } from '../../../shared/reviews/holds.ts'
import { isAccepted } from '../../../shared/uploads/files.ts'
import type { ComparedPatient, Comparison } from '../matching/compare-facts.ts'
import { compareFiles, listOtherPersons } from '../matching/list-disagreements.ts'
import type { FileCnps } from '../uploads/inspection/find-cnps.ts'
import type { FileFacts } from '../uploads/inspection/find-file-facts.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'

/** Returns the upload's patient as facts are compared with it. */
export const comparedPatientOf = (upload: UploadRow): ComparedPatient => ({
  cnp: upload.patient_cnp,
  surname: upload.patient_surname ?? '',
  given_names: upload.patient_given_names ?? '',
  previous_surname: upload.patient_previous_surname,
  birth_date: upload.patient_birth_date,
})

/** Compares what all files of an upload state with its patient. */
export const compareUpload = (upload: UploadRow, files: readonly FileFacts[]): Comparison =>
  compareFiles(comparedPatientOf(upload), files)

/** Whether the product could not read the file, so that only a person can compare it. */
const isUnreadable = ({ facts }: FileFacts): boolean => facts.unreadable !== undefined

/** Returns a hold for each file that the product could not read. */
const listUnreadable = (files: readonly FileFacts[]): Hold[] =>
  files.filter(isUnreadable).map(({ id, name }) => ({ kind: 'unreadable', fileId: id, fileName: name }))

/** Returns a hold for each file of which the product has read only a part. */
const listUnread = (files: readonly FileFacts[]): Hold[] =>
  files
    .filter(({ facts }) => isReadInPart(facts))
    .map(({ id, name }) => ({ kind: 'unread', fileId: id, fileName: name }))

/** Returns all holds that do not depend on what a reviewer has opened; `comparison`: of these files. */
export const listHolds = (comparison: Comparison, files: readonly FileFacts[]): Hold[] => [
  ...listOtherPersons(comparison, files),
  ...listUnreadable(files),
  ...listUnread(files),
]

/** Returns a hold for each file that the reviewer did not open. */
export const listUnopened = (files: readonly FileFacts[], openedIds: readonly string[]): Hold[] =>
  files
    .filter(({ id }) => !openedIds.includes(id))
    .map(({ id, name }) => ({ kind: 'unopened', fileId: id, fileName: name }))

/**
 * Whether every file names this patient only: its whole text was read, each page has the patient's CNP, and
 * no other digits in it form a valid CNP. An image, a scan, an archive or a page without text does not
 * confirm the patient.
 */
export function confirmsPatient(patientCnp: string | null, files: readonly FileCnps[]): boolean {
  return (
    patientCnp !== null &&
    files.length > 0 &&
    files.every(
      ({ scan_result, facts, cnps }) =>
        isAccepted(scan_result) && facts.wholeText === true && cnps?.only === patientCnp,
    )
  )
}
