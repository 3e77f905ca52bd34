import { graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts'

/** The fields of a result in the institution's list. */
const ResultLine = graphql(`
  fragment ResultLine on Upload {
    id
    number
    title
    examinedOn
    releasedAt
    openedAt
    isUpdate
    fileCount
    category {
      slug
      name
      icon
      color
    }
    patient {
      id
      number
      name
      cnpMasked
      birthDate
      sex
    }
    institution {
      id
      name
    }
  }
`)
export type ResultLine = ResultOf<typeof ResultLine>

export const INBOX = graphql(
  `
    query Inbox($unread: Boolean, $search: String, $first: Int, $after: String) {
      inbox(unread: $unread, search: $search, first: $first, after: $after) {
        endCursor
        nodes {
          ...ResultLine
        }
      }
    }
  `,
  [ResultLine],
)
export type InboxFilter = Omit<VariablesOf<typeof INBOX>, 'first' | 'after'>

/** This query marks the result as read. */
export const RESULT = graphql(
  `
    query Result($id: ID!) {
      upload(id: $id) {
        ...ResultLine
        referringDoctor
        accessionNumber
        files {
          id
          name
          kind
          type
          size
          pageCount
          facts
          scanResult
        }
      }
    }
  `,
  [ResultLine],
)

export type Result = ResultOf<typeof RESULT>['upload']

export const MY_PATIENTS = graphql(`
  query MyPatients($search: String, $after: String) {
    patients(search: $search, after: $after) {
      isCut
      reasons {
        rowId
        kind
        text
      }
      endCursor
      nodes {
        id
        number
        name
        cnpMasked
        birthDate
      }
    }
  }
`)
export type MyPatient = ResultOf<typeof MY_PATIENTS>['patients']['nodes'][number]

export const PATIENT_RESULTS = graphql(
  `
    query PatientResults($patientId: ID!, $after: String) {
      patient(id: $patientId) {
        id
        name
        cnpMasked
        birthDate
        uploads(after: $after) {
          endCursor
          nodes {
            ...ResultLine
          }
        }
      }
    }
  `,
  [ResultLine],
)
