import { graphql, type ResultOf } from '../../api/graphql.ts'

/** A page of a patient's uploads, with the fields of the patient's page. */
export const PatientUploads = graphql(`
  fragment PatientUploads on Patient {
    id
    uploads(first: 50, after: $after) {
      endCursor
      nodes {
        id
        number
        title
        state
        examinedOn
        createdAt
        authorName
        isDisagreeing
        accessionNumber
        referringDoctor
        note
        category {
          slug
          name
          icon
          color
        }
        institution {
          id
          name
        }
        files {
          id
          name
          kind
          size
          sha256
          pageCount
          scanResult
          facts
          hasThumbnail
        }
        transfers {
          id
          name
          size
          received
          sha256
        }
        can {
          addFiles
        }
      }
    }
  }
`)

export const PATIENT_UPLOADS = graphql(
  `
    query PatientUploads($patientId: ID!, $after: String) {
      patient(id: $patientId) {
        ...PatientUploads
      }
    }
  `,
  [PatientUploads],
)
export type PatientUpload = ResultOf<typeof PATIENT_UPLOADS>['patient']['uploads']['nodes'][number]
export type PatientUploadFile = PatientUpload['files'][number]

export const CREATE_UPLOAD = graphql(`
  mutation CreateUpload($upload: UploadInput!) {
    createUpload(upload: $upload) {
      id
      number
    }
  }
`)

export const SAVE_DETAILS = graphql(`
  mutation SaveDetails($id: ID!, $version: Int!, $upload: UploadInput!) {
    editUpload(id: $id, version: $version, upload: $upload) {
      id
      version
    }
  }
`)

export const SUBMIT_UPLOAD = graphql(`
  mutation SubmitUpload($id: ID!, $files: [String!]) {
    submitUpload(id: $id, files: $files) {
      id
      number
      state
      version
    }
  }
`)

export const WITHDRAW_UPLOAD = graphql(`
  mutation WithdrawUpload($id: ID!) {
    withdrawUpload(id: $id) {
      id
      state
      version
    }
  }
`)

/** What the server has of an upload. */
export const RECEIVED_CONTENT = graphql(`
  query ReceivedContent($id: ID!) {
    upload(id: $id) {
      id
      state
      version
      files {
        id
        name
        size
        sha256
      }
      transfers {
        id
        name
        size
        received
        sha256
      }
    }
  }
`)
