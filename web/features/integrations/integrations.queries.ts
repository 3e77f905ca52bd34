import { graphql, type ResultOf } from '../../api/graphql.ts'

const IntegrationDetails = graphql(`
  fragment IntegrationDetails on Integration {
    id
    version
    name
    kind
    institution {
      id
      name
    }
    category {
      slug
      name
    }
    addresses
    submitsToReview
    hint
    createdAt
    lastUsedAt
    revokedAt
  }
`)
export type Integration = ResultOf<typeof IntegrationDetails>

export const INTEGRATIONS = graphql(
  `
    query Integrations {
      integrations {
        ...IntegrationDetails
      }
    }
  `,
  [IntegrationDetails],
)

export const CREATE_INTEGRATION = graphql(
  `
    mutation CreateIntegration($input: IntegrationInput!) {
      createIntegration(input: $input) {
        key
        integration {
          ...IntegrationDetails
        }
      }
    }
  `,
  [IntegrationDetails],
)
export type NewIntegration = ResultOf<typeof CREATE_INTEGRATION>['createIntegration']

export const UPDATE_INTEGRATION = graphql(
  `
    mutation UpdateIntegration($id: ID!, $version: Int!, $input: IntegrationInput!) {
      updateIntegration(id: $id, version: $version, input: $input) {
        ...IntegrationDetails
      }
    }
  `,
  [IntegrationDetails],
)

export const REVOKE_INTEGRATION = graphql(
  `
    mutation RevokeIntegration($id: ID!) {
      revokeIntegration(id: $id) {
        ...IntegrationDetails
      }
    }
  `,
  [IntegrationDetails],
)
