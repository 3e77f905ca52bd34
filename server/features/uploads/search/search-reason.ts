import { queryWords } from '../../../../shared/romania/names.ts'
import { examinationWords } from '../../../../shared/uploads/examination-words.ts'
import { findDate, isNumber, readPatientQuery } from '../../patients/search/read-query.ts'
import { findSearchReason, type SearchReason } from '../../patients/search/search-reason.ts'
import type { UploadRow } from '../uploads.db.ts'
import { readAccessionCode, withoutWords } from './read-upload-search.ts'

/** Whether each wanted word begins a word of the text. */
function hasWords(text: string, wanted: readonly string[]): boolean {
  const words = queryWords(text)
  return wanted.every((beginning) => words.some((word) => word.startsWith(beginning)))
}

/**
 * Returns why a search for a text finds the upload; null if its number, title, category or the patient's name says it. The phone
 * and the address of the patient are no reasons.
 */
export function findUploadReason(upload: UploadRow, text: string): SearchReason | null {
  if (text === '') return null
  const { accession_number: accession, referring_doctor: doctor } = upload
  const code = readAccessionCode(text)
  if (accession && code && readAccessionCode(accession)?.startsWith(code)) {
    return { kind: 'ACCESSION_NUMBER', text: `nr. examinare ${accession}` }
  }
  const { born, rest } = findDate(text)
  const query = readPatientQuery(withoutWords(rest, (word) => examinationWords(word) !== null))
  const patient = toFoundBy(upload)
  if (query.kind !== 'name') {
    if (born) return findSearchReason(patient, { kind: 'born', born })
    return isNumber(text) ? findSearchReason(patient, readPatientQuery(text)) : null
  }
  const reason = findSearchReason(patient, { ...query, born: query.born ?? born })
  if (reason?.kind !== 'NEAR_NAME') return reason
  if (doctor && hasWords(doctor, query.words)) return { kind: 'DOCTOR', text: `medic ${doctor}` }
  return hasWords(`${upload.title} ${doctor ?? ''}`, query.words) ? null : reason
}

const toFoundBy = (upload: UploadRow) => ({
  surname: upload.patient_surname ?? '',
  given_names: upload.patient_given_names ?? '',
  previous_surname: upload.patient_previous_surname,
  cnp: upload.patient_cnp,
  birth_date: upload.patient_birth_date,
  sex: upload.patient_sex,
  // Not searched in lists of uploads, or hidden from some of their readers.
  number: 0,
  phone: null,
  locality: null,
})
