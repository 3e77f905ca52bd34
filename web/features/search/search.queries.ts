import { graphql } from '../../api/graphql.ts'
import { RowReason } from '../../lists/search-reasons.queries.ts'

export const SEARCH = graphql(
  `
    query Search($query: String!, $kinds: [SearchKind!]!, $first: Int!) {
      search(query: $query, kinds: $kinds, first: $first) {
        patients {
          id
          number
          name
          cnpMasked
          birthDate
        }
        institutions {
          id
          name
          code
          locality
        }
        uploads {
          id
          number
          title
          state
          createdAt
          releasedAt
          patient {
            name
          }
        }
        categories {
          slug
          name
          icon
        }
        screens {
          address
          title
        }
        reasons {
          ...RowReason
        }
      }
    }
  `,
  [RowReason],
)
