import { graphql, type ResultOf } from '../../api/graphql.ts'

export const INSTITUTION_FIGURES_QUERY = graphql(`
  query InstitutionFigures($institutionId: ID!) {
    institutionFigures(institutionId: $institutionId) {
      released
      unopened
      oldestUnopenedAt
      medianToOpening
      medianToOpeningLong
    }
  }
`)

/** The results released to an institution, as staff see them. */
export const INSTITUTION_RESULTS = graphql(`
  query InstitutionResults($institutionId: ID!, $days: Int, $opened: Boolean, $after: String) {
    institutionResults(institutionId: $institutionId, days: $days, opened: $opened, after: $after) {
      endCursor
      nodes {
        id
        number
        title
        releasedAt
        firstOpenedAt
        patient {
          id
          name
          cnpMasked
        }
        category {
          slug
          name
          icon
          color
        }
      }
    }
  }
`)
export type InstitutionResult = ResultOf<typeof INSTITUTION_RESULTS>['institutionResults']['nodes'][number]
