import { graphql, type ResultOf } from '../../../api/graphql.ts'

export const PatientMerges = graphql(`
  fragment PatientMerges on Patient {
    id
    merges {
      id
      mergedName
      mergedNumber
      mergedAt
      mergedByName
      undoableUntil
    }
  }
`)
export type PatientMerge = ResultOf<typeof PatientMerges>['merges'][number]

const MergedPatient = graphql(`
  fragment MergedPatient on Patient {
    id
    version
    number
    name
    surname
    givenNames
    previousSurname
    cnpMasked
    birthDate
    sex
    phone
    email
    county
    locality
    address
    preferredChannel
    notes
    referrals {
      id
    }
  }
`)
export type MergedPatient = ResultOf<typeof MergedPatient>

export const MERGE_PREVIEW = graphql(
  `
    query MergePreview($survivorId: ID!, $mergedId: ID!) {
      mergePreview(survivorId: $survivorId, mergedId: $mergedId) {
        survivorUploads
        mergedUploads
        obstacle
        survivor {
          ...MergedPatient
        }
        merged {
          ...MergedPatient
        }
      }
    }
  `,
  [MergedPatient],
)

export const MERGE_PATIENTS = graphql(`
  mutation MergePatients(
    $survivorId: ID!
    $survivorVersion: Int!
    $mergedId: ID!
    $mergedVersion: Int!
    $take: [PatientField!]
    $keepSurname: Boolean
  ) {
    mergePatients(
      survivorId: $survivorId
      survivorVersion: $survivorVersion
      mergedId: $mergedId
      mergedVersion: $mergedVersion
      take: $take
      keepSurname: $keepSurname
    ) {
      id
      name
    }
  }
`)

export const UNDO_MERGE = graphql(`
  mutation UndoMerge($id: ID!, $keepChanges: Boolean) {
    undoMerge(id: $id, keepChanges: $keepChanges) {
      uploadsToCheck
      newsToCheck
      referralsToCheck {
        id
        institutionName
      }
      survivor {
        id
        name
      }
      restored {
        id
        name
      }
    }
  }
`)
