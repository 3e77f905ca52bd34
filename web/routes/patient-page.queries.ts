import { graphql } from '../api/graphql.ts'
import { PatientUploads } from '../features/new-upload/new-upload.queries.ts'
import { PatientDetails, PatientReferrals } from '../features/patients/patients.queries.ts'

/** The patient's page in one request: who they are at once, their long list of results when it is there [7.8]. */
export const PATIENT_PAGE = graphql(
  `
    query PatientPage($id: ID!, $withFiles: Boolean!, $after: String) {
      patient(id: $id) {
        ...PatientFacts
        ...PatientReferrals
        ...PatientUploads @include(if: $withFiles) @defer
      }
    }
  `,
  [PatientDetails, PatientReferrals, PatientUploads],
)
