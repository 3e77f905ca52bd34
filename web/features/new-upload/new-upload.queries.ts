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
  mutation SubmitUpload($id: ID!, $version: Int, $files: [String!]) {
    submitUpload(id: $id, version: $version, files: $files) {
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

export const DISCARD_FILE = graphql(`
  mutation DiscardFile($uploadId: ID!, $fileId: ID!) {
    discardFile(uploadId: $uploadId, fileId: $fileId) {
      id
      version
    }
  }
`)

export const MOVE_FILES = graphql(`
  mutation MoveFiles($uploadId: ID!, $fileIds: [ID!]!, $patientId: ID!) {
    moveFiles(uploadId: $uploadId, fileIds: $fileIds, patientId: $patientId) {
      id
    }
  }
`)

/** What the files of an upload say before its check, and what they propose for it. */
export const FILE_CHECKS = graphql(`
  query FileChecks($id: ID!) {
    upload(id: $id) {
      id
      state
      version
      patient {
        id
      }
      fileChecks {
        file {
          id
          name
          sha256
        }
        state
        refusal {
          sentence
          facts
        }
        isPartlyRead
        unreadable
        comparison {
          what
          result
          disagreeing {
            value
            place
          }
        }
        patients {
          id
          name
          reasons
        }
        people
        duplicates {
          kind
          upload {
            id
            number
            title
            state
            patient {
              id
              name
            }
            replacedBy {
              id
            }
          }
        }
      }
      proposal {
        institution {
          id
        }
        category {
          slug
        }
        title
        examinedOn
        accessionNumber
        doctor
      }
    }
  }
`)
type CheckedUpload = ResultOf<typeof FILE_CHECKS>['upload']
export type FileCheck = CheckedUpload['fileChecks'][number]
export type UploadProposal = NonNullable<CheckedUpload['proposal']>

/** What the server has of an upload. */
export const RECEIVED_CONTENT = graphql(`
  query ReceivedContent($id: ID!) {
    upload(id: $id) {
      id
      state
      version
      patient {
        id
      }
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
