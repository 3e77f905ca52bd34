/** How an integration sends: a watched folder, or a program of its own such as a LIS. */
export const INTEGRATION_KINDS = ['folder', 'program'] as const
export type IntegrationKind = (typeof INTEGRATION_KINDS)[number]

/** The path of the route where integrations send results. */
export const INTAKE_PATH = '/api/intake'
/** The path where they send large ones, in several requests. */
export const INTAKE_FILES_PATH = `${INTAKE_PATH}/files`
/** The prefix of every key of an integration. */
export const INTEGRATION_KEY_PREFIX = 'di_'

/** What an integration states of a document, read and normalised; absent: not stated. */
export type IntakeFacts = {
  cnp?: string
  surname?: string
  givenNames?: string
  birthDate?: string
  accessionNumber?: string
  examinedAt?: string
  doctor?: string
  /** An id. */
  institution?: string
  /** A slug. */
  category?: string
  title?: string
}
