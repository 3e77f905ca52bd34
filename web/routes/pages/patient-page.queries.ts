import { graphql } from '../../api/graphql.ts'
import { PatientUploads } from '../../features/new-upload/new-upload.queries.ts'
import { NewsEntry } from '../../features/news/news.queries.ts'
import { PatientDuplicates } from '../../features/patients/duplicates/duplicates.queries.ts'
import { PatientMerges } from '../../features/patients/merge/merge.queries.ts'
import { PatientDetails, PatientReferrals } from '../../features/patients/patients.queries.ts'

/**
 * The patient's page in one request: the patient's details at once, the long list of results as an
 * incremental result [7.8].
 */
export const PATIENT_PAGE = graphql(
  `
    query PatientPage($id: ID!, $withFiles: Boolean!, $withNews: Boolean!, $after: String) {
      patient(id: $id) {
        ...PatientFacts
        ...PatientReferrals
        ...PatientDuplicates
        ...PatientMerges
        ...PatientUploads @include(if: $withFiles) @defer
      }
      patientNews(patientId: $id) @include(if: $withNews) {
        ...NewsEntry
      }
    }
  `,
  [PatientDetails, PatientReferrals, PatientDuplicates, PatientMerges, PatientUploads, NewsEntry],
)
