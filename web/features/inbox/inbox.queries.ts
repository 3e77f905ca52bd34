import { graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts'
import { RowReason } from '../../lists/search-reasons.queries.ts'

/** The fields of a result in the institution's list. */
export const ResultLine = graphql(`
  fragment ResultLine on Upload {
    id
    number
    title
    examinedOn
    releasedAt
    openedAt
    isUpdate
    fileCount
    referringDoctor
    accessionNumber
    inbox {
      state
      isMine
      takenByName
      takenAt
      handledByName
      handledAt
      former {
        state
        name
        at
      }
    }
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
      newsMarks {
        warnings
        unread
      }
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
    query Inbox(
      $view: InboxView
      $since: Date
      $until: Date
      $category: String
      $doctor: String
      $institutionId: ID
      $departmentId: ID
      $ownDepartments: Boolean
      $search: String
      $first: Int
      $after: String
    ) {
      inbox(
        view: $view
        since: $since
        until: $until
        category: $category
        doctor: $doctor
        institutionId: $institutionId
        departmentId: $departmentId
        ownDepartments: $ownDepartments
        search: $search
        first: $first
        after: $after
      ) {
        endCursor
        reasons {
          ...RowReason
        }
        nodes {
          ...ResultLine
        }
      }
    }
  `,
  [RowReason, ResultLine],
)
export type InboxVariables = Omit<VariablesOf<typeof INBOX>, 'first' | 'after'>

export const INBOX_COUNTS = graphql(`
  query InboxCounts {
    inboxCounts {
      open
      new
      mine
      older
    }
  }
`)

export const MARK_RESULTS = graphql(
  `
    mutation MarkResults($ids: [ID!]!, $mark: InboxMark!) {
      markResults(ids: $ids, mark: $mark) {
        changed {
          ...ResultLine
        }
        unchanged {
          ...ResultLine
        }
      }
    }
  `,
  [ResultLine],
)
export type Mark = VariablesOf<typeof MARK_RESULTS>['mark']

export const KEEP_FILTERS = graphql(`
  mutation KeepInboxFilters(
    $view: InboxView
    $since: Date
    $until: Date
    $category: String
    $doctor: String
    $institutionId: ID
    $departmentId: ID
    $ownDepartments: Boolean
  ) {
    keepInboxFilters(
      view: $view
      since: $since
      until: $until
      category: $category
      doctor: $doctor
      institutionId: $institutionId
      departmentId: $departmentId
      ownDepartments: $ownDepartments
    )
  }
`)

export const Membership = graphql(`
  fragment MembershipFields on Membership {
    institutionId
    institutionName
    departmentId
    departments {
      id
      name
    }
    doctors {
      name
    }
  }
`)
export type Membership = ResultOf<typeof Membership>

export const MEMBERSHIPS = graphql(
  `
    query Memberships {
      memberships {
        ...MembershipFields
      }
    }
  `,
  [Membership],
)

export const CHOOSE_DEPARTMENT = graphql(`
  mutation ChooseDepartment($institutionId: ID!, $departmentId: ID) {
    chooseDepartment(institutionId: $institutionId, departmentId: $departmentId) {
      institutionId
      departmentId
    }
  }
`)

/** This query marks the result as read. */
export const RESULT = graphql(
  `
    query Result($id: ID!) {
      upload(id: $id) {
        ...ResultLine
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

export const MY_PATIENTS = graphql(
  `
    query MyPatients($search: String, $after: String) {
      patients(search: $search, after: $after) {
        isCut
        reasons {
          ...RowReason
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
  `,
  [RowReason],
)
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
