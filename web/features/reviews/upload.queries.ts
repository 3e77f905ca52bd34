import { graphql, type ResultOf } from '../../api/graphql.ts'
import { UPLOAD_QUESTION } from '../questions/questions.queries.ts'

/** The data of an upload's page: details, files, verdicts, and the next upload in review. */
const UPLOAD_FIELDS = graphql(`
  fragment UploadPage on Upload {
    id
    version
    number
    title
    state
    stateSince
    examinedOn
    accessionNumber
    referringDoctor
    note
    source
    createdAt
    releasedAt
    releaseAt
    authorName
    sentBy
    isOwn
    nextInReview
    undoUntil
    policy {
      reviewers
      release
      releaseHours
    }
    firstAcceptance {
      reviewerName
      acceptedAt
      isOwn
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
    }
    institution {
      id
      name
      isSuspended
    }
    notShown {
      reason
      endedOn
    }
    files {
      id
      name
      kind
      type
      size
      pageCount
      facts
      scanResult
      hasThumbnail
    }
    replaces {
      id
      number
      state
    }
    replacedBy {
      id
      number
      state
    }
    removedFiles {
      id
      name
      removedAt
      removedByName
      reason
    }
    comparison {
      isCut
      holds {
        kind
        what
        value
        fileId
        fileName
      }
      unreadFileIds
      lines {
        what
        result
        disagreeing {
          value
          fileIds
          place
        }
      }
      marks {
        fileId
        what
        page
        box
        agrees
      }
    }
    reviews {
      id
      round
      verdict
      reasonCode
      comment
      createdAt
      reviewerName
      isAutomatic
      isFirst
      undoneAt
      holds {
        kind
        what
        value
        fileId
        fileName
      }
    }
    can {
      edit
      decide
      accept
      submit
      withdraw
      removeFiles
      release
      correct
      replace
      move
    }
    incidents {
      id
      number
      movedAt
      isWrongInstitution
    }
    recalls {
      id
      institutionName
      openings {
        name
        institutionName
        acts {
          kind
          firstAt
          lastAt
        }
      }
      acknowledgedAt
      acknowledgedByName
    }
  }
`)
export type Upload = ResultOf<typeof UPLOAD_FIELDS>

export const UPLOAD = graphql(
  `
    query UploadPage($id: ID!) {
      upload(id: $id) {
        ...UploadPage
      }
    }
  `,
  [UPLOAD_FIELDS],
)

/** What a list has already shown of an upload. */
export const KNOWN_UPLOAD = graphql(`
  fragment KnownUpload on Upload {
    id
    title
    patient {
      id
      name
    }
  }
`)

/** What is around an upload: its place among those that wait for a verdict, and what institutions ask about it. */
export const UPLOAD_SURROUNDINGS = graphql(
  `
    query UploadSurroundings($uploadId: ID!, $withPlace: Boolean!, $withQuestions: Boolean!) {
      reviewPlace(uploadId: $uploadId) @include(if: $withPlace) {
        place
        count
      }
      questions(uploadId: $uploadId) @include(if: $withQuestions) {
        ...UploadQuestion
      }
    }
  `,
  [UPLOAD_QUESTION],
)

/** What a verdict changes on its upload. */
export const VERDICT_OUTCOME = graphql(`
  fragment VerdictOutcome on Upload {
    id
    version
    state
    stateSince
    releaseAt
    undoUntil
    firstAcceptance {
      reviewerName
      acceptedAt
      isOwn
    }
    can {
      edit
      decide
      accept
      withdraw
      release
      correct
      replace
    }
  }
`)
export type VerdictOutcome = ResultOf<typeof VERDICT_OUTCOME>

export const ACCEPT_UPLOAD = graphql(
  `
    mutation AcceptUpload(
      $id: ID!
      $version: Int!
      $openedFileIds: [ID!]!
      $shownHolds: [ShownHoldInput!]
      $reason: String
      $comment: String
    ) {
      acceptUpload(
        id: $id
        version: $version
        openedFileIds: $openedFileIds
        shownHolds: $shownHolds
        reason: $reason
        comment: $comment
      ) {
        ...VerdictOutcome
      }
    }
  `,
  [VERDICT_OUTCOME],
)

