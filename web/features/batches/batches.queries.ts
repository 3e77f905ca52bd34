import { graphql, type ResultOf } from '../../api/graphql.ts'

const BatchHead = graphql(`
  fragment BatchHead on Batch {
    id
    number
    name
    source
    version
    createdAt
    closedAt
    isOwn
    counts {
      waiting
      ready
      sure
      likely
      none
      conflict
      duplicate
      unreadable
      refused
      filed
      released
      rejected
      announced
      missing
    }
  }
`)
export type BatchHead = ResultOf<typeof BatchHead>

export const OPEN_BATCHES = graphql(
  `
    query OpenBatches($after: String) {
      batches(open: true, first: 10, after: $after) {
        endCursor
        nodes {
          ...BatchHead
        }
      }
    }
  `,
  [BatchHead],
)

export const BATCH = graphql(
  `
    query Batch($id: ID!, $filter: BatchFilter, $first: Int, $after: String) {
      batch(id: $id) {
        ...BatchHead
        groups(filter: $filter, first: $first, after: $after) {
          endCursor
          nodes {
            undoUntil
            chosen {
              id
              name
              number
              birthDate
              cnpMasked
            }
            upload {
              id
              number
              version
              state
              title
              examinedOn
              accessionNumber
              referringDoctor
              note
              reviews {
                verdict
                reasonCode
                comment
                reviewerName
                undoneAt
              }
              patient {
                id
                name
                number
                birthDate
                cnpMasked
              }
              institution {
                id
                name
              }
              category {
                slug
                name
              }
              files {
                id
                name
                kind
                type
                size
                sha256
                pageCount
                facts
                scanResult
                hasThumbnail
              }
            }
            proposal {
              confidence
              statedNames
              patients {
                id
                name
                number
                birthDate
                cnpMasked
                reasonText
              }
              institution {
                id
                name
              }
              category {
                slug
                name
              }
              title
              examinedOn
              accessionNumber
              doctor
              isReady
              isDuplicate
              isUnreadable
              isRefused
              duplicates {
                id
                number
                state
                title
                patient {
                  id
                  name
                }
              }
            }
          }
        }
      }
    }
  `,
  [BatchHead],
)
export type BatchGroup = ResultOf<typeof BATCH>['batch']['groups']['nodes'][number]

export const CREATE_BATCH = graphql(`
  mutation CreateBatch($name: String!) {
    createBatch(name: $name) {
      id
    }
  }
`)

export const ADD_TO_BATCH = graphql(`
  mutation AddToBatch($batchId: ID!, $files: [FileToAnnounce!]!) {
    addToBatch(batchId: $batchId, files: $files) {
      key
      uploadId
      refusal
      isReceived
      transfer {
        id
        name
        size
        received
        sha256
      }
    }
  }
`)
export type AnnouncedFile = ResultOf<typeof ADD_TO_BATCH>['addToBatch'][number]

export const ACCEPT_GROUP = graphql(`
  mutation AcceptGroup($uploadId: ID!, $version: Int!, $details: GroupDetailsInput) {
    acceptGroup(uploadId: $uploadId, version: $version, details: $details) {
      id
      number
    }
  }
`)

export const ACCEPT_SURE_GROUPS = graphql(`
  mutation AcceptSureGroups($batchId: ID!, $version: Int!, $after: ID) {
    acceptSureGroups(batchId: $batchId, version: $version, after: $after) {
      done
      endCursor
      left {
        uploadId
        code
        reason
      }
    }
  }
`)

export const UNDO_FILING = graphql(`
  mutation UndoFiling($batchId: ID!, $uploadIds: [ID!]) {
    undoFiling(batchId: $batchId, uploadIds: $uploadIds) {
      done
      left {
        uploadId
        reason
      }
    }
  }
`)

export const CHOOSE_GROUP_PATIENT = graphql(`
  mutation ChooseGroupPatient($uploadId: ID!, $patientId: ID!) {
    chooseGroupPatient(uploadId: $uploadId, patientId: $patientId) {
      id
    }
  }
`)

export const REGROUP_FILES = graphql(`
  mutation RegroupFiles($uploadId: ID!, $fileIds: [ID!]!, $toUploadId: ID) {
    regroupFiles(uploadId: $uploadId, fileIds: $fileIds, toUploadId: $toUploadId) {
      id
    }
  }
`)

export const CLOSE_BATCH = graphql(`
  mutation CloseBatch($id: ID!, $withdrawRest: Int) {
    closeBatch(id: $id, withdrawRest: $withdrawRest) {
      id
      closedAt
    }
  }
`)

export const BATCH_CHANGED = graphql(`
  subscription BatchChanged($id: ID!) {
    batchChanged(id: $id) {
      id
    }
  }
`)

/** What each file of a group says, before the check, and what was found in it, compared with a patient. */
export const GROUP_CHECKS = graphql(`
  query GroupChecks($id: ID!, $patientId: ID) {
    upload(id: $id) {
      id
      draftFacts(patientId: $patientId) {
        fileId
        agrees
        fact {
          kind
          value
          place
        }
      }
      fileChecks {
        file {
          id
        }
        state
        unreadable
        refusal {
          sentence
        }
        people
        patients {
          id
          name
          reasonText
        }
      }
    }
  }
`)
export type GroupCheck = ResultOf<typeof GROUP_CHECKS>['upload']['fileChecks'][number]
export type DraftFact = ResultOf<typeof GROUP_CHECKS>['upload']['draftFacts'][number]

export const REVEAL_FOUND_PERSON = graphql(`
  mutation RevealFoundPerson($uploadId: ID!) {
    revealFoundPerson(uploadId: $uploadId) {
      cnp
      surname
      givenNames
      birthDate
    }
  }
`)
export type FoundPerson = NonNullable<ResultOf<typeof REVEAL_FOUND_PERSON>['revealFoundPerson']>
