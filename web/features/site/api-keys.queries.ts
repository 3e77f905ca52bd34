import { graphql, type ResultOf } from '../../api/graphql.ts'

export const API_KEYS = graphql(`
  query ApiKeys {
    apiKeys {
      id
      name
      hint
      isOwn
      authorName
      createdAt
      lastUsedAt
      revokedAt
    }
  }
`)

export type ApiKeyRow = ResultOf<typeof API_KEYS>['apiKeys'][number]

export const CREATE_API_KEY = graphql(`
  mutation CreateApiKey($name: String!) {
    createApiKey(name: $name) {
      key
    }
  }
`)

export const REVOKE_API_KEY = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiKey(id: $id)
  }
`)