export const RELEASE_UPLOAD = graphql(
  `
    mutation ReleaseUpload($id: ID!, $version: Int!) {
      releaseUpload(id: $id, version: $version) {
        ...UploadPage
      }
    }
  `,
  [UPLOAD_FIELDS],
)

export const RETURN_UPLOAD = graphql(
  `
    mutation ReturnUpload($id: ID!, $version: Int!) {
      returnUpload(id: $id, version: $version) {
        ...UploadPage
      }
    }
  `,
  [UPLOAD_FIELDS],
)

export const REJECT_UPLOAD = graphql(
  `
    mutation RejectUpload($id: ID!, $version: Int!, $reason: String!, $comment: String) {
      rejectUpload(id: $id, version: $version, reason: $reason, comment: $comment) {
        ...VerdictOutcome
      }
    }
  `,
  [VERDICT_OUTCOME],
)

export const UNDO_VERDICT = graphql(
  `
    mutation UndoVerdict($id: ID!, $version: Int!) {
      undoVerdict(id: $id, version: $version) {
        ...UploadPage
      }
    }
  `,
  [UPLOAD_FIELDS],
)

export const EDIT_UPLOAD = graphql(
  `
    mutation EditUpload($id: ID!, $version: Int!, $upload: UploadInput!) {
      editUpload(id: $id, version: $version, upload: $upload) {
        ...UploadPage
      }
    }
  `,
  [UPLOAD_FIELDS],
)

export const CORRECT_UPLOAD = graphql(
  `
    mutation CorrectUpload($id: ID!, $version: Int!, $upload: UploadCorrection!, $reason: String!) {
      correctUpload(id: $id, version: $version, upload: $upload, reason: $reason) {
        ...UploadPage
      }
    }
  `,
  [UPLOAD_FIELDS],
)

export const REPLACE_UPLOAD = graphql(`
  mutation ReplaceUpload($id: ID!, $version: Int!, $reason: String!, $withdraw: Boolean) {
    replaceUpload(id: $id, version: $version, reason: $reason, withdraw: $withdraw) {
      id
      number
    }
  }
`)

export const REMOVE_FILE = graphql(
  `
    mutation RemoveFile($id: ID!, $reason: String!) {
      removeFile(id: $id, reason: $reason) {
        ...UploadPage
      }
    }
  `,
  [UPLOAD_FIELDS],
)

export const RESTORE_FILE = graphql(
  `
    mutation RestoreFile($id: ID!) {
      restoreFile(id: $id) {
        ...UploadPage
      }
    }
  `,
  [UPLOAD_FIELDS],
)

/** The institutions that may receive a patient's results. */
export const PATIENT_INSTITUTIONS = graphql(`
  query PatientInstitutions($patientId: ID!) {
    patient(id: $patientId) {
      id
      number
      name
      cnpMasked
      birthDate
      referrals {
        id
        institutionId
        institutionName
        institutionSuspended
        doctor
        endedOn
      }
    }
  }
`)

/** How the files agree with the patient to whom a move would give them. */
export const MOVE_COMPARISON = graphql(`
  query MoveComparison($uploadId: ID!, $patientId: ID!) {
    moveComparison(uploadId: $uploadId, patientId: $patientId) {
      lines {
        what
        result
        disagreeing {
          value
          fileIds
          place
        }
      }
      holds {
        fileId
        fileName
      }
    }
  }
`)

/** The patients whom the files of an upload name. */
export const PROPOSED_PATIENTS = graphql(`
  query ProposedPatients($id: ID!) {
    upload(id: $id) {
      id
      proposal {
        patients {
          id
          name
          number
          birthDate
          cnpMasked
          reasonText
        }
      }
    }
  }
`)
