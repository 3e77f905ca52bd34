import type { ReadCase } from '../cases.ts'

/**
 * A question in the words of PostGraphile's schema, which it makes of the tables: the columns that the screen shows, for
 * each of the case's variables.
 */
export type PostgraphileQuestion = { query: string; variables: readonly Record<string, unknown>[] }

const PATIENTS = `query ($after: Cursor) {
  allPatients(
    first: 50, after: $after, condition: {deletedAt: null, mergedInto: null}, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]
  ) {
    nodes { rowId number surname givenNames cnp birthDate phone locality }
    pageInfo { endCursor hasNextPage }
  }
}`

const PATIENT = `query ($id: UUID!) {
  patientByRowId(rowId: $id) {
    rowId version number surname givenNames previousSurname cnp birthDate sex phone email county locality address
    preferredChannel notes
    referralsByPatientId(orderBy: [CREATED_AT_DESC]) {
      nodes {
        rowId doctor number referredOn endedAt mistaken version createdAt
        institutionByInstitutionId { rowId name suspendedAt }
      }
    }
    patientMergesBySurvivorId(condition: {undoneAt: null}) { nodes { rowId mergedAt } }
    newsByPatientId(condition: {removedAt: null}) { nodes { rowId kind text visibility pinnedUntil revision writtenAt } }
    uploadsByPatientId(first: 50, condition: {deletedAt: null}, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) {
      nodes {
        rowId number title state examinedOn createdAt accessionNumber referringDoctor note categorySlug
        appUserByCreatedBy { name }
        institutionByInstitutionId { rowId name shortName }
        filesByUploadId(condition: {removedAt: null}, orderBy: [POSITION_ASC]) {
          nodes {
            rowId name kind size sha256 pageCount scanResult facts
            fileFactsByFileId { nodes { kind value isDoubtful place } }
          }
        }
        transfersByUploadId(condition: {state: "receiving"}) { nodes { rowId name size received sha256 } }
      }
      pageInfo { endCursor hasNextPage }
    }
  }
}`

const QUEUE = `query {
  allUploads(
    first: 50, condition: {state: "in_review", deletedAt: null}, orderBy: [STATE_SINCE_ASC, ROW_ID_ASC]
  ) {
    nodes {
      rowId number title state stateSince releaseAt categorySlug
      appUserByCreatedBy { rowId name }
      institutionBySenderInstitutionId { name }
      institutionByInstitutionId { rowId name shortName }
      patientByPatientId { rowId number surname givenNames previousSurname cnp birthDate }
      reviewsByUploadId { nodes { firstOfVersion appUserByReviewerId { rowId name } } }
      filesByUploadId(condition: {removedAt: null}) {
        totalCount
        nodes { fileFactsByFileId { nodes { kind value isDoubtful place } } }
      }
    }
    pageInfo { endCursor hasNextPage }
  }
}`

/**
 * Returns the question of a case; null for searches and the inbox, which are no condition on columns. `cursor` is one of
 * PostGraphile's own cursors of the newest patients: it begins with a hash of the order.
 */
export function questionOf({ name, variables }: ReadCase, cursor: string): PostgraphileQuestion | null {
  switch (name) {
    case 'newest 50 patients':
      return { query: PATIENTS, variables: [{}] }
    case 'a deep page':
      return {
        query: PATIENTS,
        variables: variables.map(({ after }) => ({ after: translate(String(after), cursor) })),
      }
    case "a patient's page":
      return { query: PATIENT, variables: variables.map(({ id }) => ({ id })) }
    case 'the review queue':
      return { query: QUEUE, variables: [{}] }
    default:
      return null
  }
}

/** The question whose response has a cursor of the newest patients. */
export const FIRST_PAGE = { query: PATIENTS, variables: {} }

/** Returns PostGraphile's cursor for the row that one of the product's cursors names. */
function translate(after: string, cursor: string): string {
  const [hash] = JSON.parse(Buffer.from(cursor, 'base64').toString())
  const [createdAt, id] = JSON.parse(Buffer.from(after, 'base64url').toString())
  return Buffer.from(JSON.stringify([hash, createdAt.replace('Z', '000+00:00'), id])).toString('base64')
}
