import { graphql } from '../../api/graphql.ts'
import { RequestFields } from '../incidents/incidents.queries.ts'
import { SENDING_INSTITUTION } from '../sent-uploads/sent-uploads.queries.ts'
import { Membership } from './inbox.queries.ts'
import { RecallFields } from './recalls/recalls.queries.ts'

/**
 * All that the institution's page needs beside its list, in one request, for the cache from which its parts read it. The
 * reading of recalls is recorded, so that only the tab that shows them asks for them.
 */
export const INSTITUTION_HOME = graphql(
  `
    query InstitutionHome($withRequests: Boolean!, $withFiles: Boolean!, $withRecalls: Boolean!) {
      memberships {
        ...MembershipFields
      }
      sendingInstitutions {
        ...SendingInstitutionFields
      }
      inboxCounts @include(if: $withFiles) {
        open
        new
        mine
        older
      }
      questionCount @include(if: $withFiles)
      deletionRequests @include(if: $withRequests) {
        ...RequestFields
      }
      recalls @include(if: $withRecalls) {
        ...RecallFields
      }
    }
  `,
  [Membership, SENDING_INSTITUTION, RequestFields, RecallFields],
)
