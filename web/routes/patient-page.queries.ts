import { graphql } from '../api/graphql.ts'
import { PatientFacts, PatientReferrals } from '../features/patients/patients.queries.ts'
import { PatientUploads } from '../features/uploads/filing.queries.ts'

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
  [PatientFacts, PatientReferrals, PatientUploads],
)
