import { graphql, type ResultOf } from '../../api/graphql.ts'

/** An institution for which the user may send files. */
export const SENDING_INSTITUTION = graphql(`
  fragment SendingInstitutionFields on SendingInstitution {
    id
    name
  }
`)
export type SendingInstitution = ResultOf<typeof SENDING_INSTITUTION>

export const SENT_UPLOADS = graphql(`
  query SentUploads($after: String) {
    sentUploads(after: $after) {
      endCursor
      nodes {
        id
        number
        institutionId
        title
        state
        createdAt
        patient {
          id
          name
        }
        senderName
        isOwn
        fileCount
        isResult
        rejectionCode
        rejectionComment
        refusedFiles {
          name
          facts
        }
      }
    }
  }
`)
export type SentUpload = ResultOf<typeof SENT_UPLOADS>['sentUploads']['nodes'][number]

/** What the server has of a draft. */
const SentContent = graphql(`
  fragment SentContent on SentDraft {
    id
    number
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
`)

/** What the form says of a draft. */
const SentDetails = graphql(`
  fragment SentDetails on SentDraft {
    title
    categorySlug
    examinedOn
    note
    patient {
      id
      name
    }
  }
`)

export const SENT_DRAFTS = graphql(
  `
    query SentDrafts {
      sentDrafts {
        ...SentContent
        institutionId
        createdAt
        ...SentDetails
      }
    }
  `,
  [SentContent, SentDetails],
)
export type SentDraft = ResultOf<typeof SENT_DRAFTS>['sentDrafts'][number]

export const SENT_DRAFT = graphql(
  `
    query SentDraft($id: ID!) {
      sentDraft(id: $id) {
        ...SentContent
      }
    }
  `,
  [SentContent],
)

export const SENT_CHECKS = graphql(`
  query SentChecks($id: ID!) {
    sentDraft(id: $id) {
      id
      version
      patient {
        id
      }
      checks {
        file {
          id
          name
          sha256
        }
        state
        refusalFacts
        unreadable
        isPartlyRead
        comparison {
          what
          result
        }
        patients {
          id
          name
        }
        people
        isKnown
      }
      proposal {
        categorySlug
        title
        examinedOn
      }
    }
  }
`)
type CheckedDraft = ResultOf<typeof SENT_CHECKS>['sentDraft']
export type SentCheck = CheckedDraft['checks'][number]
export type SentProposal = NonNullable<CheckedDraft['proposal']>

export const CREATE_SENT_UPLOAD = graphql(`
  mutation CreateSentUpload($institutionId: ID!, $upload: SentUploadInput!) {
    createSentUpload(institutionId: $institutionId, upload: $upload) {
      id
      number
    }
  }
`)

export const EDIT_SENT_UPLOAD = graphql(
  `
    mutation EditSentUpload($id: ID!, $version: Int!, $upload: SentUploadInput!) {
      editSentUpload(id: $id, version: $version, upload: $upload) {
        id
        version
        ...SentDetails
      }
    }
  `,
  [SentDetails],
)

export const SUBMIT_SENT_UPLOAD = graphql(`
  mutation SubmitSentUpload($id: ID!, $files: [String!]) {
    submitSentUpload(id: $id, files: $files) {
      id
      state
      version
    }
  }
`)

export const WITHDRAW_SENT_UPLOAD = graphql(`
  mutation WithdrawSentUpload($id: ID!) {
    withdrawSentUpload(id: $id) {
      id
      state
      version
    }
  }
`)

export const DISCARD_SENT_FILE = graphql(`
  mutation DiscardSentFile($uploadId: ID!, $fileId: ID!) {
    discardSentFile(uploadId: $uploadId, fileId: $fileId) {
      id
      version
    }
  }
`)

export const UNDER_WAY = graphql(`
  query UnderWay($patientId: ID!) {
    patient(id: $patientId) {
      id
      underWay {
        filedOn
        categoryName
      }
    }
  }
`)
