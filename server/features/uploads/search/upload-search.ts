import type { Days } from '../../patients/search/read-query.ts'

/** Digits, and the uploads whose number begins with them; null if there are too many to collect. */
export type NumberWord = { digits: string; uploadIds: string[] | null }

/** Words that mean a kind of examination, and the categories that have one of them. */
export type ExaminationWord = { word: string; meanings: readonly string[]; slugs: readonly string[] }

/**
 * A name of a patient or a doctor, or words of a title. The ids of the patients and of the uploads that have it; null if there
 * are too many to collect.
 */
export type NameWords = {
  spellings: readonly (readonly string[])[]
  patientIds: string[] | null
  uploadIds: string[] | null
}

/**
 * What a list of uploads is searched for: all of `names`, `numbers`, `examinations` and `born`, or one of the identified
 * patients and uploads.
 */
export type UploadSearch = {
  names: NameWords | null
  numbers: readonly NumberWord[]
  examinations: readonly ExaminationWord[]
  /** The birth date or year of the patient; `patientIds`: all that were born on the day. */
  born: (Days & { patientIds: string[] | null }) | null
  identified: { patientIds: readonly string[]; uploadIds: readonly string[] }
}
