import { queryWords, wordsBeginWith } from '../../../../shared/romania/names.ts'
import { examinationWords } from '../../../../shared/uploads/examination-words.ts'
import { findDate, isNumber, type PatientQuery, readPatientQuery } from '../../patients/search/read-query.ts'
import {
  findSearchReason,
  listReasons,
  type RowReason,
  type SearchReason,
} from '../../patients/search/search-reason.ts'
import type { UploadRow } from '../uploads.db.ts'
import { readAccessionCode, withoutWords } from './read-upload-search.ts'

/**
 * Returns why a search for a text has found the uploads, those of which number, title, category and the patient's name do not
 * say it. The phone and the address of the patient are no reasons.
 */
export function listUploadReasons(uploads: readonly UploadRow[], text: string): RowReason[] {
  if (text === '') return []
  const code = readAccessionCode(text)
  const { born, rest } = findDate(text)
  const name = readPatientQuery(withoutWords(rest, (word) => examinationWords(word) !== null))
  const other: PatientQuery = born
    ? { kind: 'born', born }
    : isNumber(text)
      ? readPatientQuery(text)
      : { kind: 'nothing' }
  const query: PatientQuery = name.kind === 'name' ? { ...name, born: name.born ?? born } : other
  return listReasons(uploads, (upload) => findUploadReason(upload, code, query))
}

function findUploadReason(upload: UploadRow, code: string | null, query: PatientQuery): SearchReason | null {
  const { accession_number: accession, referring_doctor: doctor } = upload
  if (accession && code && readAccessionCode(accession)?.startsWith(code)) {
    return { kind: 'ACCESSION_NUMBER', text: `nr. examinare ${accession}` }
  }
  const reason = findSearchReason(toFoundBy(upload), query)
  if (query.kind !== 'name' || reason?.kind !== 'NEAR_NAME') return reason
  if (doctor && wordsBeginWith(queryWords(doctor), query.words))
    return { kind: 'DOCTOR', text: `medic ${doctor}` }
  return wordsBeginWith(queryWords(`${upload.title} ${doctor ?? ''}`), query.words) ? null : reason
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
  name_key: null,
})
