import { graphql, type ResultOf } from '../../api/graphql.ts'
import { RowReason } from '../../lists/search-reasons.queries.ts'
import { PatientDuplicates } from './duplicates/duplicates.queries.ts'
import { PatientMerges } from './merge/merge.queries.ts'

/** The fields of a patient that the form edits, and the version. */
export const PatientDetails = graphql(`
  fragment PatientFacts on Patient {
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
    can {
      edit
    }
  }
`)
export type PatientDetails = ResultOf<typeof PatientDetails>

export const PatientReferrals = graphql(`
  fragment PatientReferrals on Patient {
    id
    referrals {
      id
      institutionId
      institutionName
      institutionSuspended
      doctor
      number
      referredOn
      endedOn
      isMistaken
      version
      createdAt
    }
  }
`)
export type Referral = ResultOf<typeof PatientReferrals>['referrals'][number]

/** What a table of patients shows, and why a search has found them. */
const PatientTable = graphql(
  `
    fragment PatientTable on PatientPage {
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
        phone
        locality
      }
    }
  `,
  [RowReason],
)
export type PatientRow = ResultOf<typeof PatientTable>['nodes'][number]

export const PATIENTS = graphql(
  `
    query Patients($search: String, $after: String) {
      patients(search: $search, after: $after) {
        ...PatientTable
      }
    }
  `,
  [PatientTable],
)

/** The patients whom an institution has referred. */
export const REFERRED_PATIENTS = graphql(
  `
    query ReferredPatients($institutionId: ID!, $search: String, $after: String) {
      patients(institutionId: $institutionId, search: $search, after: $after) {
        ...PatientTable
      }
    }
  `,
  [PatientTable],
)

/** The patients of a field in which one is chosen. */
export const PATIENT_CHOICES = graphql(
  `
    query PatientChoices($institutionId: ID, $search: String, $after: String) {
      patients(institutionId: $institutionId, search: $search, first: 20, after: $after) {
        endCursor
        isCut
        reasons {
          ...RowReason
        }
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

export const PATIENT = graphql(
  `
    query Patient($id: ID!) {
      patient(id: $id) {
        ...PatientFacts
        ...PatientReferrals
        ...PatientDuplicates
        ...PatientMerges
      }
    }
  `,
  [PatientDetails, PatientReferrals, PatientDuplicates, PatientMerges],
)
export type Patient = ResultOf<typeof PATIENT>['patient']

/** What a list has already shown of a patient. */
export const KNOWN_PATIENT = graphql(`
  fragment KnownPatient on Patient {
    id
    number
    name
    birthDate
  }
`)

export const CREATE_PATIENT = graphql(`
  mutation CreatePatient($patient: PatientInput!, $distinctFrom: [ID!]) {
    createPatient(patient: $patient, distinctFrom: $distinctFrom) {
      id
      name
      number
    }
  }
`)

export const UPDATE_PATIENT = graphql(
  `
    mutation UpdatePatient($id: ID!, $version: Int!, $patient: PatientInput!) {
      updatePatient(id: $id, version: $version, patient: $patient) {
        ...PatientFacts
      }
    }
  `,
  [PatientDetails],
)

/** Reveals a CNP; the audit log records it. */
export const REVEAL_CNP = graphql(`
  mutation RevealCnp($patientId: ID!) {
    revealCnp(patientId: $patientId)
  }
`)

/** A mutation, so that the CNP is never part of an address. */
export const FIND_PATIENT_BY_CNP = graphql(`
  mutation FindPatientByCnp($cnp: String!) {
    findPatientByCnp(cnp: $cnp) {
      id
      number
      name
      birthDate
    }
  }
`)
export type KnownPatient = NonNullable<ResultOf<typeof FIND_PATIENT_BY_CNP>['findPatientByCnp']>

export const CREATE_REFERRAL = graphql(
  `
    mutation CreateReferral($referral: ReferralInput!) {
      createReferral(referral: $referral) {
        ...PatientReferrals
      }
    }
  `,
  [PatientReferrals],
)

export const UPDATE_REFERRAL = graphql(
  `
    mutation UpdateReferral($id: ID!, $version: Int!, $referral: ReferralChangesInput!) {
      updateReferral(id: $id, version: $version, referral: $referral) {
        uploadsNoLongerShown
        patient {
          ...PatientReferrals
        }
      }
    }
  `,
  [PatientReferrals],
)
